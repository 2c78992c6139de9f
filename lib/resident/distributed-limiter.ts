import { MonotonicClock, startTimer, type Timer } from '../clock';
import { Events } from '../events';
import { explain } from '../explain/explain';
import type { Explanation } from '../explain/explanation';
import type { Job } from '../scheduler/job';
import { State } from '../scheduler/job-states';
import { type EndReason, Scheduler, type SchedulerExtras, type SchedulerHost } from '../scheduler/scheduler';
import { RedisCallError } from '../store/redis/clients/call-error';
import type { Notice, SharedStore, StoreSettings, StoreSnapshot } from '../store/store';
import {
  DrainTimeoutError,
  DuplicateJobError,
  InvalidOptionError,
  JobCancelledError,
  JobDroppedError,
  JobMaxRetriesError,
  JobOverweightError,
  JobPendingTimeoutError,
  JobTimeoutError,
  LimiterDisconnectedError,
  LimiterRedisError,
  LimiterStoppedError,
  OrphanedJobError,
  type RebottleError,
  WorkerPoolStoppedError,
} from './errors';
import { custom, integer, type OptionRules, oneOf, resolveOptions } from './option-rules';
import { type ResolvedDefaults, resolveConfig, resolveSchedule, resolveUpdate } from './options';
import { jobInfo, orphanedJob } from './orphans';
import { type JobEndings, ResidentJob } from './resident-job';
import { TypedEvents } from './typed-events';
import type {
  JobDefaults,
  JobFunction,
  JobInfo,
  LimiterConfig,
  LimiterSettings,
  OrphanedJob,
  ScheduleOptions,
} from './types';
import { WorkerPool } from './worker-pool';

export interface DistributedLimiterOptions extends LimiterConfig {
  /** Names the limiter: all with the same id on the same Redis are one. */
  id: string;
  /** Default: `WorkerPool.getInstance()`. */
  pool?: WorkerPool | null;
}

/** A job in an event. */
export interface JobEvent {
  id: string;
  /** 1 for the first attempt. */
  attempt: number;
  priority: number;
  weight: number;
}

/** A setting that the limiter has in Redis, and that this process asked for otherwise. */
export interface Conflict {
  asked: unknown;
  stored: unknown;
}

/** The events of a limiter and what their listeners get: of jobs that this process scheduled, except `orphaned`. */
export interface DistributedLimiterEvents {
  /** An attempt begins. */
  executing: [job: JobEvent];
  /** A job succeeded; its slot is free. */
  done: [job: JobEvent];
  /** An attempt failed. */
  failed: [job: JobEvent & { error: unknown; willRetry: boolean }];
  /** The job will be tried again in `delay` ms. `attempt` is the one to come. */
  retry: [job: JobEvent & { error: unknown; delay: number }];
  /** Nothing of this limiter waits or executes in this process any more. */
  drained: [];
  /** Most often, Redis is out of reach: all goes on when it is back. */
  error: [error: unknown];
  /** A process died that had this job. */
  orphaned: [job: OrphanedJob];
  /** The limiter existed with other settings; see `onConflict`. */
  conflict: [differences: Record<string, Conflict>];
  stopped: [];
}

/** How a limiter stands, over all processes. */
export interface LimiterStats {
  /** Jobs in the queue. */
  ready: number;
  /** Jobs whose time has not come, and those that wait to be tried again. */
  delayed: number;
  /** Jobs that have their slot, and what they weigh together. */
  running: number;
  runningWeight: number;
  /** Total weight of the jobs that ended, since the limiter was made or reset. */
  doneWeight: number;
  /** null for no limit. */
  reservoir: number | null;
  /** Jobs of this instance: not yet begun, and executing. */
  local: { pending: number; executing: number };
}

export interface ListOptions {
  /** How many to skip. Default 0. */
  offset?: number | null;
  /** How many to give at most, 1 to 10000. Default 100. */
  limit?: number | null;
}

export interface LimiterStopOptions {
  /** What becomes of jobs that have not begun: they reject with a LimiterStoppedError, or are run. Default `'reject'`. */
  waiting?: 'reject' | 'run' | null;
  /** ms to wait for the jobs; what still executes then goes on without its slot. Default no limit. */
  deadlineMs?: number | null;
}

/** @internal */
export const LIST_RULES: OptionRules = {
  offset: integer(0, Number.POSITIVE_INFINITY, 'jobs', 0),
  limit: integer(1, 10_000, 'jobs', 100),
};

