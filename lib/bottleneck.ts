import { Batcher } from './batcher';
import { MonotonicClock } from './clock';
import { BottleneckError } from './errors';
import { Events } from './events';
import { explain } from './explain/explain';
import { Group } from './group';
import { bad, jobOptions, NO_ID, settingsPatch, storeSettings } from './options';
import { definePrivateMembers } from './private-members';
import { Job, type Task } from './scheduler/job';
import { STATE_NAMES, type StateName } from './scheduler/job-states';
import { Scheduler, type StopOptions } from './scheduler/scheduler';
import { keepShapes } from './shapes';
import { createStore } from './store/create-store';
import { Strategy } from './store/memory/transitions';
import type { Store, StoreSettings } from './store/store';
import { version } from './version';

// biome-ignore lint/suspicious/noExplicitAny: the public types are types/bottleneck.d.ts; here anything may come in
type Any = any;
type Options = Record<string, Any>;

const STOP_DEFAULTS: StopOptions = {
  enqueueErrorMessage: 'This limiter has been stopped and cannot accept new jobs.',
  dropWaitingJobs: true,
  dropErrorMessage: 'This limiter has been stopped.',
};

/**
 * The facade: Bottleneck's API, turned into calls of the scheduler. No timer and no limit is in here.
 *
 * Public members are declared and documented in `types/bottleneck.d.ts`; members that begin with `_` and that
 * Bottleneck's own tests reach for are in `private-members.ts`.
 */
export class Bottleneck {
  static default: typeof Bottleneck;
  static readonly version = version;
  static readonly strategy = {
    LEAK: Strategy.LEAK,
    OVERFLOW: Strategy.OVERFLOW,
    OVERFLOW_PRIORITY: Strategy.OVERFLOW_PRIORITY,
    BLOCK: Strategy.BLOCK,
  };
  static readonly Status = Object.fromEntries(STATE_NAMES.map((name) => [name, name])) as Record<StateName, StateName>;
  static readonly BottleneckError = BottleneckError;
  static readonly Group = Group;
  static readonly Batcher = Batcher;
  static readonly Events = Events;
  static RedisConnection: Any;
  static IORedisConnection: Any;

  id: string;
  datastore: string;
  connection: Any;
  rejectOnDrop: boolean;
  trackDoneStatus: boolean;
  Promise: Any;
  retryMode: 'hold' | 'requeue';
  traceJobs: boolean;
  declare Events: Events;
  declare on: (name: string, listener: (...args: Any[]) => Any) => this;
  declare once: (name: string, listener: (...args: Any[]) => Any) => this;
  declare removeAllListeners: (name?: string | null) => this;

  /** @internal The limiter that jobs are passed on to. */
  _limiter: Any = null;
  /** @internal Made when it is first needed. */
  _core: { engine: Store; scheduler: Scheduler } | null = null;
  /** @internal */
  readonly _settings: StoreSettings;
  /** @internal */
  readonly _clock = new MonotonicClock();
  /** @internal Reservoir intervals count from here. */
  readonly _createdAt: number;
  /** @internal Constructor options as given; what the store keeps in `_store` comes from there. */
  readonly _options: Options;
  /** @internal The id the store works under: `updateSettings({ id })` changes only the name. */
  readonly _originalId: string;
  /** @internal */
  _stopped = false;

  constructor(options: Options = {}, ...invalid: unknown[]) {
    if (typeof options !== 'object' || options === null || invalid.length > 0) {
      throw new BottleneckError(
        "Bottleneck v2 takes a single object argument. Refer to https://github.com/SGrondin/bottleneck#upgrading-to-v2 if you're upgrading from Bottleneck v1.",
      );
    }
    this.id = options.id ?? NO_ID;
    this.rejectOnDrop = options.rejectOnDrop ?? true;
    this.trackDoneStatus = options.trackDoneStatus ?? false;
    this.Promise = options.Promise ?? Promise;
    this.retryMode = retryModeOf(options.retryMode);
    this.traceJobs = traceJobsOf(options.traceJobs);
    this._originalId = this.id;
    this._options = options;
    this.Events = new Events(this);
    this._settings = storeSettings(options);
    this._createdAt = this._clock.now();
    this.datastore = options.datastore ?? 'local';
    this.connection = options.connection ?? null;
    // A local limiter costs nothing to speak of before its first job; one on Redis connects now.
    if (this.datastore !== 'local' || this.connection !== null) this._open();
  }

