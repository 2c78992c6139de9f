/*
 * The public declarations, written by hand: what the class offers, and nothing of how it works.
 *
 * Three rules hold here, and types/ tests them:
 * - no private and no protected member, since one makes a class nominal and breaks code typed for Bottleneck;
 * - what Bottleneck 2.19.5 declares keeps its name and shape, in both directions of assignment;
 * - option bags are type aliases, since an interface is not assignable to a Record.
 */

import Resident = require('./resident.js');

/** A rate limiter and task scheduler: runs jobs when the limits given to it allow. */
declare class Bottleneck {
  /** Strategies for {@link Bottleneck.ConstructorOptions.strategy}. */
  static readonly strategy: {
    /**
     * Drops the oldest job of the lowest priority in the queue to make room for the new one. When all that wait are
     * more important than the new one, the new one is dropped.
     */
    readonly LEAK: Bottleneck.Strategy;
    /** As LEAK, but drops a waiting job only if it is less important than the new one. */
    readonly OVERFLOW_PRIORITY: Bottleneck.Strategy;
    /** Drops the new job, whatever its priority. */
    readonly OVERFLOW: Bottleneck.Strategy;
    /**
     * Drops the new job and all that wait, and refuses every job until {@link Bottleneck.ConstructorOptions.penalty}
     * milliseconds have passed without a submission.
     */
    readonly BLOCK: Bottleneck.Strategy;
  };

  /** Version of the package, for example `"1.0.0"`. */
  static readonly version: string;

  /**
   * @throws {Bottleneck.BottleneckError} for a second argument, for an unknown `datastore`, and for values that make no
   * sense: NaN, a negative limit, text where a number is meant.
   */
  constructor(options?: Bottleneck.ConstructorOptions);

  /** Name of the limiter. Limiters of one id on one Redis share their limits and their queue. */
  id: string;
  /** `"local"`, `"redis"` or `"ioredis"`. */
  datastore: string;
  /** Connection to Redis; undefined or null for a local limiter. */
  connection?: Bottleneck.RedisConnection | Bottleneck.IORedisConnection;

  /** Resolves once the limiter can take jobs; rejects if it cannot be set up. Waiting for it is never necessary. */
  ready(): Promise<any>;

  /** The clients of the Redis library in use: empty for a local limiter. */
  clients(): Bottleneck.ClientsList;

  /** Redis channel of the limiter. */
  channel(): string;

  /**
   * Closes the connections to Redis, unless the limiter was given its `connection`, and stops the limiter's timers.
   * @param flush Whether commands on their way are waited for, for a few seconds at most. Default true.
   */
  disconnect(flush?: boolean): Promise<void>;

  /**
   * Sends text to all limiters of this id in all processes: each triggers its `message` event.
   */
  publish(message: string): Promise<void>;

  /** How many jobs of this limiter in this process are in each state. `DONE` only with `trackDoneStatus`. */
  counts(): Bottleneck.Counts;

  /** State of a job in this process. At run time `null` for an id that is unknown. */
  jobStatus(id: string): Bottleneck.Status;

  /**
   * Ids of the jobs in this process.
   * @param status Only those in this state. Default: all.
   */
  jobs(status?: Bottleneck.Status | Bottleneck.StatusName): string[];

  /**
   * How many jobs of this process wait in the queue.
   * @param priority Only those of this priority. Default: all.
   */
  queued(priority?: number): number;

  /** How many jobs wait in the queue, over all processes. */
  clusterQueued(): Promise<number>;

  /** Whether this process has no job that is received or queued. */
  empty(): boolean;

  /** Total weight of the jobs that are running or executing, over all processes. */
  running(): Promise<number>;

  /** Total weight of the jobs that are done, over all processes. */
  done(): Promise<number>;

  /**
   * Whether a job would start at once if it came now.
   * @param weight Weight of that job. Default 1.
   */
  check(weight?: number): Promise<boolean>;

  /**
   * Tells why a job is not running now: which limit holds it, since when, what it waits for and when it could start at
   * the earliest, in words and as data. Without an id: why the next job is not. Changes nothing, and answers (within
   * about a second) also when Redis does not.
   *
   * Not in Bottleneck, and declared as optional so that a limiter of Bottleneck's type still passes for one of ours:
   * write `limiter.explain?.(id)`. At run time it is always there.
   * @param jobId Of a job that was scheduled in this process.
   */
  explain?(jobId?: string): Promise<Bottleneck.Explanation>;

