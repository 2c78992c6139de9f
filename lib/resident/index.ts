export type { Explanation, Hold } from '../explain/explanation';
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
  LimiterRedisError,
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
export { TypedEvents } from './typed-events';
export * from './types';
export { type PoolStopOptions, WorkerPool, type WorkerPoolEvents, type WorkerPoolOptions } from './worker-pool';