  /** @internal */
  get _engine(): Store {
    return (this._core ?? this._open()).engine;
  }

  /** @internal */
  get _scheduler(): Scheduler {
    return (this._core ?? this._open()).scheduler;
  }

  /** @internal */
  _open(): { engine: Store; scheduler: Scheduler } {
    const { store, connection, datastore } = createStore({
      id: this._originalId,
      datastore: this.datastore,
      connection: this.connection,
      settings: this._settings,
      options: this._options,
      Promise: this.Promise,
      events: this.Events,
      randomId: randomIndex,
      clock: this._clock,
      createdAt: this._createdAt,
    });
    this.connection = connection;
    this.datastore = datastore;
    this._core = {
      engine: store,
      scheduler: new Scheduler(this, this.Events, store, this.trackDoneStatus, this._clock),
    };
    return this._core;
  }

  /** @internal What the scheduler asks for. */
  get chained(): Any {
    return this._limiter;
  }

  ready(): Any {
    return this._engine.ready;
  }

  clients(): Any {
    return (this._engine as Any).clients ?? {};
  }

  channel(): string {
    return `b_${this.id}`;
  }

  channel_client(): string {
    return `b_${this.id}_${this._engine.clientId}`;
  }

  publish(message: Any): Any {
    return this._promise(this._engine.publish(String(message)));
  }

  disconnect(flush = true): Any {
    if (!this._engine.synchronous) this._scheduler.disconnect();
    return this._promise(this._engine.disconnect(flush));
  }

  chain(limiter?: Any): this {
    this._limiter = limiter ?? null;
    return this;
  }

  queued(priority?: number | null): number {
    return this._scheduler.queued(priority);
  }

  clusterQueued(): Any {
    return this._read(() => this._engine.queued());
  }

  empty(): boolean {
    return this._scheduler.empty();
  }

  running(): Any {
    return this._read(() => this._engine.running());
  }

  done(): Any {
    return this._read(() => this._engine.done());
  }

  check(weight = 1): Any {
    return this._read(() => this._engine.check(weight));
  }

  jobStatus(id: Any): StateName | null {
    return this._scheduler.states.status(String(id));
  }

  jobs(status?: Any): string[] {
    return this._scheduler.states.ids(status);
  }

  counts(): Record<string, number> {
    return this._scheduler.states.countsByName();
  }

  /** Not a read like the others: it answers also when the store does not. */
  explain(jobId?: Any): Any {
    const { _scheduler: scheduler, _engine: store, _clock: clock, _limiter: chained } = this;
    return this._promise(explain({ scheduler, store, clock, chained }, jobId == null ? undefined : String(jobId)));
  }

  currentReservoir(): Any {
    return this._read(() => this._engine.reservoir());
  }

  incrementReservoir(by = 0): Any {
    if (typeof by !== 'number' || Number.isNaN(by))
      return this._promise(Promise.reject(bad('increment', 'a number', by)));
    return this._read(() => this._engine.incrementReservoir(by));
  }

  updateSettings(options: Options = {}): Any {
    return this._promise(this._updateSettings(options));
  }

  /** @internal */
  async _updateSettings(options: Options): Promise<this> {
    const patch = settingsPatch(options);
    await this._scheduler.whenSettled();
    await this._engine.updateSettings(patch);
    for (const name of ['id', 'rejectOnDrop', 'trackDoneStatus', 'Promise'] as const) {
      if (options[name] !== undefined) (this as Any)[name] = options[name];
    }
    if (options.retryMode !== undefined) this.retryMode = retryModeOf(options.retryMode);
    if (options.traceJobs !== undefined) this.traceJobs = traceJobsOf(options.traceJobs);
    return this;
  }

  schedule(...args: Any[]): Any {
    let job: Job;
    try {
      job =
        typeof args[0] === 'function'
          ? this._newJob(args[0], argsFrom(1, args), null)
          : this._newJob(args[1], argsFrom(2, args), args[0]);
    } catch (error) {
      return this._promise(Promise.reject(error));
    }
    this._scheduler.receive(job);
    return job.promise;
  }

