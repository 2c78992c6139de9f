import type { Entry } from './log';

/** One call of a scheduled function. `end` is absent when it never came to its last line. */
export interface Execution {
  job: Job;
  attempt: number;
  start: number;
  end: number | undefined;
  ok: boolean | undefined;
  lag: number;
}

export interface Settlement {
  t: number;
  ok: boolean;
  problem: string | undefined;
  error: { name: string; message: string; own: boolean } | undefined;
}

export interface Job {
  id: string;
  worker: Worker;
  priority: number;
  weight: number;
  expiration: number | undefined;
  submitted: number;
  queued: number | undefined;
  /** When the limiter told that it had started the ticket; the function itself begins later where minTime says so. */
  scheduled: number | undefined;
  executions: Execution[];
  settlements: Settlement[];
}

export interface Worker {
  name: string;
  opened: number;
  killed: number | undefined;
  leaving: number | undefined;
}

export interface Fault {
  kind: string;
  from: number;
  until: number;
  /** Undefined: it hit all. */
  worker: string | undefined;
}

export interface History {
  workers: Map<string, Worker>;
  jobs: Map<string, Job>;
  faults: Fault[];
  crashes: Array<{ t: number; worker: string; message: string }>;
  errors: Array<{ t: number; worker: string; message: string }>;
  /** When the driver was late, and by how much. */
  delays: Array<{ t: number; ms: number }>;
  rest: { t: number; running: number; queued: number; counts: Record<string, number> } | undefined;
  keys: string[] | undefined;
  /** From here on nothing more was waited for. */
  end: number;
}

/** What the log tells, as jobs and their executions. */
export function historyOf(entries: Entry[]): History {
  const history: History = {
    workers: new Map(),
    jobs: new Map(),
    faults: [],
    crashes: [],
    errors: [],
    delays: [],
    rest: undefined,
    keys: undefined,
    end: entries.at(-1)?.t ?? 0,
  };
  const lastOf = new Map<string, number>();
  for (const entry of entries) {
    take(history, entry, lastOf.get(entry.by));
    lastOf.set(entry.by, entry.t);
  }
  return history;
}

/** Between SIGCONT, as the driver notes it, and the first line of the process. */
const WAKING_MS = 10;

/**
 * When a job began whose start was the first that a process told after it had been stopped. It may have been stopped
 * between making sure that it may begin and beginning: that can be one job, and it belongs before the stop.
 */
function begunAt(history: History, t: number, by: string, last: number): number {
  const stop = history.faults.find(
    ({ kind, worker, from, until }) =>
      kind === 'pause' && worker === by && last <= from + WAKING_MS && Math.abs(t - until) <= WAKING_MS,
  );
  return stop === undefined ? t : Math.min(t, stop.from);
}

/** Workers measure themselves and Redis for that long before a start. */
const LAG_WINDOW_MS = 300;

/** How late the driver passed on what a worker was told around that time. */
function delayOf({ delays }: History, t: number): number {
  let most = 0;
  for (let i = delays.length - 1; i >= 0 && delays[i]!.t > t - LAG_WINDOW_MS; i--) most = Math.max(most, delays[i]!.ms);
  return most;
}

function take(history: History, entry: Entry, last = Number.NEGATIVE_INFINITY): void {
  const { t, by } = entry;
  switch (entry.k) {
    case 'open':
      history.workers.set(by, { name: by, opened: t, killed: undefined, leaving: undefined });
      return;
    case 'submit':
      history.jobs.set(entry.job, newJob(entry, workerOf(history, by)));
      return;
    case 'queued':
      jobOf(history, entry.job).queued ??= t;
      return;
    case 'scheduled':
      jobOf(history, entry.job).scheduled ??= t;
      return;
    case 'start': {
      const job = jobOf(history, entry.job);
      const { attempt } = entry;
      const lag = Math.max(entry.lag, delayOf(history, t));
      const start = begunAt(history, t, by, last);
      job.executions.push({ job, attempt, lag, start, end: undefined, ok: undefined });
      return;
    }
    case 'end': {
      const open = jobOf(history, entry.job).executions.find(
        (one) => one.attempt === entry.attempt && one.end === undefined,
      );
      if (open) Object.assign(open, { end: t, ok: entry.ok });
      return;
    }
    case 'settle':
      jobOf(history, entry.job).settlements.push({ t, ok: entry.ok, problem: entry.problem, error: entry.error });
      return;
    case 'crash':
      history.crashes.push({ t, worker: by, message: entry.message });
      return;
    case 'limiter-error':
      history.errors.push({ t, worker: by, message: entry.message });
      return;
    case 'leaving':
      workerOf(history, by).leaving = t;
      return;
    case 'fault':
      history.faults.push({ kind: entry.fault, from: t, until: entry.until, worker: entry.worker });
      return;
    case 'kill': {
      workerOf(history, entry.worker).killed = t;
      history.faults.push({ kind: 'kill', from: t, until: t, worker: entry.worker });
      return;
    }
    case 'late':
      history.delays.push({ t, ms: entry.ms });
      return;
    case 'rest':
      history.rest = { t, running: entry.running, queued: entry.queued, counts: entry.counts };
      return;
    case 'keys':
      history.keys = entry.keys;
      return;
    case 'deadline':
      return;
  }
}

function newJob(entry: Extract<Entry, { k: 'submit' }>, worker: Worker): Job {
  const { job: id, t: submitted, priority, weight, expiration } = entry;
  return {
    id,
    worker,
    priority,
    weight,
    expiration,
    submitted,
    queued: undefined,
    scheduled: undefined,
    executions: [],
    settlements: [],
  };
}

function workerOf(history: History, name: string): Worker {
  const worker = history.workers.get(name);
  if (!worker) throw new Error(`the log has no worker ${name}`);
  return worker;
}

function jobOf(history: History, id: string): Job {
  const job = history.jobs.get(id);
  if (!job) throw new Error(`the log has no job ${id}`);
  return job;
}

export function executionsOf(history: History): Execution[] {
  return [...history.jobs.values()].flatMap((job) => job.executions).sort((a, b) => a.start - b.start);
}

/** First attempts: retries keep their slot, and neither minTime nor the reservoir counts them. */
export function startsOf(history: History): Execution[] {
  return executionsOf(history).filter(({ attempt }) => attempt === 0);
}

/** Whose start it is, and when that worker was told of it. */
export function toldOf({ job, start }: Execution): { worker: string; told: number } {
  return { worker: job.worker.name, told: decidedAt(job) ?? start };
}

/** When the limiter decided on a start, as near as the log knows. */
export function decidedAt(job: Job): number | undefined {
  return job.scheduled ?? job.executions[0]?.start;
}
