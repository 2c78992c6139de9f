import { inMicrotask, type MonotonicClock } from '../clock';
import { DeadlineHeap } from '../deadline-heap';
import { BottleneckError } from '../errors';
import type { Events } from '../events';
import type { DropReason, Effect, Notice, Outcome, Step, Store, Ticket } from '../store/store';
import { Place } from '../store/store';
import { addTrace, callerContext, needsContext, runFor } from './caller-context';
import type { Instrument } from './instrument';
import type { Job, JobDeadline } from './job';
import { JobStates, State } from './job-states';
import { Outbox } from './outbox';
import { ReadyQueue } from './ready-queue';
import { turn } from './turn';
import { WakeupTimer } from './wakeup-timer';

const DROPPED = 'This job has been dropped by Bottleneck';
/** ms that a handler of `failed` may take at most before an expired job's slot is free: as good as for ever. */
const UNTIL_DECIDED = 2 ** 31;
const NO_JOBS: readonly Job[] = [];
const DISCONNECTED = 'This limiter has been disconnected, the job was not started.';

/** Why a limiter rejects a job itself. */
export type EndReason =
  | 'refused'
  | 'duplicate'
  | 'overweight'
  | 'stopped'
  | 'disconnected'
  | 'expired'
  | 'waited too long'
  | DropReason;

/** What the engine's own API adds. Without it, the scheduler does as Bottleneck does. */
export interface SchedulerExtras {
  errorFor(reason: EndReason, message: string, job: Job): Error;
  /** What the store tells unasked; true when nothing is left to do. */
  onNotice(notice: Notice): boolean;
  /** Somebody asks a job to end that executes already. */
  onCancelled(job: Job): void;
  /** The job begins to wait (again). Returns when it is to be given up, or Infinity. */
  beginsToWait(job: Job): number;
  waitsUntil(job: Job): number;
  /** Bounds what this process executes at once, over all its limiters. */
  readonly workers: {
    /** True when the job may execute; else `begin` is called once it may. */
    take(job: Job, begin: (job: Job) => void): boolean;
    free(job: Job): void;
  };
}

/** What the scheduler needs of the limiter it belongs to; read at each use, since users change it. */
export interface SchedulerHost {
  readonly Promise: PromiseConstructorLike;
  readonly rejectOnDrop: boolean;
  readonly retryMode: 'hold' | 'requeue';
  /** Whether errors of jobs tell where the job was scheduled. */
  readonly traceJobs?: boolean;
  /** The limiter that tasks are passed on to, or null. */
  readonly extras?: SchedulerExtras;
  readonly chained: { schedule(options: object, task: unknown, ...args: unknown[]): unknown } | null;
}

export interface StopOptions {
  dropWaitingJobs: boolean;
  dropErrorMessage: string;
  enqueueErrorMessage: string;
}

/**
 * The life of jobs: from `receive` over the store's decisions to the settled promise, with all events on the way.
 * The only caller of the Store; knows nothing about Redis. Bottleneck's lifecycle and its events' order are reproduced
 * here, the limits are not: those are the store's.
 */
export class Scheduler {
  readonly states: JobStates<Job>;
  /** Set by `instrument()`; null while nobody watches. */
  instrument: Instrument | null = null;
  private readonly outbox = new Outbox();
  private readonly deadlines = new DeadlineHeap<JobDeadline>();
  private readonly timer: WakeupTimer;

  /** Jobs whose turn has come. */
  private readonly ready = new ReadyQueue();
  private runnerScheduled = false;
  /** Jobs whose turn has come while nobody knows whether their starts are still good. */
  private readonly unconfirmed = new Set<Job>();

  private stepInFlight = false;
  /** What the step in flight tells as completed. */
  private completing: readonly Ticket[] = NO_JOBS;
  /** When to take a step although nothing new came, or Infinity. */
  private stepDue = Number.POSITIVE_INFINITY;

  private readonly queuedByPriority: number[] = [];
  private queuedTotal = 0;
  private idleUnlessStarted = false;

