/**
 * Time, as the in-process engine sees it. `Date`, `setTimeout` and friends are looked up when they are used, never
 * kept: test suites install fake timers before or after this module is loaded, and take them away again.
 */

/** The longest delay `setTimeout` can take; anything above fires at once. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/**
 * `Date.now()` that never goes back: when the wall clock is set back, time goes on from where it was, so that a limiter
 * never stands still because somebody corrected the clock (Bottleneck issue 134).
 */
export class MonotonicClock {
  private last = Number.NEGATIVE_INFINITY;
  private lastSpan = 0;
  private offset = 0;
  private floor = Number.NEGATIVE_INFINITY;

  now(): number {
    const wall = Date.now();
    // Most readings come within the millisecond of the last one: they need no other clock.
    if (wall !== this.last) this.move(wall);
    return Math.max(wall + this.offset, this.floor);
  }

  private move(wall: number): void {
    const span = spanReading();
    // What passed since the last reading is told by the other clock, where it goes on.
    if (wall < this.last) this.offset += this.last - wall + Math.max(0, span - this.lastSpan);
    this.last = wall;
    this.lastSpan = span;
  }

  /** Takes `time` as reached: a timer set for it has fired, even if `Date` has not moved (a fake `setTimeout` alone). */
  reach(time: number): void {
    if (time > this.floor) this.floor = time;
  }
}

/** ms from any origin, for measuring spans. */
function spanReading(): number {
  return typeof performance === 'object' ? performance.now() : 0;
}

/** `setTimeout` for any delay, Infinity included: long ones are taken in pieces. `cancel` is safe to call twice. */
export interface Timer {
  cancel(): void;
  ref(): void;
  unref(): void;
}

export function startTimer(delay: number, onFire: () => void): Timer {
  let handle: ReturnType<typeof setTimeout> | undefined;
  let clear = clearTimeout;
  let referenced = true;
  const arm = (remaining: number): void => {
    const piece = Math.min(remaining, LONGEST_TIMEOUT);
    clear = clearTimeout;
    handle = setTimeout(() => {
      if (remaining > piece) arm(remaining - piece);
      else onFire();
    }, piece);
    if (!referenced) setReferenced(handle, false);
  };
  arm(Math.max(0, delay));
  return {
    // Cleared by the same family of functions that set it, even when fake timers came or went in between.
    cancel: () => clear(handle),
    ref: () => setReferenced(handle, (referenced = true)),
    unref: () => setReferenced(handle, (referenced = false)),
  };
}

/** Resolves to true when the promise is fulfilled, or to false once `ms` have passed before. */
export async function withinTime(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: Timer | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = startTimer(ms, () => resolve(false));
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    timer?.cancel();
  }
}

function setReferenced(handle: unknown, referenced: boolean): void {
  const node = handle as { ref?: () => void; unref?: () => void } | undefined;
  if (typeof node !== 'object' || node === null) return; // browsers give a number
  if (referenced) node.ref?.();
  else node.unref?.();
}

/** The functions that were there when this module was loaded; they may have been fake ones. */
const atLoad = { setTimeout: globalThis.setTimeout, setImmediate: globalThis.setImmediate };

/**
 * What `afterTurn` uses at the moment. Under fake timers that is `setTimeout` alone, as with Bottleneck: test suites that
 * replace only some functions, or move time without a turn of the real event loop, count on it.
 */
export function turnFunction(): unknown {
  const { setTimeout, setImmediate, MessageChannel } = globalThis;
  if (setTimeout !== atLoad.setTimeout || setImmediate !== atLoad.setImmediate || isFake(setTimeout)) return setTimeout;
  return setImmediate ?? MessageChannel ?? setTimeout;
}

/** Marks that fake-timers (in sinon, jest and vitest) and the mocks of jest leave. */
function isFake(timer: unknown): boolean {
  const marks = timer as { clock?: unknown; _isMockFunction?: unknown };
  return marks.clock !== undefined || marks._isMockFunction === true;
}

/** Runs `fn` after the event loop had a turn for other work. `by`: what `turnFunction()` gives. */
export function afterTurn(fn: () => void, by = turnFunction()): void {
  if (by === globalThis.setImmediate) setImmediate(fn);
  else if (by === globalThis.MessageChannel) afterMessage(fn);
  else setTimeout(fn, 0);
}

function afterMessage(fn: () => void): void {
  const channel = new MessageChannel();
  const onTurn = (): void => {
    channel.port1.close();
    fn();
  };
  (channel.port1 as unknown as { onmessage: () => void }).onmessage = onTurn;
  channel.port2.postMessage(null);
}

const settled = Promise.resolve();

/** Runs `fn` as a microtask. (`queueMicrotask` is replaced by some fake timers; promises are not.) */
export function inMicrotask(fn: () => void): void {
  void settled.then(fn);
}
