/**
 * The error that a limiter itself raises: a dropped job, an expired job, a stopped limiter, a bad option.
 * Errors thrown by jobs are never wrapped in it.
 *
 * Its `name` stays "Error": code written for Bottleneck prints and compares `String(error)`, so recognise it by
 * `instanceof` and not by name.
 */
export class BottleneckError extends Error {}
