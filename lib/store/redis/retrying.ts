import { startTimer } from '../../clock';
import { RedisCallError } from './clients/call-error';
import type { RedisClient } from './clients/client';

/** ms before the next attempt: doubled each time, up to the maximum. */
const FIRST_DELAY = 20;
const LONGEST_DELAY = 1000;

/** What a call that is given up because its limiter was disconnected rejects with. */
export class StoppedError extends Error {}

export interface RetryOptions {
  /** Gives up when it is aborted. */
  signal: AbortSignal;
  onError: (error: unknown) => void;
  /** Tried when a script fails, which only broken keys can cause. */
  repair: () => Promise<void>;
  /** A lost connection is waited for no longer than until it is back. */
  whenReady: RedisClient;
}

/** Calls until it succeeds. The same failure in a row is told once. */
export async function retrying<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
  let delay = FIRST_DELAY;
  let told = '';
  for (;;) {
    if (options.signal.aborted) throw new StoppedError('disconnected');
    try {
      return await orStopped(call(), options.signal);
    } catch (error) {
      if (options.signal.aborted) throw new StoppedError('disconnected');
      const failure = error instanceof RedisCallError ? `${error.kind} ${error.code}` : String(error);
      if (failure !== told) options.onError(error instanceof RedisCallError ? error.cause : error);
      told = failure;
      if (error instanceof RedisCallError && error.kind === 'script') await options.repair().catch(() => {});
    }
    await pause(delay, options);
    delay = Math.min(2 * delay, LONGEST_DELAY);
  }
}

/** The promise, or a rejection once it is given up. */
export function orStopped<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new StoppedError('disconnected'));
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Waits, at most until the connection is back. */
function pause(delay: number, { signal, whenReady }: RetryOptions): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      offReady();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = startTimer(delay, end);
    const offReady = whenReady.onReady(end);
    signal.addEventListener('abort', end, { once: true });
  });
}
