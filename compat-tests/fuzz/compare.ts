/** Compares one scenario on both packages and says what became of it. */
import type { Subject } from '../harness/subjects';
import { type Difference, differences } from '../harness/trace';
import { classify } from './classify';
import { execute } from './execute';
import { normalise } from './normalise';
import type { Scenario } from './scenario';
import { type Instability, stability } from './stability';

export type Comparison =
  | { outcome: 'equal' }
  /** The traces differ, but Bottleneck gives no single outcome to be compared with. */
  | { outcome: 'left out'; reason: Instability }
  /** The traces differ as a known difference says. */
  | { outcome: 'known'; ids: string[]; differences: Difference[] }
  | { outcome: 'diverges'; differences: Difference[] };

export async function compare(scenario: Scenario, upstream: Subject, ours: Subject): Promise<Comparison> {
  const expected = await execute(scenario, upstream);
  const actual = await execute(scenario, ours);
  const found = differences(normalise(scenario, expected), normalise(scenario, actual));
  if (found.length === 0) return { outcome: 'equal' };
  const explained = classify(scenario, found);
  if (explained) return { outcome: 'known', ids: explained, differences: found };
  const { until, reason } = await stability(scenario, upstream, expected);
  const certain = found.filter((difference) => difference.at < until - MARGIN);
  if (certain.length === 0) return { outcome: 'left out', reason };
  const ids = classify(scenario, certain);
  return ids ? { outcome: 'known', ids, differences: certain } : { outcome: 'diverges', differences: certain };
}

/** ms; what moves by so much when a scenario is shifted may be told of a little later than it came about. */
const MARGIN = 5;
