/** Classes of the engine's own API that the package's root offers as named exports, beside the errors. */
export const RESIDENT_CLASSES = ['WorkerPool', 'DistributedLimiter', 'LimiterManager'] as const;

/** Its errors. */
export const RESIDENT_ERRORS = [
  'RebottleError',
  'InvalidOptionError',
  'WorkerPoolNotInitializedError',
  'WorkerPoolConnectionError',
  'WorkerPoolStoppedError',
  'LimiterStoppedError',
  'LimiterDisconnectedError',
  'LimiterRedisError',
  'JobError',
  'OrphanedJobError',
  'JobMaxRetriesError',
  'JobTimeoutError',
  'JobPendingTimeoutError',
  'JobCancelledError',
  'JobDroppedError',
  'DuplicateJobError',
  'JobOverweightError',
  'DrainTimeoutError',
  'UnknownFeatureError',
] as const;

/** All of them. Apart from the classes themselves, so that the entry without Redis can name what it does not have. */
export const RESIDENT_NAMES = [...RESIDENT_CLASSES, ...RESIDENT_ERRORS] as const;

export type ResidentName = (typeof RESIDENT_NAMES)[number];
