import { afterTurn, startTimer, type Timer } from '../../clock';
import { type AdvanceReply, type ClientMessage, isNumbered, type RawEffect } from './replies';

/**
 * Scripts number what they tell a client. Some of it comes in replies and some in messages, on two connections: here it
 * is put into order again, and a number that never comes is noticed.
 */
export class NoticeOrder {
  /** Number of the last notice that was delivered. */
  heard = 0;
  private readonly early = new Map<number, RawEffect[]>();
  private timer: Timer | null = null;
  /** A reply that waits for messages before it. */
  private waiting: { until: number; resume: () => void } | null = null;

  constructor(
    private readonly deliver: (effects: RawEffect[]) => void,
    private readonly patience: number,
    private readonly onLost: () => void,
  ) {}

  /** Whether something came whose predecessors have not. */
  get isWaiting(): boolean {
    return this.early.size > 0 || this.timer !== null;
  }

  takeMessage({ firstNotice, effects }: ClientMessage): void {
    if (firstNotice + effects.length - 1 <= this.heard) return; // told again
    if (firstNotice > this.heard + 1) {
      this.early.set(firstNotice, effects);
      this.wait();
      return;
    }
    const fresh = effects.slice(this.heard + 1 - firstNotice);
    this.heard = firstNotice + effects.length - 1;
    this.deliver(fresh);
    this.afterDelivery();
  }

  /**
   * Counts the effects of a reply as heard, once all that was told before has been delivered (or given up): at once, or
   * when the promise resolves.
   * @param restarted the script may have begun to count anew, since the client had nothing there
   */
  takeReply(reply: AdvanceReply, restarted: boolean): Promise<void> | null {
    const { firstNotice, notices } = reply;
    if (restarted) this.restart(firstNotice > 0 ? firstNotice - 1 : notices);
    if (firstNotice > this.heard + 1) return this.waitUntil(firstNotice - 1).then(() => this.countReply(reply));
    this.countReply(reply);
    return null;
  }

  private countReply({ firstNotice, notices, effects }: AdvanceReply): void {
    if (firstNotice > 0) {
      this.heard = Math.max(this.heard, firstNotice - 1 + countNumbered(effects));
      // What came early is told at once, and this reply goes through promises first.
      if (this.isWaiting || this.waiting !== null) afterTurn(() => this.afterDelivery());
    } else if (notices > this.heard) this.wait();
  }

  /** Everything up to `heard` has been dealt with in another way. */
  restart(heard: number): void {
    this.heard = heard;
    for (const first of [...this.early.keys()]) if (first <= heard) this.early.delete(first);
    this.afterDelivery();
  }

  /** Nothing that came too early counts any more. */
  forget(): void {
    this.early.clear();
  }

  stop(): void {
    this.timer?.cancel();
    this.timer = null;
    this.early.clear();
    this.resumeReply();
  }

  private afterDelivery(): void {
    for (;;) {
      const next = this.early.get(this.heard + 1);
      if (next === undefined) break;
      this.early.delete(this.heard + 1);
      this.heard += next.length;
      this.deliver(next);
    }
    if (this.waiting !== null && this.heard >= this.waiting.until) this.resumeReply();
    if (this.early.size === 0 && this.waiting === null) {
      this.timer?.cancel();
      this.timer = null;
    }
  }

  private waitUntil(until: number): Promise<void> {
    return new Promise((resume) => {
      this.waiting = { until, resume };
      this.wait();
    });
  }

  private resumeReply(): void {
    const waiting = this.waiting;
    this.waiting = null;
    waiting?.resume();
  }

  private wait(): void {
    if (this.timer !== null) return;
    this.timer = startTimer(this.patience, () => {
      this.timer = null;
      this.resumeReply();
      this.onLost();
    });
    this.timer.unref();
  }
}

function countNumbered(effects: readonly RawEffect[]): number {
  let count = 0;
  for (const effect of effects) if (isNumbered(effect)) count += effect.count;
  return count;
}
