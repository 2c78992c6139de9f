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

export const BACKOFF_DEFAULTS: Readonly<Required<BackoffOptions>> = {
  initialMs: 1000,
  factor: 2,
  maxMs: 30_000,
  jitter: 0,
};

/** By default 1, 2, 4, 8 s and so on, at most 30 s. */
export function exponentialBackoff(options: BackoffOptions = {}, random: () => number = Math.random): BackoffFunction {
  const { initialMs, factor, maxMs, jitter } = { ...BACKOFF_DEFAULTS, ...options };
  return (attempt) => {
    const whole = Math.min(maxMs, initialMs * factor ** (attempt - 1));
    return Math.round(whole * (1 - jitter * random()));
  };
}
