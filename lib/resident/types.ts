/** The types of the engine's own API. None of them refers to anything inside. */

/** What is used of an `AbortSignal`. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: as in the type itself
  readonly reason?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the options are not used
  addEventListener(type: 'abort', listener: () => void, options?: any): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The type `AbortSignal`, which is missing where neither the DOM's nor Node's types are loaded. */
export type ContextSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : AbortSignalLike;

/**
 * Where Redis is: a URL, or options of ioredis (`host`, `port`, `tls`, `sentinels` and so on; `clusterNodes` beside them
 * makes a cluster client); or a client of ioredis, iovalkey or node-redis, or a connection of this package, which are
 * used and never closed.
 */
export type RedisSource = string | object;

/**
 * ms to wait before the next attempt, or null not to try again: the job then rejects with that error.
 * `attempt` counts the attempts that failed: 1 after the first.
 */
export type BackoffFunction = (attempt: number, error: unknown) => number | null;

/** Exponential backoff. */
export interface BackoffOptions {
  /** ms before the second attempt. Above 0. Default 1000. */
  initialMs?: number;
  /** What each wait is multiplied with to give the next. 1 or more. Default 2. */
  factor?: number;
  /** ms that no wait exceeds. Above 0. Default 30000. */
  maxMs?: number;
  /** Part of a wait, from 0 to 1, that is random: 0.5 gives waits between half and the whole. Default 0. */
  jitter?: number;
}

/** Sliding window: at most `max` starts in any span of `duration` ms. */
export interface WindowOptions {
  max: number;
  /** ms, above 0. */
  duration: number;
}

/** Token bucket: a job takes as many tokens as it weighs; they come back continuously. */
export interface BucketOptions {
  /** The most tokens there are: the largest burst. Above 0. */
  capacity: number;
  /** Tokens per second, above 0. */
  refillPerSecond: number;
}

export type StrategyName = 'leak' | 'overflow' | 'overflow-priority' | 'block';

/** Limits, which all processes share: the limiter lives in Redis, under its id. `null` stands for no limit. */
export interface LimiterSettings {
  /** Total weight that may execute at once, in all processes. 0 or more; default 1. */
  maxConcurrent?: number | null;
  /** ms between two starts, at least. Default 0. */
  minTime?: number | null;
  /** Jobs that may wait, in all processes. Default no limit. */
  highWater?: number | null;
  /** What happens to jobs above `highWater`. Default `'leak'`: the oldest of the least important goes. */
  strategy?: StrategyName | null;
  /** ms that strategy `'block'` lasts. Default 15 times `minTime`, or 5000. */
  penalty?: number | null;
  /** Total weight that may start until the reservoir is filled again. Default no limit. */
  reservoir?: number | null;
  /** ms between refreshes, which set the reservoir to `reservoirRefreshAmount`. */
  reservoirRefreshInterval?: number | null;
  reservoirRefreshAmount?: number | null;
  /** ms between increases, which add `reservoirIncreaseAmount`, up to `reservoirIncreaseMaximum`. */
  reservoirIncreaseInterval?: number | null;
  reservoirIncreaseAmount?: number | null;
  reservoirIncreaseMaximum?: number | null;
  window?: WindowOptions | null;
  bucket?: BucketOptions | null;
}

/** What a limiter does with the jobs that this process schedules. */
export interface JobDefaults {
  /** 0 (first) to 99. Default 5. */
  priority?: number | null;
  /** What a job takes of `maxConcurrent`, the reservoir and the bucket. Default 1. */
  weight?: number | null;
  /** ms that an attempt may take; above 0. Default no limit. */
  expiration?: number | null;
  /** Whether a job that fails is tried again. Default true. */
  retryOnFailure?: boolean | null;
  /** Attempts after the first, at most. Default 3. */
  maxRetries?: number | null;
  /** How long to wait before each of them. Default 1, 2, 4, 8 s and so on, at most 30 s. */
  backoff?: BackoffOptions | BackoffFunction | null;
}

/** The limits and defaults of a limiter, without its name and place. */
export interface LimiterConfig extends LimiterSettings, JobDefaults {
  /** ms that what Redis holds of an unused limiter stays there. Default for ever. */
  ttl?: number | null;
  /** What happens when the limiter exists with other limits: they stay, or are changed to these. Default `'keep'`. */
  onConflict?: 'keep' | 'overwrite' | null;
}

/** Options of one job. */
export interface ScheduleOptions {
  /** Names the job in all processes: no two that wait or run may have the same. Default: one that nobody else has. */
  id?: string | null;
  /** 0 (first) to 99. Default: the limiter's. */
  priority?: number | null;
  /** Default: the limiter's. */
  weight?: number | null;
  /** ms that an attempt may take; above 0. Default: the limiter's. */
  expiration?: number | null;
  /** Attempts after the first, at most. Default: the limiter's. */
  maxRetries?: number | null;
  /** ms to wait before the job joins the queue. Default 0. Not together with `scheduleAt`. */
  delay?: number | null;
  /** When the job joins the queue, by the clock of the Redis server: a date, or ms since 1970. Default at once. */
  scheduleAt?: Date | number | null;
  /** Cancels the job when it is aborted. */
  signal?: AbortSignalLike | null;
  /** Kept in Redis with the job, where `getJob` and `orphaned` show it: anything that JSON can hold. Up to 64 KiB. */
  data?: unknown;
}

/** What a scheduled function gets. */
export interface JobContext {
  readonly id: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly priority: number;
  /** Aborted when this attempt is to end: it was cancelled, or took longer than its `expiration`. */
  readonly signal: ContextSignal;
}

export type JobFunction<T> = (context: JobContext) => T | PromiseLike<T>;

/** A job that waits or runs somewhere in the fleet. Times in ms since 1970, by the clock of the Redis server. */
export interface JobInfo {
  /** Null for jobs that were scheduled through Bottleneck's API. */
  id: string | null;
  /** `ready`: in the queue; `delayed`: its time has not come, or it waits to be tried again; `executing`: it has its slot. */
  state: 'ready' | 'delayed' | 'executing';
  /** 0 (first) to 99; null where it is not known. */
  priority: number | null;
  weight: number;
  /** ms that an attempt may take, or null. */
  expiration: number | null;
  /** 1 for the first attempt. */
  attempt: number;
  submittedAt: number | null;
  /** When a delayed job joins the queue. */
  dueAt: number | null;
  /** Jobs before it in the queue: 0 for the next; null for jobs that are not in the queue. */
  position: number | null;
  /** The pool whose process owns the job; null for processes that run Bottleneck. */
  poolId: string | null;
  /** What `schedule` was given as `data`; undefined for nothing. */
  data: unknown;
}

/** A job whose process died. */
export interface OrphanedJob extends Omit<JobInfo, 'position' | 'dueAt'> {
  limiterId: string;
  /** True in one process of the fleet: the one to act where only one may. */
  reportedHere: boolean;
}

/** A worker pool of the fleet: one for each process, unless it has several. */
export interface LivePool {
  poolId: string;
  name: string;
  /** Name of the machine, if known. */
  host: string | null;
  pid: number | null;
  /** Jobs it executes at once, at most. */
  workers: number;
  /** Jobs it executed, and jobs that waited, at the last heartbeat. */
  executing: number;
  pendingJobs: number;
  /** When it was made, by its own clock; ms since 1970. */
  startedAt: number;
  /** Last heartbeat, by the clock of the Redis server; ms since 1970. */
  lastHeartbeat: number;
  /** ms since then. */
  silentFor: number;
}