/** @internal */
export const LIMITER_STOP_RULES: OptionRules = {
  waiting: oneOf(['reject', 'run'], 'reject'),
  deadlineMs: custom('a number of ms, 0 or more', 'ms', null, (value) => typeof value === 'number' && value >= 0),
};

const STATES = oneOf(['ready', 'delayed', 'executing'], null);

/** ms that a limiter which stops may take to tell Redis. */
const FLUSH_TIMEOUT = 2000;

/**
 * A limiter whose queue lives in Redis: one order for all processes, by priority, then arrival. Limits hold for all of
 * them together, jobs leave the queue only when they may really start, and a failed attempt is repeated as a ticket
 * that is due later, so that it holds no slot while it waits.
 */
export class DistributedLimiter extends TypedEvents<DistributedLimiterEvents> {
  readonly id: string;
  readonly pool: WorkerPool;
  private readonly store: SharedStore;
  private readonly scheduler: Scheduler;
  private readonly clock = new MonotonicClock();
  private readonly defaults: ResolvedDefaults;
  private readonly onConflict: 'keep' | 'overwrite';
  private readonly endings: JobEndings;
  /** Jobs of this instance whose promises are not settled. */
  private open = 0;
  private madeUpIds = 0;
  private refusal: RebottleError | null = null;
  /** Whether waiting jobs are taken out because the pool ends, not this limiter alone. */
  private leavesPool = false;
  private stopping: Promise<void> | null = null;
  private reading: Promise<StoreSnapshot> | null = null;
  private unfinishedWaiters: (() => void)[] = [];
  private drainWaiters: (() => void)[] = [];

  /**
   * @throws {InvalidOptionError}
   * @throws {WorkerPoolNotInitializedError} without `pool`, when there is no default one.
   * @throws {WorkerPoolStoppedError}
   */
  constructor({ id, pool, ...config }: DistributedLimiterOptions) {
    super();
    if (typeof id !== 'string' || id === '') throw new InvalidOptionError('id', 'a text that is not empty', id);
    if (pool != null && !(pool instanceof WorkerPool)) throw new InvalidOptionError('pool', 'a WorkerPool', pool);
    const { settings, ttl, onConflict, ...defaults } = resolveConfig('DistributedLimiter options', config);
    this.id = id;
    this.pool = pool ?? WorkerPool.getInstance();
    this.defaults = defaults;
    this.onConflict = onConflict;
    this.endings = { succeeded: (job) => this.onSucceeded(job), failed: (job, error) => this.onFailed(job, error) };
    this.store = this.pool.openStore(id, settings, ttl);
    this.scheduler = new Scheduler(this.host(), this.listen(), this.store, false, this.clock);
    this.store.ready.then(undefined, (error) => this.emit('error', error));
    this.pool.join(this);
  }

  /** Resolves when the limiter is known to Redis. Nobody has to wait for it. */
  async ready(): Promise<void> {
    await this.store.ready;
  }

  // ---------------------------------------------------------------- scheduling