  /** Set by stop() or disconnect(): jobs that reach their start are dropped with this message instead. */
  private dropMessage: string | null = null;
  private refuseMessage: string | null = null;
  private settledWaiters: Array<() => void> | null = null;
  private finishedWaiters: Array<() => void> | null = null;

  constructor(
    private readonly host: SchedulerHost,
    private readonly events: Events,
    private readonly store: Store,
    trackDone: boolean,
    private readonly clock: MonotonicClock,
  ) {
    this.states = new JobStates(trackDone);
    this.timer = new WakeupTimer(
      () => this.clock.now(),
      (due) => this.wake(due),
    );
    store.onNotice = (notice) => this.onNotice(notice);
  }

  // ---------------------------------------------------------------- receiving

  /** Takes a job in. Its promise tells the rest; false when it was refused at once. */
  receive(job: Job): boolean {
    if (this.refuseMessage !== null) return this.refuse(job, 'refused', this.refuseMessage);
    if (!job.anonymous && this.states.has(job.key)) return this.refuse(job, 'duplicate', duplicateMessage(job));
    const context = callerContext(job.promise, this.host.traceJobs === true);
    if (context !== null) job.context = context;
    this.states.add(job);
    const first = this.outbox.isEmpty;
    this.outbox.submit(job);
    if (this.events.has('received')) {
      this.events.emit('received', { args: job.args, options: job.options });
      job.readOptions();
    }
    if (this.instrument !== null) this.instrument.received?.(job);
    this.limitWait(job);
    if (first) this.scheduleFirst();
    return true;
  }

  private refuse(job: Job, reason: EndReason, message: string): false {
    this.instrument?.dropped?.(job, reason);
    job.reject(this.error(reason, message, job));
    return false;
  }

  /** Jobs waiting in the store's queue that belong to this limiter instance. */
  queued(priority?: number | null): number {
    return priority == null ? this.queuedTotal : (this.queuedByPriority[priority] ?? 0);
  }

  /** True when no job is received or queued. */
  empty(): boolean {
    return this.queuedTotal === 0 && this.states.counts[State.Received] === 0;
  }

  /** Resolves once the store has decided on everything received so far. */
  whenSettled(): Promise<void> {
    if (!this.stepInFlight && this.outbox.isEmpty) return Promise.resolve();
    return new Promise((resolve) => (this.settledWaiters ??= []).push(resolve));
  }

  /** Takes a step even when nothing new came: capacity may have appeared. */
  poke(): void {
    this.outbox.poked = true;
    this.schedulePump();
  }

  // ---------------------------------------------------------------- steps
  //
  // When steps are taken. A submission that finds nothing else to send goes alone and at once, so that an idle limiter
  // starts it without delay. All other news gathers until the next turn of the event loop (and until the step in flight
  // is answered) and goes together. So jobs that take no time have completed before what was scheduled behind them is
  // decided on, and timers due at one moment all fire before the next job starts: as with Bottleneck, whose every step
  // takes a turn or more. Only the completion of a job that began in this very turn need not wait for the next.

  private pump: 'none' | 'first' | 'soon' | 'next turn' = 'none';

  private scheduleFirst(): void {
    if (this.pump !== 'none' || this.stepInFlight) return;
    this.pump = 'first';
    inMicrotask(this.sendFirst);
  }

  /** Takes a step in the next turn of the event loop. */
  private schedulePump(): void {
    if (this.pump === 'next turn' || this.pump === 'soon' || this.stepInFlight) return;
    this.pump = 'next turn';
    turn.next(this.sendAll);
  }

  /** Takes a step as soon as the promises that are settled now have been heard. */
  private schedulePumpSoon(): void {
    if (this.pump === 'soon' || this.stepInFlight) return;
    this.pump = 'soon';
    inMicrotask(this.sendAll);
  }

