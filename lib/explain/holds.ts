/** Which limits hold a start: the rules of the memory store, asked one by one. */
import {
  bucketWait,
  createState,
  type LimiterState,
  nextRefill,
  Strategy,
  windowWait,
} from '../store/memory/transitions';
import type { QueueSnapshot } from '../store/store';
import type { Hold } from './explanation';

/** The state that a snapshot shows, without its tickets. */
export function stateOf(snapshot: QueueSnapshot): LimiterState {
  const { settings, now, running, done, reservoir, nextRequest, unblockTime } = snapshot;
  return {
    ...createState({ ...settings }, now),
    running,
    done,
    reservoir,
    nextRequest,
    unblockTime,
    lastReservoirRefresh: snapshot.lastReservoirRefresh,
    lastReservoirIncrease: snapshot.lastReservoirIncrease,
    windowStarts: [...snapshot.windowStarts],
    bucketTokens: snapshot.bucketTokens,
  };
}

/** What keeps a job of that weight, first in the queue since `since`, from starting. The longest comes first. */
export function holdsOf(snapshot: QueueSnapshot, weight: number, since: number | null): Hold[] {
  const state = stateOf(snapshot);
  const heldSince = heldFrom(snapshot, since);
  return [
    ...blocked(snapshot),
    ...concurrency(snapshot, weight, heldSince),
    ...reservoir(state, snapshot, weight, heldSince),
    ...window(state, snapshot, heldSince),
    ...bucket(state, snapshot, weight, heldSince),
    ...spacing(snapshot, heldSince),
    ...sharing(snapshot, heldSince),
  ].sort(longestFirst);
}

/** Nothing has moved since the last start. (One that is still to come tells nothing.) */
function heldFrom({ now, nextRequest, settings }: QueueSnapshot, since: number | null): number | null {
  const lastStart = nextRequest - settings.minTime;
  if (since === null) return lastStart <= now && lastStart > 0 ? lastStart : null;
  return lastStart <= now ? Math.max(since, lastStart) : since;
}

/** Those that do not end by themselves are the longest. */
function longestFirst(a: Hold, b: Hold): number {
  return (b.until ?? Number.POSITIVE_INFINITY) - (a.until ?? Number.POSITIVE_INFINITY) || 0;
}

function blocked({ settings, unblockTime, now }: QueueSnapshot): Hold[] {
  if (settings.strategy !== Strategy.BLOCK || unblockTime < now) return [];
  return [{ by: 'blocked', waitsFor: 'time', since: null, until: unblockTime }];
}

function concurrency({ settings, running }: QueueSnapshot, weight: number, since: number | null): Hold[] {
  const { maxConcurrent } = settings;
  if (maxConcurrent === null || weight <= maxConcurrent - running) return [];
  return [{ by: 'maxConcurrent', waitsFor: 'completion', since, until: null, maxConcurrent, running, weight }];
}

function reservoir(state: LimiterState, snapshot: QueueSnapshot, weight: number, since: number | null): Hold[] {
  const { reservoir: left } = snapshot;
  if (left === null || weight <= left) return [];
  const until = nextRefill(state);
  return [{ by: 'reservoir', waitsFor: until === null ? 'increment' : 'time', since, until, reservoir: left, weight }];
}

function window(state: LimiterState, { now, settings }: QueueSnapshot, since: number | null): Hold[] {
  const wait = windowWait(state, now);
  if (wait === 0) return [];
  const { windowMax, windowDuration } = settings;
  return [{ by: 'window', waitsFor: 'time', since, until: now + wait, max: windowMax!, duration: windowDuration! }];
}

function bucket(state: LimiterState, { now }: QueueSnapshot, weight: number, since: number | null): Hold[] {
  const wait = bucketWait(state, weight);
  if (wait === 0) return [];
  const tokens = state.bucketTokens!;
  if (wait === Number.POSITIVE_INFINITY)
    return [{ by: 'bucket', waitsFor: 'increment', since, until: null, tokens, weight }];
  return [{ by: 'bucket', waitsFor: 'time', since, until: now + wait, tokens, weight }];
}

function spacing({ now, nextRequest, settings }: QueueSnapshot, since: number | null): Hold[] {
  const { minTime } = settings;
  return nextRequest <= now ? [] : [{ by: 'minTime', waitsFor: 'time', since, until: nextRequest, minTime }];
}

function sharing({ yields }: QueueSnapshot, since: number | null): Hold[] {
  return yields ? [{ by: 'sharing', waitsFor: 'time', since, until: null }] : [];
}
