import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  /** Give up after this many ms. Default 5000. */
  within?: number;
  /** Look again after this many ms. Default 5. */
  every?: number;
  /** What was waited for, for the error. */
  that?: string;
}

/**
 * Waits until the predicate gives a truthy value, and gives that value. A predicate that throws counts as "not yet";
 * its last error is part of the failure.
 */
export async function eventually<T>(
  predicate: () => T | Promise<T>,
  { within = 5000, every = 5, that = 'the condition' }: EventuallyOptions = {},
): Promise<NonNullable<T>> {
  const end = performance.now() + within;
  let last: unknown;
  for (;;) {
    try {
      last = await predicate();
      if (last) return last as NonNullable<T>;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) {
      throw new Error(`${that} did not come true within ${within} ms; last: ${String(last)}`);
    }
    await sleep(every);
  }
}
