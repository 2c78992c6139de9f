import { decidedAt, type History, type Job } from '../history';
import { delayBefore, losesData, MESSAGE_SLACK_MS, overlaps, type Rules, recovery, type Violation } from '../rules';

/**
 * 5. At each start no waiting ticket of a live process had a better (priority, arrival). The log knows both only from
 * outside, so a ticket counts as waiting only between its `queued` event and its start, each with slack, and as
 * earlier only if it was queued before the other one was submitted. A ticket whose process was out of reach meanwhile
 * is rightly passed over.
 */
export function order(history: History, rules: Rules): Violation[] {
  if (!rules.fleetOrder) return [];
  const jobs = [...history.jobs.values()];
  const waiting = jobs.filter(({ queued }) => queued !== undefined).sort((a, b) => a.queued! - b.queued!);
  const started = jobs.filter((job) => decidedAt(job) !== undefined).sort((a, b) => decidedAt(a)! - decidedAt(b)!);
  const violations: Violation[] = [];
  let open: Job[] = [];
  let next = 0;
  for (const job of started) {
    const t = decidedAt(job)!;
    while (next < waiting.length && waiting[next]!.queued! < t - MESSAGE_SLACK_MS) open.push(waiting[next++]!);
    open = open.filter((other) => waitsUntil(history, other) > t + MESSAGE_SLACK_MS);
    // One that was told of its start late was chosen at an unknown time.
    if (delayBefore(history, t, job.worker.name)) continue;
    const passed = open.find(
      (other) => isBetter(other, job) && surelyWaited(history, other, job) && wasReachable(history, rules, other, t),
    );
    if (passed) {
      violations.push({
        invariant: 'order',
        t,
        job: passed.id,
        what:
          `${job.id} (priority ${job.priority}) started at ${t.toFixed(0)} while ${passed.id} (priority ${passed.priority}) ` +
          `waited from ${passed.queued!.toFixed(0)} to ${waitsUntil(history, passed).toFixed(0)}`,
      });
    }
  }
  return violations;
}

function waitsUntil(history: History, job: Job): number {
  const { killed, leaving } = job.worker;
  return Math.min(
    decidedAt(job) ?? job.settlements[0]?.t ?? history.end,
    killed ?? Number.POSITIVE_INFINITY,
    leaving ?? Number.POSITIVE_INFINITY,
  );
}

/** Both times come from processes that may be slow to hear and to tell. */
function surelyWaited(history: History, other: Job, job: Job): boolean {
  const t = decidedAt(job)!;
  const slack = MESSAGE_SLACK_MS + lagOf(job) + lagOf(other);
  return other.queued! < t - slack && waitsUntil(history, other) > t + slack;
}

function lagOf(job: Job): number {
  return job.executions[0]?.lag ?? 0;
}

function isBetter(other: Job, job: Job): boolean {
  if (other.priority !== job.priority) return other.priority < job.priority;
  return other.queued! < job.submitted;
}

function wasReachable(history: History, rules: Rules, job: Job, t: number): boolean {
  return !history.faults.some((fault) => {
    if (fault.worker !== undefined && fault.worker !== job.worker.name) return false;
    const affects = fault.worker !== undefined || losesData(fault) || fault.kind !== 'script-flush';
    return affects && overlaps(fault, t, t, recovery(rules));
  });
}
