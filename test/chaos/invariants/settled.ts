import type { History, Job } from '../history';
import type { Rules, Violation } from '../rules';

/**
 * 4b. A promise always settles while its process lives: with the function's value, with its error, or with a reason
 * that the run allows. And nothing ends the process or goes uncaught.
 */
export function settled(history: History, _rules: Rules): Violation[] {
  const violations: Violation[] = history.crashes.map(({ t, worker, message }) => ({
    invariant: 'settled',
    t,
    what: `uncaught in ${worker}: ${message}`,
  }));
  for (const job of history.jobs.values()) {
    const what = faultOf(job);
    if (what) violations.push({ invariant: 'settled', t: job.settlements[0]?.t ?? history.end, job: job.id, what });
  }
  return violations;
}

function faultOf(job: Job): string | undefined {
  const [settlement, second] = job.settlements;
  if (!settlement) return job.worker.killed === undefined ? `${job.id} never settled (${stageOf(job)})` : undefined;
  if (second) return `${job.id} settled twice`;
  if (settlement.problem) return `${job.id}: ${settlement.problem}`;
  if (settlement.ok) {
    const returned = job.executions.some(({ end, ok }) => end !== undefined && end <= settlement.t && ok);
    return returned ? undefined : `${job.id} resolved, but its function had not returned`;
  }
  return reasonIsAllowed(job)
    ? undefined
    : `${job.id} rejected: ${settlement.error?.name}: ${settlement.error?.message}`;
}

function stageOf(job: Job): string {
  const last = job.executions.at(-1);
  if (last) return last.end === undefined ? 'executing' : 'executed';
  if (job.scheduled !== undefined) return 'scheduled';
  return job.queued === undefined ? 'submitted' : 'queued';
}

function reasonIsAllowed(job: Job): boolean {
  const { error } = job.settlements[0]!;
  if (!error) return false;
  if (error.own) return job.executions.some(({ ok }) => ok === false);
  if (job.expiration !== undefined && /timed out/.test(error.message)) return true;
  return job.worker.leaving !== undefined;
}
