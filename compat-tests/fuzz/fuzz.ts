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
    if (comparison.outcome === 'diverges')
      tally.divergences.push(await reduce(scenario, comparison.differences, options));
    if (tally.divergences.length > (options.tolerate ?? 0)) break;
    if (comparison.outcome === 'left out') continue;
    compared++;
    options.onProgress?.(compared, tally);
  }
  return tally;
}

function count(tally: Tally, comparison: Comparison): void {
  if (comparison.outcome === 'equal') tally.equal++;
  if (comparison.outcome === 'left out') tally.leftOut[comparison.reason] = (tally.leftOut[comparison.reason] ?? 0) + 1;
  if (comparison.outcome === 'known') {
    for (const id of comparison.ids) tally.known[id] = (tally.known[id] ?? 0) + 1;
  }
}

/** The smallest scenario that still diverges in the kind of thing that diverged first. */
async function reduce(scenario: Scenario, found: Difference[], { upstream, ours }: FuzzOptions): Promise<Divergence> {
  const kind = kindOf(found[0]);
  let differences = found;
  const smallest = await shrink(scenario, async (candidate) => {
    const comparison = await compare(candidate, upstream, ours);
    if (comparison.outcome !== 'diverges' || !comparison.differences.some((one) => kindOf(one) === kind)) return false;
    differences = comparison.differences;
    return true;
  });
  return { seed: scenario.seed, scenario: smallest, differences };
}

function kindOf(difference: Difference | undefined): string | undefined {
  return difference?.stream.replace(/ (j\d+|\d+)/, '');
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
