import { afterTurn, turnFunction } from '../clock';

/** Jobs begun without giving the event loop a turn, at most; and ms spent on them, at most. */
const TURN_JOBS = 512;
const TURN_MS = 8;
/** The clock is read once per that many jobs. */
const CHECK_EVERY = 8;

/**
 * Bounds the work done within one turn of the event loop, so that timers and sockets are served while thousands of
 * synchronous jobs drain. Costs one `setImmediate` for each turn in which jobs begin.
 */
class Turn {
  /** Number of the turn, as far as this object was asked to tell turns apart. */
  current = 0;
  private begun = 0;
  private startedAt = 0;
  private armed = false;
  /** What was asked for the next turn: a fake function may never answer. */
  private armedWith: unknown = null;
  private postponed: Array<() => void> = [];

  /** Notes that a job begins. */
  count(): void {
    if (this.begun++ > 0) return;
    this.startedAt = preciseNow();
    this.arm();
  }

  hasTime(): boolean {
    if (this.begun < CHECK_EVERY || this.begun % CHECK_EVERY !== 0) return true;
    return this.begun < TURN_JOBS && preciseNow() - this.startedAt < TURN_MS;
  }

  /** Runs `fn` in the next turn. */
  next(fn: () => void): void {
    this.postponed.push(fn);
    this.arm();
  }

  private arm(): void {
    const by = turnFunction();
    if (this.armed && this.armedWith === by) return;
    this.armed = true;
    this.armedWith = by;
    afterTurn(this.begin, by);
  }

  private readonly begin = (): void => {
    this.armed = false;
    this.begun = 0;
    this.current++;
    if (this.postponed.length === 0) return;
    const due = this.postponed;
    this.postponed = [];
    for (const fn of due) fn();
  };
}

/** A reading for measuring short spans; under a fake or missing `performance` turns end by count alone. */
function preciseNow(): number {
  return typeof performance === 'object' ? performance.now() : Date.now();
}

/** The turns of this process: all its limiters share one event loop. */
export const turn = new Turn();