  /** The callback form. Resolves, once the limiter has decided on the job, to whether the queue was full. */
  submit(...args: Any[]): Any {
    const options = typeof args[0] === 'function' ? undefined : args.shift();
    const fn = args.shift();
    const callback = args.pop();
    const task = (...taskArgs: Any[]): Any =>
      new this.Promise((resolve: (value: Any) => void, reject: (error: Any) => void) => {
        fn(...taskArgs, (...results: Any[]) => (results[0] != null ? reject : resolve)(results));
      });
    let job: Job;
    try {
      if (typeof fn !== 'function') throw bad('job', 'a function', fn);
      job = this._newJob(task, argsFrom(0, args), options);
    } catch (error) {
      callback?.(error);
      return this._promise(Promise.resolve(false));
    }
    job.promise.then(
      (results) => callback?.(...(results as Any[])),
      (error) => (Array.isArray(error) ? callback?.(...error) : callback?.(error)),
    );
    return new this.Promise((resolve: (value: boolean) => void) => {
      job.onDecided = resolve;
      if (!this._scheduler.receive(job)) resolve(false);
    });
  }

  wrap(fn: Any): Any {
    const schedule = this.schedule.bind(this);
    const wrapped = function (this: unknown, ...args: Any[]): Any {
      return schedule(fn.bind(this), ...args);
    };
    wrapped.withOptions = (options: Options, ...args: Any[]): Any => schedule(options, fn, ...args);
    return wrapped;
  }

  stop(options: Options = {}): Any {
    if (this._stopped) return this._promise(Promise.reject(new BottleneckError('stop() has already been called')));
    this._stopped = true;
    return this._promise(
      this._scheduler.stop({
        dropWaitingJobs: options.dropWaitingJobs ?? STOP_DEFAULTS.dropWaitingJobs,
        dropErrorMessage: options.dropErrorMessage ?? STOP_DEFAULTS.dropErrorMessage,
        enqueueErrorMessage: options.enqueueErrorMessage ?? STOP_DEFAULTS.enqueueErrorMessage,
      }),
    );
  }

  /** @internal Whether a Group may let go of this limiter: nothing waits or runs, and its `timeout` has passed. */
  async _isIdleSince(now: number): Promise<boolean> {
    return this._scheduler.states.unfinished === 0 && this._engine.isExpired(now);
  }

  /** @internal */
  _newJob(task: Task, args: unknown[] | null, options: Options | null | undefined): Job {
    if (typeof task !== 'function') throw bad('job', 'a function', task);
    const job = new Job(task, args, options == null ? DEFAULT_JOB_OPTIONS : jobOptions(options));
    job.promise = new this.Promise(noteResolve);
    job.resolve = notedResolve!;
    notedResolve = null;
    return job;
  }

  /** @internal Reads after all that was scheduled before has been decided on. */
  _read<T>(read: () => Promise<T>): Any {
    return this._promise(this._scheduler.whenSettled().then(read));
  }

  /** @internal Gives a promise of the class the user asked for. */
  _promise<T>(promise: Promise<T>): Any {
    return this.Promise === Promise
      ? promise
      : new this.Promise((resolve: Any, reject: Any) => promise.then(resolve, reject));
  }
}

const DEFAULT_JOB_OPTIONS = Object.freeze(jobOptions({}));

/** Hands `resolve` from a promise's constructor to the job: a closure for each job would cost more than the promise. */
function noteResolve(resolve: (value: unknown) => void): void {
  notedResolve = resolve;
}
let notedResolve: ((value: unknown) => void) | null = null;

/** The arguments from the given one on; null for none. */
function argsFrom(first: number, args: unknown[]): unknown[] | null {
  return args.length > first ? args.slice(first) : null;
}

export function randomIndex(): string {
  return Math.random().toString(36).slice(2);
}

function retryModeOf(value: unknown): 'hold' | 'requeue' {
  if (value === undefined || value === null || value === 'hold') return 'hold';
  if (value === 'requeue') return value;
  throw bad('retryMode', '"hold" or "requeue"', value);
}

function traceJobsOf(value: unknown): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? false;
  throw bad('traceJobs', 'true or false', value);
}

Bottleneck.default = Bottleneck;
Group.Bottleneck = Bottleneck;
definePrivateMembers(Bottleneck);
keepShapes(Bottleneck);

/** The statics are on instances too, as with Bottleneck; those of the Redis connections when an entry sets them. */
export function shareStatics(names: ReadonlyArray<keyof typeof Bottleneck>): void {
  for (const name of names) {
    Object.defineProperty(Bottleneck.prototype, name, { value: Bottleneck[name], writable: true, configurable: true });
  }
}

shareStatics(['version', 'strategy', 'BottleneckError', 'Group', 'Batcher']);