  private readonly sendFirst = (): void => {
    if (this.pump !== 'first') return; // more came: it goes with the rest
    this.pump = 'none';
    this.takeStep(1);
  };

  private readonly sendAll = (): void => {
    this.pump = 'none';
    this.takeStep(this.store.maxBatch);
  };

  /** Hands the outbox to the store, one step at a time. */
  private takeStep(limit: number): void {
    if (this.stepInFlight || this.outbox.isEmpty) return;
    this.stepDue = Number.POSITIVE_INFINITY;
    this.stepInFlight = true;
    const step = this.outbox.take(limit);
    const outcome = this.instrument === null ? this.store.advance(step) : this.timedStep(step, this.instrument);
    if (!isPromise(outcome)) return this.finishStep(outcome);
    this.completing = step.completed;
    outcome.then(this.finishSentStep, this.failStep);
  }

  private readonly finishSentStep = (outcome: Outcome): void => {
    this.completing = NO_JOBS;
    this.finishStep(outcome);
    // A promise that lived long is freed late, with all that it holds.
    outcome.effects = [];
  };

  private timedStep(step: Step, { stepped }: Instrument): Outcome | Promise<Outcome> {
    const { submitted, completed, withdrawn, renewed } = step;
    const batchSize = submitted.length + completed.length + withdrawn.length + renewed.length;
    const begun = performance.now();
    const outcome = this.store.advance(step);
    if (stepped === undefined || !isPromise(outcome)) return outcome;
    return outcome.then((value) => {
      stepped({ duration: performance.now() - begun, batchSize });
      return value;
    });
  }

  private finishStep(outcome: Outcome): void {
    this.stepInFlight = false;
    this.takeNextBatch();
    this.applyAll(outcome.effects);
    if (this.stepInFlight) return; // its outcome tells the rest
    if (outcome.nextIn !== null) this.setStepDue(this.clock.now() + outcome.nextIn);
    // Nothing is left to wake up for, whatever the timer was once set to: it would keep the process alive.
    else if (this.timer.armed && this.states.unfinished === 0) this.timer.cancel();
    if (!this.outbox.isEmpty) this.schedulePump();
    else if (this.settledWaiters !== null) this.releaseSettledWaiters();
  }

  /** When a whole batch waits, Redis works on it while this process executes the one before. */
  private takeNextBatch(): void {
    if (this.store.synchronous || this.outbox.submissions < this.store.maxBatch) return;
    this.takeStep(this.store.maxBatch);
  }

  /** The store gave up on a step: only when it is disconnected. What waits is dropped there. */
  private readonly failStep = (error: unknown): void => {
    this.stepInFlight = false;
    for (const job of this.completing as readonly Job[]) if (job.state === State.Done) this.settle(job);
    this.completing = NO_JOBS;
    if (!this.disconnected) this.events.emit('error', error);
    this.releaseSettledWaiters();
  };

  private releaseSettledWaiters(): void {
    const waiters = this.settledWaiters;
    this.settledWaiters = null;
    for (const release of waiters ?? []) release();
  }

  private onNotice(notice: Notice): void {
    if (this.host.extras?.onNotice(notice)) return;
    switch (notice.kind) {
      case 'effects':
        return this.applyAll(notice.effects);
      case 'capacity':
        return this.poke();
      case 'message':
        return this.events.emit('message', notice.message);
      case 'debug':
        return this.events.emit('debug', notice.message, notice.data);
      case 'conflict': {
        const { differences } = notice;
        const names = Object.keys(differences).join(', ');
        return this.events.emit('debug', `Settings stored in Redis differ: ${names}`, differences);
      }
      case 'orphaned':
        return;
      case 'error':
        return this.events.emit('error', notice.error);
      case 'closed':
        return this.disconnect();
    }
  }

  private applyAll(effects: readonly Effect[]): void {
    for (const effect of effects) {
      const { context } = effect.ticket as Job;
      if (needsContext(context)) runFor(context, this.applyInContext, effect);
      else this.apply(effect);
    }
    this.tellIdleLate();
    if (!this.ready.isEmpty) this.scheduleRunner();
  }

