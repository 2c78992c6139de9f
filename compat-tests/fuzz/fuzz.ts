/** Compares many random scenarios and counts what became of them. */
import type { Subject } from '../harness/subjects';
import type { Difference } from '../harness/trace';
import { type Comparison, compare } from './compare';
import { generate } from './generate';
import type { Scenario } from './scenario';
import { shrink } from './shrink';

export interface Divergence {
  seed: number;
  scenario: Scenario;
  differences: Difference[];
}

export interface Tally {
  equal: number;
  /** Divergent scenarios without a single outcome upstream, by reason. */
  leftOut: Record<string, number>;
  /** Divergent scenarios explained by a known difference, by its id. */
  known: Record<string, number>;
  divergences: Divergence[];
}

export interface FuzzOptions {
  /** How many scenarios are to be compared; those left out do not count. */
  scenarios: number;
  seed: number;
  upstream: Subject;
  ours: Subject;
  /** Stop after so many divergences. */
  tolerate?: number;
  onProgress?: (compared: number, tally: Tally) => void;
}

export async function fuzz(options: FuzzOptions): Promise<Tally> {
  const tally: Tally = { equal: 0, leftOut: {}, known: {}, divergences: [] };
  let compared = 0;
  for (let seed = options.seed; compared < options.scenarios; seed++) {
    const scenario = generate(seed);
    const comparison = await compare(scenario, options.upstream, options.ours);
    count(tally, comparison);
    if (comparison.outcome === 'diverges') tally.divergences.push(await reduce(scenario, options));
    if (tally.divergences.length > (options.tolerate ?? 0)) break;
    if (comparison.outcome !== 'left out') options.onProgress?.(++compared, tally);
  }
  return tally;
}

function count(tally: Tally, comparison: Comparison): void {
  if (comparison.outcome === 'equal') tally.equal++;
  if (comparison.outcome === 'left out') tally.leftOut[comparison.reason] = (tally.leftOut[comparison.reason] ?? 0) + 1;
  if (comparison.outcome === 'known') tally.known[comparison.id] = (tally.known[comparison.id] ?? 0) + 1;
}

async function reduce(scenario: Scenario, { upstream, ours }: FuzzOptions): Promise<Divergence> {
  const diverges = async (candidate: Scenario) => (await compare(candidate, upstream, ours)).outcome === 'diverges';
  const smallest = await shrink(scenario, diverges);
  const comparison = await compare(smallest, upstream, ours);
  const differences = comparison.outcome === 'diverges' ? comparison.differences : [];
  return { seed: scenario.seed, scenario: smallest, differences };
}

export function report(tally: Tally): string {
  const lines = [`equal ${tally.equal}`];
  for (const [id, times] of Object.entries(tally.known)) lines.push(`known difference ${id}: ${times}`);
  for (const [reason, times] of Object.entries(tally.leftOut)) lines.push(`left out (${reason}): ${times}`);
  for (const { seed, scenario, differences } of tally.divergences) {
    lines.push('', `DIVERGES, seed ${seed}; smallest scenario:`, JSON.stringify(scenario));
    for (const { stream, index, upstream, ours } of differences.slice(0, 6)) {
      lines.push(`  ${stream} [${index}]`, `    bottleneck: ${upstream}`, `    rebottle:   ${ours}`);
    }
  }
  return lines.join('\n');
}
