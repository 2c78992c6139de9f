import { type Execution, type History, startsOf, toldOf } from '../history';
import type { Rules, Violation } from '../rules';

/** What a reply or a message may take on its way to a worker on a busy machine. */
const GRAIN_MS = 12;

/** Neighbours, and starts further apart: a wait that is systematically too short shows there though it be small. */
const DISTANCES = [1, 5, 20];

/**
 * 2. Never two starts closer than `minTime`. A start that a busy machine makes late comes nearer to the next one, so as
 * much is allowed as timers and Redis's answers were late by that process's own measure.
 */
export function minTime(history: History, rules: Rules): Violation[] {
  if (rules.minTime === 0) return [];
  const starts = startsOf(history);
  const violations: Violation[] = [];
  for (const distance of DISTANCES) {
    for (let i = distance; i < starts.length; i++) {
      const violation = compare(starts.slice(i - distance, i + 1), rules.minTime);
      if (violation) violations.push(violation);
    }
  }
  return violations;
}

function compare(starts: Execution[], minTime: number): Violation | undefined {
  const before = starts[0]!;
  const start = starts.at(-1)!;
  const gap = start.start - before.start;
  const least = (starts.length - 1) * minTime;
  // Either the earlier one is late, or it is the other's turn that came first and was missed.
  const late = Math.max(before.lag, start.lag - 2 * gap, 0);
  if (gap + late + GRAIN_MS >= least) return undefined;
  // One in the middle that is late belongs before them all.
  if (starts.slice(1, -1).some(({ lag }) => lag > GRAIN_MS)) return undefined;
  return {
    invariant: 'minTime',
    t: start.start,
    job: start.job.id,
    starts: starts.map(toldOf),
    excess: least - gap,
    what:
      `${gap.toFixed(1)} ms of ${least} from ${before.job.id} to ${start.job.id}, ${starts.length - 1} starts later ` +
      `(late by up to ${before.lag.toFixed(1)} and ${start.lag.toFixed(1)})`,
  };
}