  /** Something failed that no job can be told of: a listener, the connection to Redis. */
  on(name: 'error', fn: (error: any) => void): void;
  /** The queue has become empty. */
  on(name: 'empty', fn: () => void): void;
  /** The queue is empty and nothing runs any more. */
  on(name: 'idle', fn: () => void): void;
  /** The reservoir has come to 0. `empty` tells whether the queue is empty too. */
  on(name: 'depleted', fn: (empty: boolean) => void): void;
  /** Some limiter of this id has called {@link publish}. */
  on(name: 'message', fn: (message: string) => void): void;
  /** Everything that happens, in words. */
  on(name: 'debug', fn: (message: string, info: any) => void): void;
  /** A strategy or {@link stop} has dropped a job. */
  on(name: 'dropped', fn: (dropped: Bottleneck.EventInfoDropped) => void): void;
  /** A job was submitted. */
  on(name: 'received', fn: (info: Bottleneck.EventInfo) => void): void;
  /** A job has entered the queue. */
  on(name: 'queued', fn: (info: Bottleneck.EventInfoQueued) => void): void;
  /** A job has left the queue: it will run as soon as `minTime` allows. */
  on(name: 'scheduled', fn: (info: Bottleneck.EventInfo) => void): void;
  /** The function of a job is called. */
  on(name: 'executing', fn: (info: Bottleneck.EventInfoRetryable) => void): void;
  /** A job has thrown, rejected or expired. A number that the listener returns asks for a retry after that many milliseconds. */
  on(
    name: 'failed',
    fn: (error: any, info: Bottleneck.EventInfoRetryable) => Promise<number | void | null> | number | void | null,
  ): void;
  /** A `failed` listener has asked for a retry. */
  on(name: 'retry', fn: (message: string, info: Bottleneck.EventInfoRetryable) => void): void;
  /** A job has ended, well or with an error. */
  on(name: 'done', fn: (info: Bottleneck.EventInfoRetryable) => void): void;

  /* As `on`, for the next event only. */
  once(name: 'error', fn: (error: any) => void): void;
  once(name: 'empty', fn: () => void): void;
  once(name: 'idle', fn: () => void): void;
  once(name: 'depleted', fn: (empty: boolean) => void): void;
  once(name: 'message', fn: (message: string) => void): void;
  once(name: 'debug', fn: (message: string, info: any) => void): void;
  once(name: 'dropped', fn: (dropped: Bottleneck.EventInfoDropped) => void): void;
  once(name: 'received', fn: (info: Bottleneck.EventInfo) => void): void;
  once(name: 'queued', fn: (info: Bottleneck.EventInfoQueued) => void): void;
  once(name: 'scheduled', fn: (info: Bottleneck.EventInfo) => void): void;
  once(name: 'executing', fn: (info: Bottleneck.EventInfoRetryable) => void): void;
  once(
    name: 'failed',
    fn: (error: any, info: Bottleneck.EventInfoRetryable) => Promise<number | void | null> | number | void | null,
  ): void;
  once(name: 'retry', fn: (message: string, info: Bottleneck.EventInfoRetryable) => void): void;
  once(name: 'done', fn: (info: Bottleneck.EventInfoRetryable) => void): void;

  /**
   * Removes listeners.
   * @param name Only those of this event. Default: all.
   */
  removeAllListeners(name?: string): void;

  /**
   * Changes settings; those that are not named stay. On Redis they change for all processes.
   *
   * At run time this gives a promise of the limiter, so that it may be awaited; the declared type is Bottleneck's.
   */
  updateSettings(options?: Bottleneck.ConstructorOptions): Bottleneck;

  /**
   * Adds to the reservoir.
   * @param incrementBy May be negative.
   * @returns the new value
   */
  incrementReservoir(incrementBy: number): Promise<number>;

  /** What is left in the reservoir, or null without one. */
  currentReservoir(): Promise<number | null>;

  /**
   * Shuts the limiter down: it refuses new jobs, and the promise resolves when the last job has ended. What happens to
   * jobs that wait is an option.
   * @returns a promise that rejects with a BottleneckError on a second call
   */
  stop(options?: Bottleneck.StopOptions): Promise<void>;

  /**
   * Makes the jobs of this limiter also obey another: what this one starts is scheduled on that one. Without an
   * argument (or with null) the chain is undone.
   * @returns this limiter
   */
  chain(limiter?: Bottleneck | null): Bottleneck;

  /*
   * Bottleneck declares the next three once for each number of arguments from 0 to 10, and code gives the type
   * arguments explicitly: so these stay, and one for any number of arguments follows. It must not come first: it would
   * take `wrap<R, A1>` for itself wherever A1 is an array.
   */

