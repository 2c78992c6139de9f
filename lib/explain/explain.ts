import { type MonotonicClock, startTimer, type Timer } from '../clock';
import type { Job } from '../scheduler/job';
import { STATE_NAMES, State } from '../scheduler/job-states';
import type { Scheduler } from '../scheduler/scheduler';
import type { QueueSnapshot, Store } from '../store/store';
import type { Explanation, Hold } from './explanation';
import { earliestStart } from './forecast';
import { holdsOf } from './holds';
import { inWords } from './words';

/** ms after which a store that has not answered counts as out of reach. */
const ANSWER_WITHIN = 1000;

/** The limiter that is asked. */
export interface Explained {
  readonly scheduler: Scheduler;
  readonly store: Store;
  readonly clock: MonotonicClock;
  /** Whether a job that has its slot finds this process executing as much as it may. */
  readonly findsNoWorker?: (job: Job) => boolean;
  /** The limiter that jobs are passed on to, as far as it can explain itself. */
  readonly chained: { explain?(jobId?: string): PromiseLike<Explanation> } | null;
}

type Facts = Omit<Explanation, 'text'>;

/** Why a job is not running now; without an id, why the next one is not. Changes nothing, and answers without Redis too. */
export async function explain(limiter: Explained, jobId?: string): Promise<Explanation> {
  const { scheduler, store } = limiter;
  const isThere = await inTime(store, scheduler.whenSettled());
  if (jobId !== undefined) return explainJob(limiter, jobId, isThere);
  const snapshot = isThere ? await look(store, null) : null;
  if (snapshot === null) return unreachable(limiter, null);
  const next = snapshot.head === null ? nextToExecute(scheduler) : (snapshot.head.ticket as Job | null);
  return next === null ? explainHead(snapshot) : explainJob(limiter, next.key, true);
}

async function explainJob(limiter: Explained, jobId: string, isThere: boolean): Promise<Explanation> {
  const { states } = limiter.scheduler;
  const job = states.find(jobId);
  if (job === undefined) return unknown(limiter, jobId);
  if (job.state !== null && job.state >= State.Running) return explainStarted(limiter, job);
  const snapshot = isThere ? await look(limiter.store, job) : null;
  if (snapshot === null) return unreachable(limiter, job);
  // It may have started while the store was asked.
  if (states.find(jobId) !== job || job.state! >= State.Running) return explainJob(limiter, jobId, true);
  return explainWaiting(snapshot, job);
}

function explainWaiting(snapshot: QueueSnapshot, job: Job): Explanation {
  const { now, asked, head } = snapshot;
  const facts: Facts = { ...nothing(now), jobId: job.key, state: STATE_NAMES[job.state!] };
  if (asked === null) return told(facts, named(job));
  if (asked.where === 'delayed') {
    const until = asked.dueAt ?? now;
    const start = earliestStart(snapshot, job.weight, [], until);
    facts.holds = [{ by: 'delay', waitsFor: 'time', since: null, until }];
    return told({ ...facts, earliestStart: start }, named(job));
  }
  facts.waitingSince = asked.since;
  if (asked.where === 'aside') {
    facts.holds = [{ by: 'subscription', waitsFor: 'redis', since: null, until: null }];
    return told(facts, named(job));
  }
  facts.ahead = asked.ahead;
  // Nothing overtakes the head: what holds it holds all.
  const first = asked.ahead === 0 ? job.weight : (head?.weight ?? job.weight);
  facts.holds = holdsOf(snapshot, first, asked.since);
  facts.earliestStart = earliestStart(snapshot, job.weight, asked.weightsAhead);
  return told(facts, named(job));
}

async function explainStarted(limiter: Explained, job: Job): Promise<Explanation> {
  const now = limiter.clock.now();
  const facts: Facts = { ...nothing(now), jobId: job.key, state: STATE_NAMES[job.state!] };
  facts.holds = holdsOfStarted(limiter, job, now);
  if (facts.holds.length > 0) facts.earliestStart = facts.holds[0]!.until;
  else if (job.state === State.Executing) facts.chained = (await limiter.chained?.explain?.(job.key)) ?? null;
  if (facts.chained?.state === null) facts.chained = null;
  return told(facts, named(job));
}

