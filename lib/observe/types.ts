/** What can be watched. Told by its shape, so that it goes for every entry of this package. */

/** A limiter of this package: a `Bottleneck` of any entry, or a `DistributedLimiter`. */
export interface WatchedLimiter {
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: every limiter types its events in its own way
  on(name: any, listener: (...args: any[]) => any): unknown;
}

/** A Group of this package. */
export interface WatchedGroup {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  on(name: any, listener: (...args: any[]) => any): unknown;
  limiters(): Array<{ key: string; limiter: WatchedLimiter }>;
}