  /**
   * Makes a limited function of `fn`: a call of it schedules a call of `fn` with the same `this` and arguments.
   */
  wrap<R>(fn: () => R | PromiseLike<R>): Bottleneck.Wrapped<[], R>;
  wrap<R, A1>(fn: (arg1: A1) => R | PromiseLike<R>): Bottleneck.Wrapped<[arg1: A1], R>;
  wrap<R, A1, A2>(fn: (arg1: A1, arg2: A2) => R | PromiseLike<R>): Bottleneck.Wrapped<[arg1: A1, arg2: A2], R>;
  wrap<R, A1, A2, A3>(
    fn: (arg1: A1, arg2: A2, arg3: A3) => R | PromiseLike<R>,
  ): Bottleneck.Wrapped<[arg1: A1, arg2: A2, arg3: A3], R>;
  wrap<R, A1, A2, A3, A4>(
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4) => R | PromiseLike<R>,
  ): Bottleneck.Wrapped<[arg1: A1, arg2: A2, arg3: A3, arg4: A4], R>;
  wrap<R, A1, A2, A3, A4, A5>(
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5) => R | PromiseLike<R>,
  ): Bottleneck.Wrapped<[arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5], R>;
  wrap<R, A1, A2, A3, A4, A5, A6>(
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6) => R | PromiseLike<R>,
  ): Bottleneck.Wrapped<[arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6], R>;
  wrap<R, A1, A2, A3, A4, A5, A6, A7>(
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6, arg7: A7) => R | PromiseLike<R>,
  ): Bottleneck.Wrapped<[arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6, arg7: A7], R>;
  wrap<R, A1, A2, A3, A4, A5, A6, A7, A8>(
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6, arg7: A7, arg8: A8) => R | PromiseLike<R>,
  ): Bottleneck.Wrapped<[arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6, arg7: A7, arg8: A8], R>;
  wrap<R, A1, A2, A3, A4, A5, A6, A7, A8, A9>(
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      arg8: A8,
      arg9: A9,
    ) => R | PromiseLike<R>,
  ): Bottleneck.Wrapped<[arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6, arg7: A7, arg8: A8, arg9: A9], R>;
  wrap<R, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10>(
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      arg8: A8,
      arg9: A9,
      arg10: A10,
    ) => R | PromiseLike<R>,
  ): Bottleneck.Wrapped<
    [arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6, arg7: A7, arg8: A8, arg9: A9, arg10: A10],
    R
  >;
  wrap<R, Args extends any[]>(fn: (...args: Args) => R | PromiseLike<R>): Bottleneck.Wrapped<Args, R>;

  /**
   * Schedules a call of a function that takes a callback as its last argument, and calls `callback` when it has ended.
   * The function must call its callback, whether or not `callback` is null.
   */
  submit<R>(fn: (callback: Bottleneck.Callback<R>) => void, callback: Bottleneck.Callback<R> | null): void;
  submit<R, A1>(
    fn: (arg1: A1, callback: Bottleneck.Callback<R>) => void,
    arg1: A1,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2>(
    fn: (arg1: A1, arg2: A2, callback: Bottleneck.Callback<R>) => void,
    arg1: A1,
    arg2: A2,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3>(
    fn: (arg1: A1, arg2: A2, arg3: A3, callback: Bottleneck.Callback<R>) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4>(
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, callback: Bottleneck.Callback<R>) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4, A5>(
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, callback: Bottleneck.Callback<R>) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4, A5, A6>(
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6, callback: Bottleneck.Callback<R>) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4, A5, A6, A7>(
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      callback: Bottleneck.Callback<R>,
    ) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4, A5, A6, A7, A8>(
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      arg8: A8,
      callback: Bottleneck.Callback<R>,
    ) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    arg8: A8,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4, A5, A6, A7, A8, A9>(
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      arg8: A8,
      arg9: A9,
      callback: Bottleneck.Callback<R>,
    ) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    arg8: A8,
    arg9: A9,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10>(
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      arg8: A8,
      arg9: A9,
      arg10: A10,
      callback: Bottleneck.Callback<R>,
    ) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    arg8: A8,
    arg9: A9,
    arg10: A10,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, Args extends any[]>(
    fn: (...args: [...Args, Bottleneck.Callback<R>]) => void,
    ...args: [...Args, Bottleneck.Callback<R> | null]
  ): void;

  submit<R>(
    options: Bottleneck.JobOptions,
    fn: (callback: Bottleneck.Callback<R>) => void,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1>(
    options: Bottleneck.JobOptions,
    fn: (arg1: A1, callback: Bottleneck.Callback<R>) => void,
    arg1: A1,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2>(
    options: Bottleneck.JobOptions,
    fn: (arg1: A1, arg2: A2, callback: Bottleneck.Callback<R>) => void,
    arg1: A1,
    arg2: A2,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3>(
    options: Bottleneck.JobOptions,
    fn: (arg1: A1, arg2: A2, arg3: A3, callback: Bottleneck.Callback<R>) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4>(
    options: Bottleneck.JobOptions,
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, callback: Bottleneck.Callback<R>) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4, A5>(
    options: Bottleneck.JobOptions,
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, callback: Bottleneck.Callback<R>) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4, A5, A6>(
    options: Bottleneck.JobOptions,
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6, callback: Bottleneck.Callback<R>) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4, A5, A6, A7>(
    options: Bottleneck.JobOptions,
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      callback: Bottleneck.Callback<R>,
    ) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4, A5, A6, A7, A8>(
    options: Bottleneck.JobOptions,
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      arg8: A8,
      callback: Bottleneck.Callback<R>,
    ) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    arg8: A8,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4, A5, A6, A7, A8, A9>(
    options: Bottleneck.JobOptions,
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      arg8: A8,
      arg9: A9,
      callback: Bottleneck.Callback<R>,
    ) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    arg8: A8,
    arg9: A9,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10>(
    options: Bottleneck.JobOptions,
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      arg8: A8,
      arg9: A9,
      arg10: A10,
      callback: Bottleneck.Callback<R>,
    ) => void,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    arg8: A8,
    arg9: A9,
    arg10: A10,
    callback: Bottleneck.Callback<R> | null,
  ): void;
  submit<R, Args extends any[]>(
    options: Bottleneck.JobOptions,
    fn: (...args: [...Args, Bottleneck.Callback<R>]) => void,
    ...args: [...Args, Bottleneck.Callback<R> | null]
  ): void;

  /**
   * Runs `fn` with the arguments given when the limits allow.
   * @returns a promise of its result. It rejects with what `fn` throws, or with a BottleneckError when the limiter
   * itself ends the job: dropped, expired, stopped, disconnected.
   */
  schedule<R>(fn: () => R | PromiseLike<R>): Promise<R>;
  schedule<R, A1>(fn: (arg1: A1) => R | PromiseLike<R>, arg1: A1): Promise<R>;
  schedule<R, A1, A2>(fn: (arg1: A1, arg2: A2) => R | PromiseLike<R>, arg1: A1, arg2: A2): Promise<R>;
  schedule<R, A1, A2, A3>(
    fn: (arg1: A1, arg2: A2, arg3: A3) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4>(
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4, A5>(
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4, A5, A6>(
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4, A5, A6, A7>(
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6, arg7: A7) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4, A5, A6, A7, A8>(
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6, arg7: A7, arg8: A8) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    arg8: A8,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4, A5, A6, A7, A8, A9>(
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      arg8: A8,
      arg9: A9,
    ) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    arg8: A8,
    arg9: A9,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10>(
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      arg8: A8,
      arg9: A9,
      arg10: A10,
    ) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    arg8: A8,
    arg9: A9,
    arg10: A10,
  ): Promise<R>;
  schedule<R, Args extends any[]>(fn: (...args: Args) => R | PromiseLike<R>, ...args: Args): Promise<R>;

  schedule<R>(options: Bottleneck.JobOptions, fn: () => R | PromiseLike<R>): Promise<R>;
  schedule<R, A1>(options: Bottleneck.JobOptions, fn: (arg1: A1) => R | PromiseLike<R>, arg1: A1): Promise<R>;
  schedule<R, A1, A2>(
    options: Bottleneck.JobOptions,
    fn: (arg1: A1, arg2: A2) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
  ): Promise<R>;
  schedule<R, A1, A2, A3>(
    options: Bottleneck.JobOptions,
    fn: (arg1: A1, arg2: A2, arg3: A3) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4>(
    options: Bottleneck.JobOptions,
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4, A5>(
    options: Bottleneck.JobOptions,
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4, A5, A6>(
    options: Bottleneck.JobOptions,
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4, A5, A6, A7>(
    options: Bottleneck.JobOptions,
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6, arg7: A7) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4, A5, A6, A7, A8>(
    options: Bottleneck.JobOptions,
    fn: (arg1: A1, arg2: A2, arg3: A3, arg4: A4, arg5: A5, arg6: A6, arg7: A7, arg8: A8) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    arg8: A8,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4, A5, A6, A7, A8, A9>(
    options: Bottleneck.JobOptions,
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      arg8: A8,
      arg9: A9,
    ) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    arg8: A8,
    arg9: A9,
  ): Promise<R>;
  schedule<R, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10>(
    options: Bottleneck.JobOptions,
    fn: (
      arg1: A1,
      arg2: A2,
      arg3: A3,
      arg4: A4,
      arg5: A5,
      arg6: A6,
      arg7: A7,
      arg8: A8,
      arg9: A9,
      arg10: A10,
    ) => R | PromiseLike<R>,
    arg1: A1,
    arg2: A2,
    arg3: A3,
    arg4: A4,
    arg5: A5,
    arg6: A6,
    arg7: A7,
    arg8: A8,
    arg9: A9,
    arg10: A10,
  ): Promise<R>;
  schedule<R, Args extends any[]>(
    options: Bottleneck.JobOptions,
    fn: (...args: Args) => R | PromiseLike<R>,
    ...args: Args
  ): Promise<R>;
}

declare namespace Bottleneck {
  // With this line, nothing is exported from the namespace unless it says so itself.
  export { Bottleneck as default };

  export type ConstructorOptions = {
    /** Total weight of jobs that may run at the same time. An integer from 0, or null for no limit. Default null. */
    readonly maxConcurrent?: number | null;
    /** Least time between the starts of two jobs, in milliseconds, from 0. Default 0. */
    readonly minTime?: number | null;
    /**
     * How many jobs may wait in the queue; one more, and `strategy` decides who is dropped. An integer from 0, or null
     * for no limit. Default null.
     */
    readonly highWater?: number | null;
    /** Who is dropped at `highWater`: one of {@link Bottleneck.strategy}. Default LEAK. */
    readonly strategy?: Bottleneck.Strategy | null;
    /**
     * How long strategy BLOCK refuses jobs after the last submission, in milliseconds. Default 15 times `minTime`, or
     * 5000 when that is 0.
     */
    readonly penalty?: number | null;
    /**
     * Total weight of jobs that may still start; each start takes its weight away, and at 0 the limiter waits for more.
     * An integer, or null for no limit. Default null.
     */
    readonly reservoir?: number | null;
    /**
     * How often the reservoir is set to `reservoirRefreshAmount`, in milliseconds above 0; null for never. Default null.
     */
    readonly reservoirRefreshInterval?: number | null;
    /** What the reservoir is set to at each refresh: an integer from 0. Default null. */
    readonly reservoirRefreshAmount?: number | null;
    /**
     * How often `reservoirIncreaseAmount` is added to the reservoir, in milliseconds above 0; null for never. Default null.
     */
    readonly reservoirIncreaseInterval?: number | null;
    /** What is added to the reservoir at each increase: an integer. Default null. */
    readonly reservoirIncreaseAmount?: number | null;
    /** What the reservoir is not raised above by increases: an integer from 0, or null for no maximum. Default null. */
    readonly reservoirIncreaseMaximum?: number | null;
    /** Name of the limiter; on Redis, limiters of one id are one limiter. Default `"<no-id>"`. */
    readonly id?: string | null;
    /** Whether the promise of a dropped job rejects (true) or stays pending for ever (false). Default true. */
    readonly rejectOnDrop?: boolean | null;
    /** Whether jobs stay known after they have ended, in state DONE. Costs memory. Default false. */
    readonly trackDoneStatus?: boolean | null;
    /** Where the state is kept: `"local"`, `"redis"` (node-redis) or `"ioredis"`. Default `"local"`. */
    readonly datastore?: string | null;
    /** Promise class to use for what methods return. Default the global Promise. */
    readonly Promise?: any;
    /** Redis: passed to the client library as it is. Default `{}`. */
    readonly clientOptions?: any;
    /** ioredis: nodes to start from; makes the client a `Redis.Cluster`. Default null. */
    readonly clusterNodes?: any;
    /** Redis: the client library, where it cannot be loaded by its name. Default `require("redis")` or `require("ioredis")`. */
    readonly Redis?: any;
    /** Redis: a connection to share; `datastore`, `clientOptions` and `clusterNodes` then mean nothing. Default null. */
    readonly connection?: Bottleneck.RedisConnection | Bottleneck.IORedisConnection | null;
    /** Redis: whether the limiter's state is wiped at the start. Default false. */
    readonly clearDatastore?: boolean | null;
    /**
     * Redis: how long the state of an unused limiter stays, in milliseconds; null for ever. In a Group, also how long an
     * unused limiter stays in memory. Default null, in a Group 300000.
     */
    readonly timeout?: number | null;
    /**
     * Redis: how often a process with jobs tells that it is alive, in milliseconds above 0. Default 5000. It has to be
     * well below `clientTimeout`.
     */
    readonly heartbeatInterval?: number | null;
    /**
     * Redis: after how long a silence a process counts as dead, so that its running jobs free their slots. In
     * milliseconds above 0. Default 10000.
     */
    readonly clientTimeout?: number | null;

    /**
     * When jobs leave the queue. `"default"`: as Bottleneck, where a job that only waits for `minTime` is already
     * RUNNING. `"just-in-time"`: when they may really start, so that priorities work with `minTime` alone.
     * Not in Bottleneck. Default `"default"`.
     */
    readonly dispatch?: 'default' | 'just-in-time' | null;
    /**
     * What a retry does. `"hold"`: as Bottleneck, it keeps its slot while it waits, and obeys neither `minTime` nor the
     * reservoir. `"requeue"`: it gives its slot back and queues again, so that retries obey the limits.
     * Not in Bottleneck. Default `"hold"`.
     */
    readonly retryMode?: 'hold' | 'requeue' | null;
    /**
     * Whether the stack of an error with which a job ends names the line that scheduled it. Costs a stack trace for each
     * job, which is more than all else that scheduling it costs. Not in Bottleneck. Default false.
     */
    readonly traceJobs?: boolean | null;
    /**
     * At most `max` starts in any span of `duration`: a sliding window, unlike a reservoir. Not in Bottleneck.
     * Default null.
     */
    readonly window?: Bottleneck.WindowOptions | null;
    /** A token bucket: bursts of up to `capacity`, refilled steadily. Not in Bottleneck. Default null. */
    readonly bucket?: Bottleneck.BucketOptions | null;
    /**
     * Redis: whether heartbeats come from a worker thread, so that a job that blocks the event loop for longer than
     * `clientTimeout` does not make the process count as dead. Not in Bottleneck. Default false.
     */
    readonly workerHeartbeat?: boolean | null;

    [propName: string]: any;
  };

  export type WindowOptions = {
    /** Starts in the window, whatever the jobs weigh: an integer from 1. */
    readonly max: number;
    /** Length of the window, in milliseconds above 0. */
    readonly duration: number;
  };

  export type BucketOptions = {
    /** Most tokens that the bucket holds: a number above 0. A start takes as many as its weight. */
    readonly capacity: number;
    /** Tokens added per second: a number above 0. */
    readonly refillPerSecond: number;
  };

  export type JobOptions = {
    /** An integer from 0 (first) to 9 (last). Default 5. */
    priority?: number | null;
    /** What the job takes of `maxConcurrent` and of the reservoir: a number from 0. Default 1. */
    weight?: number | null;
    /**
     * Milliseconds for the job to end in, from its start; after that it fails with a BottleneckError. Null for no limit.
     * Default null.
     */
    expiration?: number | null;
    /** Name of the job. No two jobs of one name may be in a limiter at the same time. Default: a random one. */
    id?: string | null;
    /**
     * Takes the job out of the queue when it is aborted while it waits: the promise then rejects with the signal's
     * reason. Not in Bottleneck. Default null.
     */
    signal?: Bottleneck.AbortSignalLike | null;
  };

  /** What is used of an `AbortSignal`: the type itself may be missing where neither DOM nor Node's types are loaded. */
  export interface AbortSignalLike {
    readonly aborted: boolean;
    readonly reason?: any;
    addEventListener(type: 'abort', listener: () => void, options?: any): void;
    removeEventListener(type: 'abort', listener: () => void, options?: any): void;
  }

  export type StopOptions = {
    /** Whether jobs that have not begun are dropped (true) or waited for (false). Default true. */
    readonly dropWaitingJobs?: boolean | null;
    /** Message of the error that dropped jobs get. Default `"This limiter has been stopped."`. */
    readonly dropErrorMessage?: string | null;
    /**
     * Message of the error that jobs get which come after the stop. Default
     * `"This limiter has been stopped and cannot accept new jobs."`.
     */
    readonly enqueueErrorMessage?: string | null;
  };

  /** What {@link Bottleneck.wrap} gives: a limited function. */
  export interface Wrapped<Args extends any[], R> {
    (...args: Args): Promise<R>;
    /** As a call, with options for this job. */
    withOptions: (options: Bottleneck.JobOptions, ...args: Args) => Promise<R>;
  }

  export type Callback<T> = (err: any, result: T) => void;
  export type ClientsList = { client?: any; subscriber?: any };
  export type GroupLimiterPair = { key: string; limiter: Bottleneck };
  /** Any number is accepted; those that mean something are in {@link Bottleneck.strategy}. */
  export interface Strategy {}

  export type EventInfo = {
    /** Arguments of the job. */
    readonly args: any[];
    /** Options of the job, defaults filled in. */
    readonly options: {
      readonly id: string;
      readonly priority: number;
      readonly weight: number;
      readonly expiration?: number;
    };
  };
  export type EventInfoDropped = EventInfo & {
    /** The function that will not be called. */
    readonly task: Function;
    /** The promise of the job. */
    readonly promise: Promise<any>;
  };
  export type EventInfoQueued = EventInfo & {
    /** Whether the queue was at `highWater`, so that some job was dropped. */
    readonly reachedHWM: boolean;
    /** Whether the limiter is in the blocked mode of strategy BLOCK. */
    readonly blocked: boolean;
  };
  export type EventInfoRetryable = EventInfo & {
    /** How often the job was retried: 0 at the first attempt. */
    readonly retryCount: number;
  };

  /** States of a job, in their order. */
  export enum Status {
    /** Submitted; not yet known whether it may queue. */
    RECEIVED = 'RECEIVED',
    /** Waits in the queue. */
    QUEUED = 'QUEUED',
    /** Out of the queue; waits for its moment. */
    RUNNING = 'RUNNING',
    /** Its function was called. */
    EXECUTING = 'EXECUTING',
    /** Ended. Only tracked with `trackDoneStatus`. */
    DONE = 'DONE',
  }
  /** The states as plain text. */
  export type StatusName = 'RECEIVED' | 'QUEUED' | 'RUNNING' | 'EXECUTING' | 'DONE';
  export type Counts = {
    RECEIVED: number;
    QUEUED: number;
    RUNNING: number;
    EXECUTING: number;
    DONE?: number;
  };

  /** Why a job is not running now. Times in milliseconds, by the clock of the limiter: on Redis, the server's. */
  export type Explanation = {
    /** All of it in words. */
    text: string;
    /** When this was true. */
    now: number;
    /** The job that it is about. Null for no such job, or for one of another process. */
    jobId: string | null;
    /** Null when nothing waits, for a job that is not known here, and for one of another process. */
    state: Bottleneck.StatusName | null;
    /** When the job joined the queue; null for one that is not in it. */
    waitingSince: number | null;
    /** Jobs before it in the queue; null for one that is not in it. */
    ahead: number | null;
    /** What holds it longest: the first of `holds`. Null when nothing does. */
    heldBy: Bottleneck.Hold['by'] | null;
    /** Every limit that keeps the job (or those before it) from starting, the longest first. */
    holds: Bottleneck.Hold[];
    /**
     * The earliest moment at which the job could start, if what runs and what is before it ended at once and nothing
     * more important came. Null when it will not start by itself, and when it has started.
     */
    earliestStart: number | null;
    /** Of a job that was passed on to a chained limiter: what that one says. */
    chained: Bottleneck.Explanation | null;
  };

  /** One limit that keeps a job from running, what it waits for, and the numbers that it is decided by. */
  export type Hold = {
    /** Since when nothing has moved because of it; null where that is not known. */
    since: number | null;
    /** When it lets go by itself; null where something has to happen first, see `waitsFor`. */
    until: number | null;
  } & (
    | { by: 'maxConcurrent'; waitsFor: 'completion'; maxConcurrent: number; running: number; weight: number }
    | { by: 'minTime'; waitsFor: 'time'; minTime: number }
    | { by: 'reservoir'; waitsFor: 'time' | 'increment'; reservoir: number; weight: number }
    | { by: 'window'; waitsFor: 'time'; max: number; duration: number }
    | { by: 'bucket'; waitsFor: 'time' | 'increment'; tokens: number; weight: number }
    /** The blocked mode of strategy BLOCK: jobs that come now are dropped. */
    | { by: 'blocked'; waitsFor: 'time' }
    /** A retry that is not in the queue yet. */
    | { by: 'delay'; waitsFor: 'time' }
    /** The job failed, and is tried again then. It has kept its slot. */
    | { by: 'retry'; waitsFor: 'time'; retryCount: number }
    /** It has its slot in the fleet, but this process executes as much as it may. */
    | { by: 'workers'; waitsFor: 'completion' }
    /** It has a slot, and executes in the next turn of the event loop. */
    | { by: 'turn'; waitsFor: 'time' }
    /** It is the turn of processes that run Bottleneck and share the limiter. */
    | { by: 'sharing'; waitsFor: 'time' }
    /** Redis cannot reach this process to start the job: its subscription is gone. */
    | { by: 'subscription'; waitsFor: 'redis' }
    /** Redis does not answer. */
    | { by: 'redis'; waitsFor: 'redis' }
  );

  export type RedisConnectionOptions = {
    /** Passed to node-redis' `createClient` as it is. Default `{}`. */
    readonly clientOptions?: any;
    /** A client to use instead; it is not closed by us. Default null. */
    readonly client?: any;
    /** The library, where it cannot be loaded by its name. Default `require("redis")`. */
    readonly Redis?: any;
  };

  export type IORedisConnectionOptions = {
    /** Passed to the constructor of ioredis as it is. Default `{}`. */
    readonly clientOptions?: any;
    /** Nodes to start from; makes the client a `Redis.Cluster`. Default null. */
    readonly clusterNodes?: any;
    /** A client to use instead; it is not closed by us. Default null. */
    readonly client?: any;
    /** The library, where it cannot be loaded by its name. Default `require("ioredis")`. */
    readonly Redis?: any;
  };

  export type BatcherOptions = {
    /** How long an item may wait for its batch, in milliseconds from 0; null for as long as it takes. Default null. */
    readonly maxTime?: number | null;
    /** How many items make a batch: an integer from 1, or null for no limit. Default null. */
    readonly maxSize?: number | null;
  };

  /** What a limiter itself fails with. Errors of jobs are passed on as they are. */
  export class BottleneckError extends Error {}

  /** A connection through node-redis (`redis`), to be shared by limiters and Groups. */
  export class RedisConnection {
    constructor(options?: Bottleneck.RedisConnectionOptions);
    on(name: 'error', fn: (error: any) => void): void;
    once(name: 'error', fn: (error: any) => void): void;
    /** Resolves to the clients of the library once they are ready. */
    ready(): Promise<ClientsList>;
    /**
     * Closes the clients.
     * @param flush Whether commands on their way are waited for, for a few seconds at most. Default true.
     */
    disconnect(flush?: boolean): Promise<void>;
  }

  /** A connection through ioredis, to be shared by limiters and Groups. */
  export class IORedisConnection {
    constructor(options?: Bottleneck.IORedisConnectionOptions);
    on(name: 'error', fn: (error: any) => void): void;
    once(name: 'error', fn: (error: any) => void): void;
    /** Resolves to the clients of the library once they are ready. */
    ready(): Promise<ClientsList>;
    /**
     * Closes the clients.
     * @param flush Whether commands on their way are waited for, for a few seconds at most. Default true.
     */
    disconnect(flush?: boolean): Promise<void>;
  }

  /** Gathers items and gives them out in batches, by size or by time. */
  export class Batcher {
    constructor(options?: Bottleneck.BatcherOptions);
    on(name: 'error', fn: (error: any) => void): void;
    /** A batch is complete: the items in the order in which they were added. */
    on(name: 'batch', fn: (batch: any[]) => void): void;
    on(name: string, fn: Function): void;
    once(name: 'error', fn: (error: any) => void): void;
    once(name: 'batch', fn: (batch: any[]) => void): void;
    once(name: string, fn: Function): void;
    /** Adds an item; resolves when the batch it is in has been given out. */
    add(data: any): Promise<void>;
  }

  /** Limiters of the same settings, made when their key is first asked for, and removed when they are no longer used. */
  export class Group {
    constructor(options?: Bottleneck.ConstructorOptions);

    /** First part of the ids of the limiters. Default `"group-key"`. */
    id: string;
    datastore: string;
    connection?: Bottleneck.RedisConnection | Bottleneck.IORedisConnection;

    /**
     * The limiter of a key.
     * @param str Default `""`.
     */
    key(str?: string): Bottleneck;

    on(name: 'error', fn: (error: any) => void): void;
    /** A limiter was made: the place to add listeners to it, or to change its settings. */
    on(name: 'created', fn: (limiter: Bottleneck, key: string) => void): void;
    on(name: string, fn: Function): void;
    once(name: 'error', fn: (error: any) => void): void;
    once(name: 'created', fn: (limiter: Bottleneck, key: string) => void): void;
    once(name: string, fn: Function): void;
    /**
     * Removes listeners.
     * @param name Only those of this event. Default: all.
     */
    removeAllListeners(name?: string): void;

    /** Changes the settings of limiters that are made from now on. */
    updateSettings(options: Bottleneck.ConstructorOptions): void;

    /**
     * Removes the limiter of a key, and what Redis holds of it.
     * @returns whether there was one
     */
    deleteKey(str?: string): Promise<boolean>;

    /**
     * Closes the connection to Redis, unless the Group was given its `connection`.
     * @param flush Whether commands on their way are waited for, for a few seconds at most. Default true.
     */
    disconnect(flush?: boolean): Promise<void>;

    /** All limiters of this process, with their keys. */
    limiters(): Bottleneck.GroupLimiterPair[];

    /** All keys of this process. */
    keys(): string[];

    /** All keys, over all processes. */
    clusterKeys(): Promise<string[]>;
  }

  /** Gives an object `on`, `once` and `removeAllListeners`, and triggers its events. */
  export class Events {
    /** @throws {Error} when the object has one of the three methods already */
    constructor(object: Object);
    /** How many listeners an event has. */
    listenerCount(name: string): number;
    /**
     * Calls the listeners of an event and waits for the promises they return.
     * @returns the first result that is neither null nor undefined. Never rejects
     */
    trigger(name: string, ...args: any[]): Promise<any>;
  }

  // The engine's own API; not in Bottleneck. All of it is in "rebottle/resident".
  export import WorkerPool = Resident.WorkerPool;
  export import DistributedLimiter = Resident.DistributedLimiter;
  export import LimiterManager = Resident.LimiterManager;
  export import RebottleError = Resident.RebottleError;
  export import InvalidOptionError = Resident.InvalidOptionError;
  export import WorkerPoolNotInitializedError = Resident.WorkerPoolNotInitializedError;
  export import WorkerPoolConnectionError = Resident.WorkerPoolConnectionError;
  export import WorkerPoolStoppedError = Resident.WorkerPoolStoppedError;
  export import LimiterStoppedError = Resident.LimiterStoppedError;
  export import LimiterDisconnectedError = Resident.LimiterDisconnectedError;
  export import LimiterRedisError = Resident.LimiterRedisError;
  export import JobError = Resident.JobError;
  export import OrphanedJobError = Resident.OrphanedJobError;
  export import JobMaxRetriesError = Resident.JobMaxRetriesError;
  export import JobTimeoutError = Resident.JobTimeoutError;
  export import JobPendingTimeoutError = Resident.JobPendingTimeoutError;
  export import JobCancelledError = Resident.JobCancelledError;
  export import JobDroppedError = Resident.JobDroppedError;
  export import DuplicateJobError = Resident.DuplicateJobError;
  export import JobOverweightError = Resident.JobOverweightError;
  export import DrainTimeoutError = Resident.DrainTimeoutError;
  export import UnknownFeatureError = Resident.UnknownFeatureError;
  export type WorkerPoolOptions = Resident.WorkerPoolOptions;
  export type DistributedLimiterOptions = Resident.DistributedLimiterOptions;
  export type LimiterManagerOptions = Resident.LimiterManagerOptions;
  export type FeatureConfig = Resident.FeatureConfig;
  export type ScheduleOptions = Resident.ScheduleOptions;
  export type JobContext = Resident.JobContext;
  export type JobInfo = Resident.JobInfo;
  export type OrphanedJob = Resident.OrphanedJob;
}

export = Bottleneck;
