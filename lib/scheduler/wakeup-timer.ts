import { startTimer, type Timer } from '../clock';

/** How much too early a real timer fires at most (its clock and `Date` round differently). More means fake timers. */
const TIMER_JITTER = 2;

/**
 * One timer that only moves earlier. Asking for a later time than the one it is set to changes nothing: the owner
 * looks at what is due when it fires, and asks again.
 *
 * Fires `onWake(due)` where `due` is the time to treat as reached: the time it was set for, even when `Date` did not
 * move along (a fake `setTimeout` with a real `Date`).
 */
export class WakeupTimer {
  private timer: Timer | null = null;
  private at = Number.POSITIVE_INFINITY;
  /** The `setTimeout` in force when the timer was set: after a change of it the old timer may never fire. */
  private setWith: unknown = null;

  constructor(
    private readonly now: () => number,
    private readonly onWake: (due: number) => void,
  ) {}

  get armed(): boolean {
    return this.timer !== null;
  }

  /** Wakes at `at` or earlier. */
  wakeAt(at: number): void {
    if (this.timer !== null) {
      if (at >= this.at && this.setWith === globalThis.setTimeout) return;
      at = Math.min(at, this.at);
      this.timer.cancel();
    }
    this.arm(at);
  }

  cancel(): void {
    this.timer?.cancel();
    this.timer = null;
    this.at = Number.POSITIVE_INFINITY;
  }

  private arm(at: number): void {
    this.at = at;
    this.setWith = globalThis.setTimeout;
    this.timer = startTimer(Math.ceil(at - this.now()), () => this.fire());
  }

  private fire(): void {
    const early = this.at - this.now();
    if (early > 0 && early <= TIMER_JITTER) {
      this.arm(this.at);
      return;
    }
    const due = Math.max(this.at, this.now());
    this.timer = null;
    this.at = Number.POSITIVE_INFINITY;
    this.onWake(due);
  }
}