  /**
   * Runs `fn` when its turn has come. Resolves to what it gives; rejects, with a RebottleError where the limiter itself
   * is the reason, and else with what `fn` threw, when it is not to be tried again.
   */
  schedule<T>(fn: JobFunction<T>, options?: ScheduleOptions): Promise<T>;
  schedule<T>(options: ScheduleOptions, fn: JobFunction<T>): Promise<T>;
  async schedule<T>(first: JobFunction<T> | ScheduleOptions, second?: ScheduleOptions | JobFunction<T>): Promise<T> {
    const [fn, options] = typeof first === 'function' ? [first, second] : [second, first];
    if (typeof fn !== 'function') {
      throw new InvalidOptionError('job', 'a function', typeof first === 'object' ? second : first);
    }
    const resolved = resolveSchedule(options, this.defaults);
    const job = new ResidentJob(fn as JobFunction<unknown>, resolved, this.nextId(), this.endings);
    const { signal } = resolved;
    if (signal?.aborted) throw new JobCancelledError(job.id, signal.reason);
    const onAbort = (): void => this.cancelLocally(job, new JobCancelledError(job.id, signal!.reason));
    signal?.addEventListener('abort', onAbort, { once: true });
    this.open++;
    this.scheduler.receive(job);
    try {
      return (await job.promise) as T;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  private nextId(): string {
    return `${this.store.clientId}-${(this.madeUpIds++).toString(36)}`;
  }

  // ---------------------------------------------------------------- looking and changing

  /** How the limiter stands in all processes, after all that was scheduled here before. */
  async getStats(): Promise<LimiterStats> {
    const { queued, delayed, running, runningJobs, done, reservoir } = await this.read();
    const { unfinished } = this.scheduler.states;
    const local = { pending: unfinished - this.executing, executing: this.executing };
    return {
      ready: queued,
      delayed,
      running: runningJobs ?? 0,
      runningWeight: running,
      doneWeight: done,
      reservoir,
      local,
    };
  }

  /** Jobs that wait in all processes, ready and delayed. */
  async getQueueSize(): Promise<number> {
    const { ready, delayed } = await this.getStats();
    return ready + delayed;
  }

  /** Jobs that have their slot, in all processes. */
  async getRunningCount(): Promise<number> {
    return (await this.getStats()).running;
  }

  /** Weight that may start until the reservoir is filled again; null for no limit. */
  async getReservoir(): Promise<number | null> {
    return (await this.read()).reservoir;
  }

  /**
   * Changes limits for all processes at once, and defaults of jobs for this instance; only what is named.
   *
   * @throws {InvalidOptionError}
   */
  async updateSettings(options: LimiterSettings & JobDefaults): Promise<void> {
    const { settings, defaults } = resolveUpdate(options);
    Object.assign(this.defaults, defaults);
    if (Object.keys(settings).length === 0) return;
    await this.ask(() => this.store.updateSettings(settings));
  }

  /**
   * Begins anew, for all processes: what waits is cancelled, the reservoir is filled to what this instance was given,
   * window, bucket and `minTime` forget what was. What executes goes on. Resolves to how many jobs were cancelled.
   */
  async reset(): Promise<number> {
    const { reservoir } = this.store.currentSettings;
    return this.ask(() => this.store.reset({ reservoir }));
  }

  /**
   * Why a job of this process is not running now; without an id, why the next job is not. Changes nothing, and answers
   * within about a second even when Redis does not.
   */
  explain(jobId?: string | null): Promise<Explanation> {
    const { scheduler, store, clock } = this;
    const findsNoWorker = (job: Job): boolean => this.pool.workers.turnsAway(job);
    return explain({ scheduler, store, clock, findsNoWorker, chained: null }, jobId ?? undefined);
  }

  // ---------------------------------------------------------------- jobs of any process

  /**
   * Jobs in a state, in all processes: `ready` in the order in which they will start, `delayed` in that in which they
   * join the queue.
   *
   * @throws {InvalidOptionError}
   */
  async getJobs(state: JobInfo['state'], options: ListOptions = {}): Promise<JobInfo[]> {
    if (!STATES.accepts(state)) throw new InvalidOptionError('state', STATES.expected, state);
    const { offset, limit } = resolveOptions<{ offset: number; limit: number }>('getJobs options', options, LIST_RULES);
    const { jobs } = await this.ask(() => this.store.listJobs(state, offset, limit));
    return jobs.map(jobInfo);
  }

  /** The job of that id, wherever it is; null when it neither waits nor executes. */
  async getJob(id: string): Promise<JobInfo | null> {
    const job = await this.ask(() => this.store.findJob(id));
    return job === null ? null : jobInfo(job);
  }

  /** How many jobs are before it in the queue: 0 for the next. Null for a job that is not in the queue. */
  async position(id: string): Promise<number | null> {
    return (await this.getJob(id))?.position ?? null;
  }

  /**
   * Cancels a job, whichever process scheduled it: its promise there rejects with a JobCancelledError. One that executes
   * cannot be stopped from outside: its context's `signal` is aborted, and it is not tried again. Resolves to whether
   * there was such a job.
   */
  async cancel(id: string): Promise<boolean> {
    return (await this.ask(() => this.store.cancelJob(id))) !== null;
  }

  private cancelLocally(job: ResidentJob, error: JobCancelledError): void {
    job.cancelled = error;
    if (!this.scheduler.cancel(job, error)) job.abort(error);
  }

  // ---------------------------------------------------------------- ending

  /**
   * Resolves when no job of this instance is left.
   *
   * @param timeoutMs rejects with a DrainTimeoutError after that; nothing is cancelled. Default no limit.
   */
  async drain(timeoutMs?: number | null): Promise<void> {
    if (this.open === 0) return;
    const drained = new Promise<void>((resolve) => this.drainWaiters.push(resolve));
    if (!(await within(drained, timeoutMs ?? null))) throw new DrainTimeoutError(this.id, timeoutMs!, this.open);
  }

  /** Takes nothing more, ends what waits, and waits for what executes. Calling it again gives the same promise. */
  stop(options: LimiterStopOptions = {}): Promise<void> {
    if (this.stopping === null) {
      const { waiting, deadlineMs } = resolveOptions<{ waiting: string; deadlineMs: number | null }>(
        'stop options',
        options,
        LIMITER_STOP_RULES,
      );
      this.refusal = new LimiterStoppedError(this.id);
      this.stopping = this.end(waiting === 'reject', deadlineMs);
    }
    return this.stopping;
  }

  /** @internal */
  leavePool(deadlineMs: number | null): Promise<void> {
    if (this.stopping === null) {
      this.refusal = new WorkerPoolStoppedError();
      this.leavesPool = true;
      this.stopping = this.end(true, deadlineMs);
      return this.stopping;
    }
    // It stops already, maybe without any deadline: that of the pool holds for it too.
    return within(this.stopping, deadlineMs).then((ended) => (ended ? undefined : this.leave()));
  }

  private async end(dropWaitingJobs: boolean, deadlineMs: number | null): Promise<void> {
    const told = this.scheduler.stop({ dropWaitingJobs, dropErrorMessage: 'stopped', enqueueErrorMessage: 'stopped' });
    if (await within(this.whenUnfinished(), deadlineMs)) await within(told, FLUSH_TIMEOUT);
    await this.leave();
    this.emit('stopped');
  }

  private async leave(): Promise<void> {
    this.scheduler.disconnect();
    await this.store.disconnect(true);
    this.pool.leave(this);
  }

  private whenUnfinished(): Promise<void> {
    if (this.scheduler.states.unfinished === 0) return Promise.resolve();
    return new Promise((resolve) => this.unfinishedWaiters.push(resolve));
  }

  private checkUnfinished(): void {
    if (this.unfinishedWaiters.length === 0 || this.scheduler.states.unfinished > 0) return;
    for (const resolve of this.unfinishedWaiters.splice(0)) resolve();
  }

  // ---------------------------------------------------------------- what the scheduler asks and tells

  private host(): SchedulerHost {
    const extras: SchedulerExtras = {
      workers: this.pool.workers,
      errorFor: (reason, _message, job) => this.errorFor(reason, job as ResidentJob),
      onNotice: (notice) => this.onNotice(notice),
      onCancelled: (job) => {
        const cancelled = new JobCancelledError(job.id);
        (job as ResidentJob).cancelled = cancelled;
        (job as ResidentJob).abort(cancelled);
      },
      beginsToWait: (job) => this.beginsToWait(job as ResidentJob),
      waitsUntil: (job) => (job as ResidentJob).waitUntil,
    };
    return { Promise, rejectOnDrop: true, retryMode: 'requeue', chained: null, extras };
  }

  /** The scheduler's own events, those of Bottleneck, turned into ours. Its only argument of a job is the job. */
  private listen(): Events {
    const events = new Events({});
    events._add('executing', ({ args }: { args: [ResidentJob] }) => this.emit('executing', jobEvent(args[0])), false);
    events._add(
      'failed',
      (error: unknown, { args }: { args: [ResidentJob] }) => this.afterFailure(args[0], error),
      false,
    );
    events._add('done', () => this.checkUnfinished(), false);
    events._add('dropped', () => this.checkUnfinished(), false);
    events._add('error', (error: unknown) => this.emit('error', error), false);
    return events;
  }

  private beginsToWait(job: ResidentJob): number {
    const now = this.clock.now();
    const { pendingJobTimeoutMs } = this.pool;
    if (job.cancelled !== null) job.waitUntil = now;
    else if (pendingJobTimeoutMs !== null) job.waitUntil = now + job.waitBeforeQueue + pendingJobTimeoutMs;
    return job.waitUntil;
  }

  private errorFor(reason: EndReason, job: ResidentJob): Error {
    const { id } = job;
    switch (reason) {
      case 'refused':
        return this.refusal ?? new LimiterDisconnectedError(this.id);
      case 'stopped':
        return this.leavesPool ? new OrphanedJobError(id) : new LimiterStoppedError(this.id);
      case 'disconnected':
        return this.leavesPool ? new OrphanedJobError(id) : (this.refusal ?? new LimiterDisconnectedError(this.id));
      case 'duplicate':
        return new DuplicateJobError(id);
      case 'overweight':
        return new JobOverweightError(id, job.weight);
      case 'expired':
        return new JobTimeoutError(id, job.expiration!);
      case 'waited too long':
        return job.cancelled ?? new JobPendingTimeoutError(id, this.pool.pendingJobTimeoutMs!);
      case 'shed':
        return new JobDroppedError(id, 'high water');
      case 'blocked':
        return new JobDroppedError(id, 'blocked');
      case 'cancelled':
      case 'reset':
        return new JobCancelledError(id);
    }
  }

  /** An attempt failed. ms until the next, or undefined for none. */
  private afterFailure(job: ResidentJob, error: unknown): number | undefined {
    const event = { ...jobEvent(job), error };
    if (error instanceof JobTimeoutError) job.abort(error);
    const delay = this.retryDelay(job, error);
    this.emit('failed', { ...event, willRetry: delay !== undefined });
    if (delay === undefined) return undefined;
    job.failAttempt();
    this.emit('retry', { ...event, attempt: event.attempt + 1, delay });
    return delay;
  }

  private retryDelay(job: ResidentJob, error: unknown): number | undefined {
    const { retryOnFailure, backoff } = this.defaults;
    if (job.cancelled !== null) {
      job.finalError = error === job.cancelled ? job.cancelled : new JobCancelledError(job.id, error);
      return undefined;
    }
    if (!retryOnFailure) return undefined;
    const attempts = job.details.attempt + 1;
    if (attempts > job.maxRetries) {
      job.finalError = new JobMaxRetriesError(job.id, attempts, error);
      return undefined;
    }
    try {
      return backoff(attempts, error) ?? undefined;
    } catch (failure) {
      this.emit('error', failure);
      return undefined;
    }
  }

  private onSucceeded(job: ResidentJob): void {
    this.emit('done', jobEvent(job));
    this.settled();
  }

  private onFailed(job: ResidentJob, error: unknown): unknown {
    this.settled();
    return job.finalError ?? error;
  }

  private settled(): void {
    if (--this.open > 0) return;
    for (const resolve of this.drainWaiters.splice(0)) resolve();
    this.emit('drained');
  }

  private onNotice(notice: Notice): boolean {
    if (notice.kind === 'orphaned') {
      for (const stored of notice.jobs) {
        const job = orphanedJob(this.id, stored, notice.reportedHere);
        this.emit('orphaned', job);
        this.pool.emit('orphaned', job);
      }
      return true;
    }
    if (notice.kind !== 'conflict') return false;
    this.emit('conflict', notice.differences);
    if (this.onConflict === 'overwrite') this.overwrite(Object.keys(notice.differences));
    return true;
  }

  private overwrite(names: string[]): void {
    const mine = this.store.currentSettings as unknown as Record<string, unknown>;
    const patch = Object.fromEntries(names.map((name) => [name, mine[name]])) as Partial<StoreSettings>;
    this.store.updateSettings(patch).catch((error) => this.emit('error', error));
  }

  /** @internal Looks for what dead processes left. */
  async sweep(): Promise<void> {
    if (this.stopping === null) await this.store.sweep();
  }

  /** Those who ask at the same time share one round trip. */
  private read(): Promise<StoreSnapshot> {
    this.reading ??= this.ask(() => {
      this.reading = null;
      return this.store.inspect();
    });
    return this.reading;
  }

  /** Asks the store, once it has decided on all that was scheduled before. Rejects with errors of this API. */
  private async ask<T>(question: () => Promise<T>): Promise<T> {
    await this.scheduler.whenSettled();
    try {
      return await question();
    } catch (error) {
      if (this.scheduler.isDisconnected) throw this.refusal ?? new LimiterDisconnectedError(this.id);
      throw error instanceof RedisCallError ? new LimiterRedisError(this.id, error) : error;
    }
  }

  /** @internal */
  get unfinished(): number {
    return this.scheduler.states.unfinished;
  }

  /** @internal */
  get executing(): number {
    return this.scheduler.states.counts[State.Executing]!;
  }
}

function jobEvent(job: ResidentJob): JobEvent {
  return { id: job.id, attempt: job.details.attempt + 1, priority: job.priority, weight: job.weight };
}

/** Whether the promise is fulfilled within that time; null for no limit. */
async function within(promise: Promise<unknown>, ms: number | null): Promise<boolean> {
  if (ms === null) return promise.then(() => true);
  let timer: Timer | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = startTimer(ms, () => resolve(false));
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    timer?.cancel();
  }
}