  private readonly applyInContext = (effect: Effect): void => this.apply(effect);

  private apply(effect: Effect): void {
    const job = effect.ticket as Job;
    switch (effect.kind) {
      case 'queued':
        return this.onQueued(job, effect.reachedHighWater);
      case 'started':
        return this.onStarted(job, effect.wait, effect.reservoir);
      case 'returned':
        return this.onReturned(job);
      case 'completed':
        return this.onCompleted(job, effect.running);
      case 'dropped':
        this.drop(job, effect.reason, this.error(effect.reason, DROPPED, job));
        return this.decided(job, true);
      case 'overweight':
        return this.onOverweight(job, effect.maxConcurrent);
      case 'duplicate':
        this.drop(job, 'duplicate', this.error('duplicate', duplicateMessage(job), job));
        return this.decided(job, false);
      case 'cancelled':
        if (!this.cancel(job, this.error('cancelled', DROPPED, job))) this.host.extras?.onCancelled(job);
    }
  }

  /** The error for a job that the limiter itself rejects. */
  private error(reason: EndReason, message: string, job: Job): Error {
    return this.host.extras?.errorFor(reason, message, job) ?? new BottleneckError(message);
  }

  private onQueued(job: Job, reachedHighWater: boolean): void {
    // dropped while the store was taking it in
    if (job.state === null && job.place !== Place.Outside) this.withdraw(job);
    if (job.state === State.Received) {
      this.moveTo(job, State.Queued);
      if (this.events.has('queued')) {
        this.events.emit('queued', {
          args: job.args,
          options: job.options,
          reachedHWM: reachedHighWater,
          blocked: false,
        });
      }
    }
    this.decided(job, reachedHighWater);
    if (job.state === State.Queued) this.limitWait(job);
  }

  private onOverweight(job: Job, maxConcurrent: number): void {
    const message = `Impossible to add a job having a weight of ${job.weight} to a limiter having a maxConcurrent setting of ${maxConcurrent}`;
    const error = this.error('overweight', message, job);
    const { args, options } = job;
    if (this.events.has('debug')) this.events.emit('debug', `Could not queue ${options.id}`, { args, options, error });
    this.drop(job, 'overweight', error);
    this.decided(job, false);
  }

  private decided(job: Job, reachedHighWater: boolean): void {
    if (job.onDecided === null) return;
    job.onDecided(reachedHighWater);
    job.onDecided = null;
  }

  private onStarted(job: Job, wait: number, reservoir: number | null): void {
    // Another process started it, and the message was faster than the reply that takes it in.
    if (job.state === State.Received) this.onQueued(job, false);
    if (job.state === null) {
      // dropped while the store was starting it: give the slot back
      this.withdraw(job);
      return;
    }
    if (this.events.has('debug')) {
      this.events.emit('debug', `Drained ${job.options.id}`, { success: true, args: job.args, options: job.options });
    }
    this.idleUnlessStarted = false;
    if (job.state === State.Queued) this.moveTo(job, State.Running);
    const empty = this.empty();
    if (empty) this.events.emit('empty');
    if (reservoir === 0) this.events.emit('depleted', empty);
    this.beginAfter(job, Math.max(wait, this.backoffOf(job)));
  }

  /** ms that a job whose start was taken back between two attempts has still to wait for the next. */
  private backoffOf({ waitsToRetry, deadline }: Job): number {
    return waitsToRetry && deadline?.kind === 'start' ? deadline.at - this.clock.now() : 0;
  }

  /** Its slot went to others while this process was out of touch: it waits in the queue again. */
  private onReturned(job: Job): void {
    if (job.begun) return;
    this.unconfirmed.delete(job);
    this.ready.remove(job);
    this.host.extras?.workers.free(job);
    if (!job.waitsToRetry) job.forgetDeadline();
    this.moveTo(job, State.Queued);
    if (this.dropMessage !== null) {
      this.withdraw(job);
      this.drop(job, 'stopped', this.error('stopped', this.dropMessage, job));
    } else if (!job.waitsToRetry) this.limitWait(job);
  }

