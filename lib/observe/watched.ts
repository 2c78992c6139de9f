/** What metrics and tracing need of limiters and Groups, whichever entry of this package they come from. */
import { type Instrument, type Instrumented, instrument } from '../scheduler/instrument';
import type { JobStates } from '../scheduler/job-states';
import type { WatchedGroup, WatchedLimiter } from './types';

interface Inside extends Instrumented {
  readonly states: JobStates<never>;
}

/** @throws {TypeError} for what is no limiter of this package. */
export function schedulerOf(limiter: WatchedLimiter): Inside {
  const { _scheduler, scheduler } = limiter as { _scheduler?: Inside; scheduler?: Inside };
  const found = _scheduler ?? scheduler;
  if (found?.states === undefined || !('instrument' in found)) {
    throw new TypeError('only limiters of rebottle can be watched, not those of bottleneck');
  }
  return found;
}

/** @returns a function that ends it. */
export function watch(limiter: WatchedLimiter, watcher: Instrument): () => void {
  return instrument(schedulerOf(limiter), watcher);
}

/** Calls `begin` for all limiters of a Group, those to come too. @returns a function that ends it. */
export function watchEach(
  group: WatchedGroup,
  begin: (limiter: WatchedLimiter, key: string) => () => void,
): () => void {
  const ends = new Set<WeakRef<() => void>>();
  const limiters = new WeakMap<WatchedLimiter, () => void>();
  let ended = false;
  const add = (limiter: WatchedLimiter, key: string): void => {
    if (ended || limiters.has(limiter)) return;
    const end = begin(limiter, key);
    // A Group lets go of its limiters, and so must we.
    limiters.set(limiter, end);
    ends.add(new WeakRef(end));
  };
  group.on('created', add);
  for (const { limiter, key } of group.limiters()) add(limiter, key);
  return () => {
    ended = true;
    for (const end of ends) end.deref()?.();
  };
}
