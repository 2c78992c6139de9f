import { startTimer } from '../../clock';
import { RedisCallError } from './clients/call-error';
import type { RedisClient } from './clients/client';

/** ms before the next attempt: doubled each time, up to the maximum. */
const FIRST_DELAY = 20;
const LONGEST_DELAY = 1000;

/** What a call that is given up because its limiter was disconnected rejects with. */
export class StoppedError extends Error {}

/** Tells whoever waits that the limiter was disconnected. Every step waits for it: an `AbortSignal` takes more room. */
export class StopSignal {
  isStopped = false;
  private readonly listeners = new Set<() => void>();

  add(listener: () => void): void {
    this.listeners.add(listener);
  }

  remove(listener: () => void): void {
    this.listeners.delete(listener);
  }

  stop(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    for (const listener of [...this.listeners]) listener();
  }
}

export interface RetryOptions {
  /** Gives up when it is given. */
  signal: StopSignal;
  onError: (error: unknown) => void;
  /** Tried when a script fails, which only broken keys can cause. */
  repair: () => Promise<void>;
  /** A lost connection is waited for no longer than until it is back. */
  whenReady: RedisClient;
}

/**
 * Calls until it succeeds. The same failure in a row is told once.
 * @param failed what the caller's own first attempt failed with
 */
export async function retrying<T>(
  call: () => Promise<T>,
  options: RetryOptions,
  failed?: { readonly error: unknown },
): Promise<T> {
  const { signal } = options;
  let delay = FIRST_DELAY;
  let told = '';
  let failure = failed;
  for (;;) {
    if (signal.isStopped) throw new StoppedError('disconnected');
    try {
      if (failure === undefined) return await orStopped(call(), signal);
    } catch (error) {
      if (signal.isStopped) throw new StoppedError('disconnected');
      failure = { error };
    }
    told = await recover(failure!.error, told, options);
    failure = undefined;
    await pause(delay, options);
    delay = Math.min(2 * delay, LONGEST_DELAY);
  }
}

/** Tells of a failure and mends what can be mended. Returns what the failure is known by. */
async function recover(error: unknown, told: string, { onError, repair }: RetryOptions): Promise<string> {
  const known = error instanceof RedisCallError;
  const failure = known ? `${error.kind} ${error.code}` : String(error);
  if (failure !== told) onError(known ? error.cause : error);
  if (known && error.kind === 'script') await repair().catch(() => {});
  return failure;
}

/** The promise, or a rejection once it is given up. */
export function orStopped<T>(promise: PromiseLike<T>, signal: StopSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new StoppedError('disconnected'));
    signal.add(stop);
    promise.then(
      (value) => {
        signal.remove(stop);
        resolve(value);
      },
      (error: unknown) => {
        signal.remove(stop);
        reject(error);
      },
    );
  });
}

/** Waits, at most until the connection is back. */
function pause(delay: number, { signal, whenReady }: RetryOptions): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      offReady();
      signal.remove(end);
      resolve();
    };
    const timer = startTimer(delay, end);
    const offReady = whenReady.onReady(end);
    signal.add(end);
  });
}