  private onCompleted(job: Job, running: number): void {
    if (this.events.has('debug')) {
      this.events.emit('debug', `Freed ${job.options.id}`, {
        args: job.args,
        options: job.options,
        retryCount: job.retryCount,
      });
    }
    if (running === 0 && this.queuedTotal === 0) {
      if (this.empty()) this.events.emit('idle');
      else this.idleUnlessStarted = true;
    }
    this.settle(job);
  }

  /** When the last running job ended, others were received but not decided on: idle after all, if none of them started. */
  private tellIdleLate(): void {
    if (!this.idleUnlessStarted || !this.empty()) return;
    this.idleUnlessStarted = false;
    this.events.emit('idle');
  }

  // ---------------------------------------------------------------- executing

  /** The job has its slot: executes it in `wait` ms, and sees to its expiration. */
  private beginAfter(job: Job, wait: number): void {
    if (this.events.has('scheduled')) this.events.emit('scheduled', { args: job.args, options: job.options });
    if (job.state === null) return; // dropped by a listener
    if (wait > 0) this.setDeadline(job, 'start', this.clock.now() + wait);
    else this.makeReady(job);
  }

  private makeReady(job: Job): void {
    job.forgetDeadline();
    this.ready.push(job);
  }

  private scheduleRunner(): void {
    if (this.runnerScheduled) return;
    this.runnerScheduled = true;
    inMicrotask(this.runReady);
  }

  /** Executes the jobs whose turn has come, giving the event loop a turn now and then. */
  private readonly runReady = (): void => {
    while (!this.ready.isEmpty) {
      if (!turn.hasTime()) {
        turn.next(this.runReady);
        return;
      }
      const job = this.ready.shift();
      turn.count();
      if (job.state === null) continue;
      if (this.store.mayBegin || this.disconnected) this.begin(job);
      else this.beginOnceConfirmed(job);
    }
    this.runnerScheduled = false;
  };

  private beginOnceConfirmed(job: Job): void {
    this.unconfirmed.add(job);
    if (this.unconfirmed.size > 1) return;
    const goOn = (): void => {
      for (const one of this.unconfirmed) if (one.state !== null) this.makeReady(one);
      this.unconfirmed.clear();
      if (!this.ready.isEmpty) this.scheduleRunner();
    };
    this.store.confirm().then(goOn, goOn);
  }

  private begin(job: Job): void {
    if (needsContext(job.context)) runFor(job.context, this.beginInContext, job);
    else this.beginHere(job);
  }

  private readonly beginInContext = (job: Job): void => this.beginHere(job);

  private beginHere(job: Job): void {
    const { extras } = this.host;
    if (extras === undefined || extras.workers.take(job, this.beginHeld)) this.execute(job);
    else this.holdBack(job);
  }

  /** The job has its slot in the fleet, but this process executes as much as it may. The slot is kept for it. */
  private holdBack(job: Job): void {
    const renewIn = job.expiration === null ? Number.POSITIVE_INFINITY : Math.max(1, job.expiration / 2);
    this.setDeadline(job, 'hold', Math.min(this.clock.now() + renewIn, this.host.extras!.waitsUntil(job)));
  }

  private readonly beginHeld = (job: Job): void => {
    this.renewSlot(job, 0);
    this.makeReady(job);
    this.scheduleRunner();
  };

  /** While the `failed` handlers decide, the store must not free the slot of a job that has expired. */
  private keepSlot(job: Job): void {
    if (job.expiration === null || this.store.synchronous) return;
    this.outbox.renewed.push({ ticket: job, expiresIn: UNTIL_DECIDED });
    this.schedulePump();
  }