/** It has its slot; what is it waiting for? */
function holdsOfStarted({ store, findsNoWorker }: Explained, job: Job, now: number): Hold[] {
  const { deadline, state, retryCount } = job;
  if (deadline?.kind === 'start') {
    const { at } = deadline;
    if (state === State.Executing) return [{ by: 'retry', waitsFor: 'time', since: null, until: at, retryCount }];
    const { minTime } = store.currentSettings;
    return [{ by: 'minTime', waitsFor: 'time', since: null, until: at, minTime }];
  }
  if (state !== State.Running) return [];
  if (findsNoWorker?.(job)) return [{ by: 'workers', waitsFor: 'completion', since: null, until: null }];
  return [{ by: 'turn', waitsFor: 'time', since: null, until: now }];
}

/** The first of those that have a slot and wait for their moment. */
function nextToExecute(scheduler: Scheduler): Job | null {
  const started = scheduler.states.jobsBefore(State.Executing).filter((job) => job.state === State.Running);
  const at = (job: Job): number => job.deadline?.at ?? 0;
  return started.reduce<Job | null>((first, job) => (first === null || at(job) < at(first) ? job : first), null);
}

/** The head of the queue belongs to another process, or nothing waits. */
function explainHead(snapshot: QueueSnapshot): Explanation {
  const { now, head, queued } = snapshot;
  const weight = head?.weight ?? 1;
  const facts: Facts = { ...nothing(now), ahead: head === null ? null : 0 };
  facts.holds = holdsOf(snapshot, weight, null);
  facts.earliestStart = earliestStart(snapshot, weight);
  if (head !== null) return told(facts, `${queued} queued; the next is a job of another process`);
  return told(facts, facts.holds.length === 0 ? 'Nothing waits' : 'Nothing waits, but a job that came now would');
}

function unknown({ scheduler, clock }: Explained, jobId: string): Explanation {
  const facts = { ...nothing(clock.now()), jobId };
  if (scheduler.states.status(jobId) === 'DONE')
    return told({ ...facts, state: 'DONE' }, `Job ${JSON.stringify(jobId)}`);
  return told({ ...facts, jobId: null }, `No job ${JSON.stringify(jobId)} waits or runs in this process`);
}

/** Redis is silent: what this process knows by itself. */
function unreachable({ clock }: Explained, job: Job | null): Explanation {
  const facts: Facts = {
    ...nothing(clock.now()),
    jobId: job?.key ?? null,
    state: job === null ? null : STATE_NAMES[job.state!],
  };
  facts.holds = [{ by: 'redis', waitsFor: 'redis', since: null, until: null }];
  return told(facts, job === null ? 'The limiter cannot tell how it stands' : named(job));
}

function nothing(now: number): Facts {
  return {
    now,
    jobId: null,
    state: null,
    waitingSince: null,
    ahead: null,
    heldBy: null,
    holds: [],
    earliestStart: null,
    chained: null,
  };
}

function told(facts: Facts, subject: string): Explanation {
  facts.heldBy = facts.holds[0]?.by ?? null;
  return { text: inWords(facts, subject), ...facts };
}

function named(job: Job): string {
  return `Job ${JSON.stringify(job.key)}`;
}

async function look(store: Store, job: Job | null): Promise<QueueSnapshot | null> {
  let snapshot: QueueSnapshot | null = null;
  const looking = store.inspectQueue(job).then((found) => {
    snapshot = found;
  });
  // A store that was closed knows nothing any more, as one that is out of reach.
  await inTime(
    store,
    looking.catch(() => {}),
  );
  return snapshot;
}

/** Whether the promise settles in the time that a living store takes. One that answers at once is waited for. */
async function inTime(store: Store, promise: Promise<unknown>): Promise<boolean> {
  if (store.synchronous) return promise.then(() => true);
  let timer: Timer | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = startTimer(ANSWER_WITHIN, () => resolve(false));
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    timer?.cancel();
  }
}
