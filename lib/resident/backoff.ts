import type { BackoffFunction, BackoffOptions } from './types';

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