  /** The store must not free the slot of a job that begins only in `delay` ms. */
  private renewSlot(job: Job, delay: number): void {
    if (job.expiration === null) return;
    this.outbox.renewed.push({ ticket: job, expiresIn: delay + job.expiration });
    this.schedulePump();
  }

  private execute(job: Job): void {
    if (this.dropMessage !== null && job.state === State.Running) return;
    if (job.state !== State.Executing) this.moveTo(job, State.Executing);
    if (job.waitsToRetry) job.waitsToRetry = false;
    const attempt = ++job.attempt;
    job.turn = turn.current;
    if (job.expiration !== null) this.setDeadline(job, 'expire', this.clock.now() + job.expiration);
    if (this.instrument !== null) this.instrument.executing?.(job);
    if (this.events.has('executing')) this.events.emit('executing', eventInfo(job));
    let result: unknown;
    try {
      result =
        this.instrument?.around === undefined ? this.call(job) : this.instrument.around(job, () => this.call(job));
    } catch (error) {
      result = Promise.reject(error);
    }
    // Also for plain values: what the job's promise resolves to must be able to run before the next job begins.
    const outcome = isPromise(result) ? result : settledPromise.then(() => result);
    outcome.then(
      (value: unknown) => this.succeed(job, attempt, value),
      (error: unknown) => this.fail(job, attempt, error),
    );
  }

  private call(job: Job): unknown {
    const { chained } = this.host;
    return chained === null ? job.call() : chained.schedule(job.options, job.task, ...job.args);
  }

  private succeed(job: Job, attempt: number, value: unknown): void {
    if (job.attempt !== attempt) return; // the attempt expired before
    if (this.instrument !== null) this.instrument.attempted?.(job, null);
    this.host.extras?.workers.free(job);
    this.finish(job, false, value);
  }

  /** An attempt failed or expired. The `failed` handlers decide whether there is another. */
  private fail(job: Job, attempt: number, error: unknown): void {
    if (job.attempt !== attempt) return;
    this.host.extras?.workers.free(job);
    job.attempt++;
    job.forgetDeadline();
    addTrace(error, job.context);
    if (this.instrument !== null) this.instrument.attempted?.(job, { error });
    if (!this.events.has('failed')) {
      this.finish(job, true, error);
      return;
    }
    this.keepSlot(job);
    void this.events.trigger('failed', error, eventInfo(job)).then((retry) => {
      if (retry === null || retry === undefined) this.finish(job, true, error);
      else this.retry(job, ~~retry);
    });
  }

  private retry(job: Job, retryAfter: number): void {
    this.events.emit('retry', `Retrying ${job.options.id} after ${retryAfter} ms`, eventInfo(job));
    job.retryCount++;
    if (this.instrument !== null) this.instrument.retried?.(job);
    if (this.host.retryMode === 'requeue') {
      this.requeue(job, retryAfter);
      return;
    }
    job.waitsToRetry = true;
    this.renewSlot(job, Math.max(0, retryAfter));
    this.beginAfter(job, Math.max(0, retryAfter));
    if (!this.ready.isEmpty) this.scheduleRunner();
  }

  /** The next attempt obeys the limits: the slot is given back and the job waits in the queue again. */
  private requeue(job: Job, delay: number): void {
    this.withdraw(job);
    this.moveTo(job, State.Queued);
    if (this.dropMessage !== null) {
      const reason = this.disconnected ? 'disconnected' : 'stopped';
      this.drop(job, reason, this.error(reason, this.dropMessage, job));
      return;
    }
    job.delay = Math.max(0, delay);
    this.outbox.submit(job);
    this.limitWait(job);
    this.schedulePump();
  }

  private finish(job: Job, failed: boolean, result: unknown): void {
    job.attempt++;
    job.forgetDeadline();
    if (failed) job.failed = true;
    job.result = result;
    this.moveTo(job, State.Done);
    if (this.instrument !== null) this.instrument.done?.(job);
    if (this.events.has('done')) this.events.emit('done', eventInfo(job));
    if (this.finishedWaiters !== null) this.checkFinished();
    this.outbox.complete(job);
    if (this.disconnected) this.settle(job);
    else if (this.store.synchronous && job.turn === turn.current && turn.hasTime()) this.schedulePumpSoon();
    else this.schedulePump();
  }

