export type { BackoffFunction, BackoffOptions } from './backoff';
export {
  type Conflict,
  DistributedLimiter,
  type DistributedLimiterEvents,
  type DistributedLimiterOptions,
  type JobEvent,
  type LimiterStats,
  type LimiterStopOptions,
  type ListOptions,
} from './distributed-limiter';
export {
  DrainTimeoutError,
  DuplicateJobError,
  InvalidOptionError,
  JobCancelledError,
  JobDroppedError,
  JobError,
  JobMaxRetriesError,
  JobOverweightError,
  JobPendingTimeoutError,
  JobTimeoutError,
  LimiterDisconnectedError,
  LimiterStoppedError,
  OrphanedJobError,
  RebottleError,
  UnknownFeatureError,
  WorkerPoolConnectionError,
  WorkerPoolNotInitializedError,
  WorkerPoolStoppedError,
} from './errors';
export {
  type FeatureConfig,
  LimiterManager,
  type LimiterManagerOptions,
  type ManagedJobOptions,
  ManagedLimiter,
} from './limiter-manager';
export type {
  BucketOptions,
  JobDefaults,
  LimiterConfig,
  LimiterSettings,
  ScheduleOptions,
  StrategyName,
  WindowOptions,
} from './options';
export type { JobInfo, OrphanedJob } from './orphans';
export type { LivePool } from './pool-registry';
export type { RedisSource } from './redis-source';
export type { JobContext, JobFunction } from './resident-job';
export { TypedEvents } from './typed-events';
export { type PoolStopOptions, WorkerPool, type WorkerPoolEvents, type WorkerPoolOptions } from './worker-pool';
