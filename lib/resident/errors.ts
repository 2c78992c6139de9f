import { BottleneckError } from '../errors';

/**
 * What every error of the engine's own API is, with a `code` that does not change between versions. It is a
 * BottleneckError too, so that code which told those from errors of jobs goes on doing so.
 */
export class RebottleError extends BottleneckError {
  constructor(
    /** Stable name of the kind of error, in capitals. */
    readonly code: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message);
    this.name = new.target.name;
    if (options !== undefined)
      Object.defineProperty(this, 'cause', { value: options.cause, configurable: true, writable: true });
  }
}

/** An option that makes no sense. Code `INVALID_OPTION`. */
export class InvalidOptionError extends RebottleError {
  constructor(
    readonly option: string,
    readonly expected: string,
    got: unknown,
  ) {
    super('INVALID_OPTION', `Invalid ${option}: expected ${expected}, got ${describe(got)}`);
  }
}

/** There is no pool of that name: `WorkerPool.create` was not called, or the pool was stopped. Code `POOL_NOT_INITIALIZED`. */
export class WorkerPoolNotInitializedError extends RebottleError {
  constructor(name: string) {
    super('POOL_NOT_INITIALIZED', `There is no worker pool "${name}": call WorkerPool.create() first`);
  }
}

/** Redis could not be reached in time. Code `POOL_CONNECTION`; `cause` is the last error of the connection, if any. */
export class WorkerPoolConnectionError extends RebottleError {
  constructor(timeoutMs: number, cause: unknown) {
    super('POOL_CONNECTION', `Redis could not be reached within ${timeoutMs} ms`, { cause });
  }
}

/** The pool was stopped and takes nothing more. Code `POOL_STOPPED`. */
export class WorkerPoolStoppedError extends RebottleError {
  constructor() {
    super('POOL_STOPPED', 'The worker pool has been stopped and takes no more jobs');
  }
}

/** The limiter was stopped: it takes nothing more, or a waiting job was taken out by that. Code `LIMITER_STOPPED`. */
export class LimiterStoppedError extends RebottleError {
  constructor(readonly limiterId: string) {
    super('LIMITER_STOPPED', `The limiter "${limiterId}" has been stopped`);
  }
}

/** The connection was closed under the limiter. Code `LIMITER_DISCONNECTED`. */
export class LimiterDisconnectedError extends RebottleError {
  constructor(readonly limiterId: string) {
    super('LIMITER_DISCONNECTED', `The limiter "${limiterId}" has lost its connection for good`);
  }
}

/** Redis refused or did not answer a question. Code `LIMITER_REDIS`; `cause` is the error of the client. */
export class LimiterRedisError extends RebottleError {
  constructor(
    readonly limiterId: string,
    cause: Error,
  ) {
    super('LIMITER_REDIS', `Redis did not answer the limiter "${limiterId}": ${cause.message}`, { cause });
  }
}

/** What the errors about one job share. */
export class JobError extends RebottleError {
  constructor(
    readonly jobId: string,
    code: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(code, message, options);
  }
}

/** The job had not started when its pool was stopped. Code `JOB_ORPHANED`. */
export class OrphanedJobError extends JobError {
  constructor(jobId: string) {
    super(jobId, 'JOB_ORPHANED', `The job "${jobId}" had not started when its worker pool was stopped`);
  }
}

/** The last attempt failed too. Code `JOB_MAX_RETRIES`; `cause` is the error of the last attempt. */
export class JobMaxRetriesError extends JobError {
  constructor(
    jobId: string,
    /** How often the job was tried. */
    readonly attempts: number,
    cause: unknown,
  ) {
    const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
    super(jobId, 'JOB_MAX_RETRIES', `The job "${jobId}" failed after ${tries}: ${messageOf(cause)}`, { cause });
  }
}

/** The attempt took longer than the job's `expiration`. Code `JOB_TIMEOUT`. */
export class JobTimeoutError extends JobError {
  constructor(
    jobId: string,
    /** ms it might have taken. */
    readonly timeout: number,
  ) {
    super(jobId, 'JOB_TIMEOUT', `The job "${jobId}" took longer than ${timeout} ms`);
  }
}

/** The job waited longer than the pool's `pendingJobTimeoutMs`. Code `JOB_PENDING_TIMEOUT`. */
export class JobPendingTimeoutError extends JobError {
  constructor(
    jobId: string,
    /** ms it might have waited. */
    readonly timeout: number,
  ) {
    super(jobId, 'JOB_PENDING_TIMEOUT', `The job "${jobId}" waited longer than ${timeout} ms`);
  }
}

/** The job was cancelled, by `cancel()`, its `signal` or `reset()`. Code `JOB_CANCELLED`; `cause` is the signal's reason, or what the job failed with after that. */
export class JobCancelledError extends JobError {
  constructor(jobId: string, cause?: unknown) {
    super(jobId, 'JOB_CANCELLED', `The job "${jobId}" was cancelled`, cause === undefined ? undefined : { cause });
  }
}

/** The queue was full, or the limiter is blocked. Code `JOB_DROPPED`. */
export class JobDroppedError extends JobError {
  constructor(
    jobId: string,
    readonly reason: 'high water' | 'blocked',
  ) {
    const why = reason === 'blocked' ? 'the limiter is blocked' : 'the queue is full';
    super(jobId, 'JOB_DROPPED', `The job "${jobId}" was dropped: ${why}`);
  }
}

/** A job of that id waits or runs already, in this process or another. Code `JOB_DUPLICATE`. */
export class DuplicateJobError extends JobError {
  constructor(jobId: string) {
    super(jobId, 'JOB_DUPLICATE', `A job "${jobId}" is waiting or running already`);
  }
}

/** The job weighs more than `maxConcurrent`: it could never start. Code `JOB_OVERWEIGHT`. */
export class JobOverweightError extends JobError {
  constructor(jobId: string, weight: number) {
    super(
      jobId,
      'JOB_OVERWEIGHT',
      `The job "${jobId}" of weight ${weight} weighs more than maxConcurrent and could never start`,
    );
  }
}

/** Jobs were left when the time for `drain()` was up. Code `DRAIN_TIMEOUT`. */
export class DrainTimeoutError extends RebottleError {
  constructor(
    readonly limiterId: string,
    readonly timeout: number,
    /** Jobs of this limiter in this process that had not ended. */
    readonly remaining: number,
  ) {
    super('DRAIN_TIMEOUT', `The limiter "${limiterId}" still had ${remaining} jobs after ${timeout} ms`);
  }
}

/** `getLimiter` was asked for a feature that nobody registered. Code `UNKNOWN_FEATURE`. */
export class UnknownFeatureError extends RebottleError {
  constructor(readonly feature: string) {
    super('UNKNOWN_FEATURE', `There is no config for the feature "${feature}": call registerFeatureConfig() first`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** How a value is shown in messages. */
function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return 'an array';
  return value instanceof Date ? `the date ${String(value)}` : 'an object';
}
