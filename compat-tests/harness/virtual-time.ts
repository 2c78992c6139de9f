/**
 * Virtual time in which two schedulers of different making can be compared to the millisecond.
 *
 * Bottleneck takes several `setTimeout(0)` hops for each submission, registration and release; Node turns each into at
 * least 1 ms. Where such a hop is made is an accident of its code, so here a delay of 0 takes no time at all: it means
 * "at this same instant, after everything that is already due". All of that work is drained (with the microtasks between)
 * before time moves on. Between two instants a limiter is therefore quiescent, and that is when it is looked at.
 */
import { type Clock, withGlobal } from '@sinonjs/fake-timers';

const FAKED = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'performance',
] as const;

/** A timer takes 31 bits. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

const ORIGIN = Date.UTC(2024, 0, 1);

type Callback = (...args: unknown[]) => void;

/** A callback that waits for nothing but its turn. */
class Hop {
  cancelled = false;
  constructor(readonly run: () => void) {}
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}

const fakeTimers = withGlobal(globalThis);
const realSetImmediate = globalThis.setImmediate;

/** Lets every microtask run, and everything that microtasks start. */
function drainMicrotasks(): Promise<void> {
  return new Promise((resolve) => realSetImmediate(resolve));
}

export class VirtualTime {
  private readonly clock: Clock;
  private readonly hops: Hop[] = [];
  private drift = 0;

  /**
   * Replaces the global timers and `Date`; `uninstall` puts them back. With timed `hops` each costs 1 ms, as under Node: for
   * what can only be seen while one is under way.
   */
  constructor({ hops = 'free' }: { hops?: 'free' | 'timed' } = {}) {
    this.clock = fakeTimers.install({ now: ORIGIN, toFake: [...FAKED] });
    if (hops === 'free') this.makeHopsFree();
    else this.makeHopsCost();
  }

  /** Virtual ms since the start. A wall clock that was set does not change it. */
  get now(): number {
    return this.clock.now - this.drift - ORIGIN;
  }

  /** How many timers are waiting for their time. */
  get timers(): number {
    return this.clock.countTimers();
  }

  /** Sets the wall clock by so many ms; timers already running are not affected. */
  shiftWallClock(by: number): void {
    this.clock.setSystemTime(this.clock.now + by);
    this.drift += by;
  }

  /** Runs everything that needs no time. */
  async settle(): Promise<void> {
    for (;;) {
      await drainMicrotasks();
      const hop = this.hops.shift();
      if (!hop) return;
      if (!hop.cancelled) hop.run();
    }
  }

  /** Lets time pass until `at` ms after the start; whatever is due then has happened on return. */
  async until(at: number): Promise<void> {
    await this.settle();
    while (at > this.now) await this.pass(Math.min(at - this.now, LONGEST_TIMEOUT));
  }

  private async pass(ms: number): Promise<void> {
    let arrived = false;
    this.clock.setTimeout(() => {
      arrived = true;
    }, ms);
    while (!arrived) {
      await this.fireNextInstant();
      await this.settle();
    }
  }

  async sleep(ms: number): Promise<void> {
    await this.until(this.now + ms);
  }

  uninstall(): void {
    this.clock.uninstall();
    this.hops.length = 0;
  }

  /** Fires all timers of the next instant at which there are any, each with its microtasks, as Node does. */
  private async fireNextInstant(): Promise<void> {
    this.clock.next();
    for (;;) {
      const due = nextDue(this.clock);
      if (due === undefined || due > this.clock.now) return;
      await drainMicrotasks();
      this.clock.next();
    }
  }

  /** Node turns a delay of 0 into 1 ms; fake-timers does so only for timers set by a timer. */
  private makeHopsCost(): void {
    const { setTimeout: delayed } = globalThis;
    const timeout = (run: Callback, delay?: number, ...args: unknown[]): unknown =>
      delayed(run, Number(delay) >= 1 ? delay : 1, ...args);
    Object.assign(globalThis, { setTimeout: timeout });
  }

  private makeHopsFree(): void {
    const { setTimeout: delayed, clearTimeout: clearDelayed } = globalThis;
    const hop = (run: () => void): Hop => {
      const made = new Hop(run);
      this.hops.push(made);
      return made;
    };
    const clear = (handle: unknown): void => {
      if (handle instanceof Hop) handle.cancelled = true;
      else clearDelayed(handle as NodeJS.Timeout);
    };
    const timeout = (run: Callback, delay?: number, ...args: unknown[]): unknown =>
      Number(delay) >= 1 ? delayed(run, delay, ...args) : hop(() => run(...args));
    const immediate = (run: Callback, ...args: unknown[]): unknown => hop(() => run(...args));
    Object.assign(globalThis, { setTimeout: timeout, clearTimeout: clear });
    Object.assign(globalThis, { setImmediate: immediate, clearImmediate: clear });
  }
}

/** When the next timer is due. fake-timers has no public way to ask without firing it. */
function nextDue(clock: Clock): number | undefined {
  const { timerHeap } = clock as unknown as { timerHeap?: { peek(): { callAt: number } | undefined } };
  if (typeof timerHeap?.peek !== 'function') throw new Error('This version of fake-timers keeps its timers elsewhere');
  return timerHeap.peek()?.callAt;
}