  private settle(job: Job): void {
    job.state = null;
    if (job.failed) job.reject(job.result);
    else job.resolve(job.result);
  }

  // ---------------------------------------------------------------- deadlines

  private setDeadline(job: Job, kind: JobDeadline['kind'], at: number): void {
    if (at === Number.POSITIVE_INFINITY) return;
    const deadline: JobDeadline = { at, order: 0, kind, job };
    job.deadline = deadline;
    this.deadlines.push(deadline);
    this.timer.wakeAt(at);
    if (this.deadlines.size > 64 && this.deadlines.size > 4 * this.liveDeadlines()) {
      this.deadlines.filter((entry) => entry.job.deadline === entry);
    }
  }

  private limitWait(job: Job): void {
    const { extras } = this.host;
    if (extras !== undefined) this.setDeadline(job, 'wait', extras.beginsToWait(job));
  }

  private liveDeadlines(): number {
    if (this.host.extras !== undefined) return this.states.unfinished;
    return this.states.counts[State.Running]! + this.states.counts[State.Executing]!;
  }

  private setStepDue(at: number): void {
    this.stepDue = at;
    this.timer.wakeAt(at);
  }

  private wake(due: number): void {
    this.clock.reach(due);
    for (let next = this.deadlines.peek(); next !== undefined && next.at <= due; next = this.deadlines.peek()) {
      this.deadlines.pop();
      if (next.job.deadline !== next) continue;
      if (needsContext(next.job.context)) runFor(next.job.context, this.reachInContext, next);
      else this.reachDeadline(next);
    }
    if (this.stepDue <= due) {
      this.stepDue = Number.POSITIVE_INFINITY;
      this.poke();
    }
    this.rearm();
    if (!this.ready.isEmpty) this.scheduleRunner();
  }

  private readonly reachInContext = (deadline: JobDeadline): void => this.reachDeadline(deadline);

  private reachDeadline({ kind, job }: JobDeadline): void {
    job.forgetDeadline();
    if (kind === 'start') {
      if (job.state !== State.Queued) this.makeReady(job);
      return;
    }
    if (kind === 'expire') {
      const message = `This job timed out after ${job.expiration} ms.`;
      return this.fail(job, job.attempt, this.error('expired', message, job));
    }
    if (kind === 'wait' || this.host.extras!.waitsUntil(job) <= this.clock.now()) {
      this.cancel(job, this.error('waited too long', DROPPED, job), 'waited too long');
      return;
    }
    this.renewSlot(job, 0);
    this.holdBack(job);
  }

  /** Sets the timer for what is still to come, skipping what is stale; none when nothing is. */
  private rearm(): void {
    let next = this.deadlines.peek();
    while (next !== undefined && next.job.deadline !== next) {
      this.deadlines.pop();
      next = this.deadlines.peek();
    }
    const at = Math.min(next?.at ?? Number.POSITIVE_INFINITY, this.stepDue);
    if (at !== Number.POSITIVE_INFINITY) this.timer.wakeAt(at);
  }

  // ---------------------------------------------------------------- dropping and ending

  private disconnected = false;

  /** For good: the store takes nothing any more. */
  get isDisconnected(): boolean {
    return this.disconnected;
  }

  /** Ends a job that has not executed. Returns false when it is past that. */
  private drop(job: Job, reason: EndReason, error: Error): boolean {
    if (job.state === null || job.state === State.Executing || job.state === State.Done) return false;
    this.leaveQueue(job);
    this.states.remove(job, job.state);
    job.state = null;
    job.forgetDeadline();
    this.host.extras?.workers.free(job);
    addTrace(error, job.context);
    if (this.instrument !== null) this.instrument.dropped?.(job, reason);
    if (this.host.rejectOnDrop) job.reject(error);
    if (needsContext(job.context)) runFor(job.context, this.tellDropped, job);
    else this.tellDropped(job);
    if (this.finishedWaiters !== null) this.checkFinished();
    return true;
  }

