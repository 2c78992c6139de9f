/** What was decided about a difference that a scenario names. */
import { type KnownDifference, knownDifferences } from '../known-differences';

const verdicts = new Map(knownDifferences.map((difference) => [difference.id, difference.verdict]));

export function verdictOf(id: string | undefined): KnownDifference['verdict'] | undefined {
  return id === undefined ? undefined : verdicts.get(id);
}
