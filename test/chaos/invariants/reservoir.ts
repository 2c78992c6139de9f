import { type History, startsOf, toldOf } from '../history';
import type { Rules, Violation } from '../rules';

const GRAIN_MS = 25;

/**
 * 3. Never more starts in a window than the reservoir allowed. Where the windows begin is the server's affair, so the
 * check is: what exceeds m windows' worth must touch m + 1 windows, and so take longer than m - 1 whole ones.
 */
export function reservoir(history: History, rules: Rules): Violation[] {
  if (!rules.reservoir) return [];
  const { amount, interval } = rules.reservoir;
  const starts = startsOf(history).filter(({ job }) => job.weight > 0);
  const violations: Violation[] = [];
  for (let first = 0; first < starts.length; first++) {
    const begin = starts[first]!;
    let taken = 0;
    let windows = 1;
    for (let last = first; last < starts.length && windows <= 3; last++) {
      const start = starts[last]!;
      taken += start.job.weight;
      while (taken > windows * amount) {
        const span = start.start - begin.start + begin.lag + GRAIN_MS;
        if (span < (windows - 1) * interval) {
          violations.push({
            invariant: 'reservoir',
            t: start.start,
            job: start.job.id,
            starts: starts.slice(first, last + 1).map(toldOf),
            excess: taken - windows * amount,
            what: `${taken} started within ${span.toFixed(0)} ms from ${begin.job.id} to ${start.job.id}; ${amount} are allowed in ${interval} ms`,
          });
        }
        windows += 1;
      }
    }
  }
  return onePerCrossing(violations);
}

/** One excess is seen from many first starts; the same last start counts once. */
function onePerCrossing(violations: Violation[]): Violation[] {
  const worst = new Map<string, Violation>();
  for (const violation of violations) {
    const known = worst.get(violation.job!);
    if (!known || known.excess! < violation.excess!) worst.set(violation.job!, violation);
  }
  return [...worst.values()];
}
