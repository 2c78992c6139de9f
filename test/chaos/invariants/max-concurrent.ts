import { type Execution, executionsOf, type History } from '../history';
import { presumedDead, type Rules, type Violation } from '../rules';

/** An expiration runs from when the server lets a job begin, which the log knows only by when it did begin. */
const EXPIRATION_SLACK_MS = 20;

/** 1. Never more than `maxConcurrent` weight executing, counting only live processes. */
export function maxConcurrent(history: History, rules: Rules): Violation[] {
  const limit = rules.maxConcurrent;
  if (limit === null) return [];
  const changes = executionsOf(history).flatMap((execution) => {
    const end = holdsNoSlot(execution) ? execution.start : countsUntil(history, rules, execution);
    const { weight } = execution.job;
    return end <= execution.start || weight === 0
      ? []
      : [
          { t: execution.start, by: weight, execution },
          { t: end, by: -weight, execution },
        ];
  });
  // What ends at the same moment ends first.
  changes.sort((a, b) => a.t - b.t || a.by - b.by);

  const violations: Violation[] = [];
  const running = new Set<Execution>();
  let total = 0;
  let open: Violation | undefined;
  for (const { t, by, execution } of changes) {
    total += by;
    if (by > 0) running.add(execution);
    else running.delete(execution);
    if (total > limit && by > 0) {
      open = {
        invariant: 'maxConcurrent',
        t,
        job: execution.job.id,
        excess: total - limit,
        what: `${total} running of ${limit}: ${[...running].map((one) => one.job.id).join(' ')}`,
      };
      violations.push(open);
    }
    if (open && total <= limit) {
      open.lasted = t - open.t;
      open = undefined;
    }
  }
  return violations;
}

/** As with Bottleneck: an expiration frees the slot for good, and a retry after it runs without one. */
function holdsNoSlot({ job, attempt, start }: Execution): boolean {
  const first = job.executions[0];
  if (attempt === 0 || job.expiration === undefined || !first) return false;
  return start > first.start + job.expiration - first.lag - EXPIRATION_SLACK_MS;
}

/** Until when an execution takes part of the limit: its end, its expiration, or its process being dead or taken for dead. */
function countsUntil(history: History, rules: Rules, { job, start, end, lag }: Execution): number {
  let until = end ?? job.worker.killed ?? history.end;
  if (job.worker.killed !== undefined) until = Math.min(until, job.worker.killed);
  if (job.expiration !== undefined) until = Math.min(until, start + job.expiration - lag - EXPIRATION_SLACK_MS);
  for (const silence of presumedDead(history, rules, job.worker.name)) {
    if (start < silence.from && silence.from < until) until = silence.from;
  }
  return until;
}
