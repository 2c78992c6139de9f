import { type History, startsOf } from '../history';
import type { Rules, Violation } from '../rules';

/** The log's own grain, and that of setTimeout. */
const GRAIN_MS = 3;

/**
 * 2. Never two starts closer than `minTime`. A start that a busy process makes late comes nearer to the next one, so
 * as much is allowed as that process's timers were late by its own measure.
 */
export function minTime(history: History, rules: Rules): Violation[] {
  if (rules.minTime === 0) return [];
  const starts = startsOf(history);
  const violations: Violation[] = [];
  for (let i = 1; i < starts.length; i++) {
    const before = starts[i - 1]!;
    const start = starts[i]!;
    const gap = start.start - before.start;
    if (gap + before.lag + GRAIN_MS < rules.minTime) {
      violations.push({
        invariant: 'minTime',
        t: start.start,
        job: start.job.id,
        excess: rules.minTime - gap,
        what: `${gap.toFixed(1)} ms of ${rules.minTime} between ${before.job.id} and ${start.job.id} (lag ${before.lag.toFixed(1)})`,
      });
    }
  }
  return violations;
}
