import type { History } from '../history';
import type { Rules, Violation } from '../rules';

/** 4a. A scheduled function runs at most once per attempt. */
export function once(history: History, _rules: Rules): Violation[] {
  const violations: Violation[] = [];
  for (const job of history.jobs.values()) {
    const seen = new Set<number>();
    for (const { attempt, start } of job.executions) {
      if (seen.has(attempt)) {
        violations.push({
          invariant: 'once',
          t: start,
          job: job.id,
          what: `${job.id} ran again in attempt ${attempt}`,
        });
      }
      seen.add(attempt);
    }
  }
  return violations;
}
