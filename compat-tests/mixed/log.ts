import type { Kind } from './protocol';

export interface Run {
  member: string;
  kind: Kind;
  weight: number;
  /** By the server's clock, ms. */
  start: number;
  /** Infinity while it has not ended. */
  end: number;
}

/** What the jobs of a fleet did, by the server's clock. */
export class Log {
  readonly runs: Run[] = [];
  private readonly byJob = new Map<string, Run>();
  private readonly goneAt = new Map<string, number>();

  start(member: string, kind: Kind, job: string, weight: number, at: number): void {
    // What a process told before it was killed may arrive afterwards.
    const run: Run = { member, kind, weight, start: at, end: this.goneAt.get(member) ?? Number.POSITIVE_INFINITY };
    this.runs.push(run);
    this.byJob.set(job, run);
  }

  end(job: string, at: number): void {
    const run = this.byJob.get(job);
    if (run !== undefined) run.end = at;
  }

  /** A process was killed: nothing of it runs any more. */
  gone(member: string, at: number): void {
    this.goneAt.set(member, at);
    for (const run of this.runs) if (run.member === member && run.end > at) run.end = at;
  }

  /** Start times, sorted. */
  starts(of: (run: Run) => boolean = () => true): number[] {
    return this.runs
      .filter(of)
      .map((run) => run.start)
      .sort((a, b) => a - b);
  }

  count(kind: Kind): number {
    return this.runs.filter((run) => run.kind === kind).length;
  }

  /** The most weight that ran at one instant. A job that ends in the ms in which another starts does not overlap it. */
  peak(): number {
    const edges = this.runs.flatMap(({ start, end, weight }) => [
      { at: start, change: weight },
      { at: end, change: -weight },
    ]);
    edges.sort((a, b) => a.at - b.at || a.change - b.change);
    let running = 0;
    let peak = 0;
    for (const { change } of edges) {
      running += change;
      peak = Math.max(peak, running);
    }
    return peak;
  }

  /** The most starts in any span of `ms`. */
  mostStartsWithin(ms: number): number {
    const starts = this.starts();
    let most = 0;
    let first = 0;
    starts.forEach((start, i) => {
      while (start - starts[first]! >= ms) first++;
      most = Math.max(most, i - first + 1);
    });
    return most;
  }

  /** The longest time without a start. */
  longestGap(of?: (run: Run) => boolean): number {
    const starts = this.starts(of);
    return Math.max(0, ...starts.slice(1).map((start, i) => start - starts[i]!));
  }

  /**
   * Starts of each kind while both still had something to start: what comes after the last start of one of them says
   * nothing about shares. (Ours have one queue: which of them starts is a matter of arrival.)
   */
  shares(): { real: number; ours: number } {
    const last = (kind: Kind): number => Math.max(...this.starts((run) => run.kind === kind));
    const end = Math.min(last('real'), last('ours'));
    const count = (kind: Kind): number => this.starts((run) => run.kind === kind && run.start <= end).length;
    return { real: count('real'), ours: count('ours') };
  }
}