  private readonly tellDropped = (job: Job): void => {
    this.events.emit('dropped', { args: job.args, options: job.options, task: job.task, promise: job.promise });
  };

  /** Ends a job that does not execute yet, and takes it out of the store. False when it is past that. */
  cancel(job: Job, error: Error, reason: EndReason = 'cancelled'): boolean {
    const known = job.place !== Place.Outside;
    if (!this.drop(job, reason, error)) return false;
    this.decided(job, false);
    this.outbox.keepSubmitted((ticket) => ticket !== job);
    if (known) this.withdraw(job);
    return true;
  }

  private withdraw(job: Job): void {
    this.outbox.withdrawn.push(job);
    this.schedulePump();
  }

  /** Drops every job that does not execute yet and takes it out of the store. */
  private dropWaiting(message: string, reason: EndReason): void {
    for (const job of this.states.jobsBefore(State.Executing)) {
      const known = job.place !== Place.Outside;
      if (!this.drop(job, reason, this.error(reason, message, job))) continue;
      this.decided(job, false);
      if (known) this.outbox.withdrawn.push(job);
    }
    this.outbox.keepSubmitted((ticket) => (ticket as Job).state !== null);
    if (!this.outbox.isEmpty) this.schedulePump();
  }

  /** Refuses new jobs from now on; drops the waiting ones, or lets them run. Resolves once all jobs have ended. */
  async stop(options: StopOptions): Promise<void> {
    this.refuseMessage = options.enqueueErrorMessage;
    if (options.dropWaitingJobs) {
      this.dropMessage = options.dropErrorMessage;
      this.dropWaiting(options.dropErrorMessage, 'stopped');
    }
    await this.whenFinished();
    // Bottleneck waits in a job of its own, which is counted as done.
    if (!options.dropWaitingJobs) this.states.countDone();
    // Withdrawn and finished tickets have left the store before stop() says so.
    if (!this.disconnected) await this.whenSettled();
  }

  private whenFinished(): Promise<void> {
    if (this.states.unfinished === 0) return Promise.resolve();
    return new Promise((resolve) => (this.finishedWaiters ??= []).push(resolve));
  }

  private checkFinished(): void {
    if (this.states.unfinished > 0) return;
    const waiters = this.finishedWaiters;
    this.finishedWaiters = null;
    for (const resolve of waiters ?? []) resolve();
  }

  /** For good: drops what waits, lets what executes settle without the store. */
  disconnect(): void {
    if (this.disconnected) return;
    this.refuseMessage ??= DISCONNECTED;
    this.dropMessage ??= DISCONNECTED;
    this.dropWaiting(DISCONNECTED, 'disconnected');
    this.disconnected = true;
    for (const job of this.outbox.completed) this.settle(job as Job);
    this.stepDue = Number.POSITIVE_INFINITY;
    this.timer.cancel();
    this.rearm();
  }

  private moveTo(job: Job, to: State): void {
    const from = job.state!;
    if (to === State.Queued) {
      this.queuedTotal++;
      this.queuedByPriority[job.priority] = (this.queuedByPriority[job.priority] ?? 0) + 1;
    } else this.leaveQueue(job);
    job.state = to;
    this.states.move(job, from, to);
  }

  private leaveQueue(job: Job): void {
    if (job.state !== State.Queued) return;
    this.queuedTotal--;
    this.queuedByPriority[job.priority]!--;
  }
}

const settledPromise = Promise.resolve();

function duplicateMessage(job: Job): string {
  return `A job with the same id already exists (id=${job.options.id})`;
}

function eventInfo(job: Job): { args: unknown[]; options: Job['options']; retryCount: number } {
  return { args: job.args, options: job.options, retryCount: job.retryCount };
}

function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
