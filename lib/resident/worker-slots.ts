import { type Deadline, DeadlineHeap } from '../deadline-heap';
import type { Job } from '../scheduler/job';
import { State } from '../scheduler/job-states';

interface Waiting extends Deadline {
  job: Job;
  begin: (job: Job) => void;
}

/**
 * How many jobs this process executes at once, whichever limiters they belong to. Jobs that have a slot of their
 * limiter and find none here wait in the order of priority, then arrival.
 */
export class WorkerSlots {
  private readonly holders = new Set<Job>();
  private readonly waiting = new DeadlineHeap<Waiting>();

  constructor(readonly limit: number) {}

  /** Jobs that execute now. */
  get taken(): number {
    return this.holders.size;
  }

  /** Whether a job that has its slot of the limiter finds no worker now. */
  turnsAway(job: Job): boolean {
    return this.taken >= this.limit && !this.holders.has(job);
  }

  /** True when the job may execute; else `begin` is called once it may, unless it ended before. */
  take(job: Job, begin: (job: Job) => void): boolean {
    if (this.holders.has(job)) return true;
    if (this.holders.size < this.limit) {
      this.holders.add(job);
      return true;
    }
    this.waiting.push({ at: job.priority, order: 0, job, begin });
    return false;
  }

  free(job: Job): void {
    if (!this.holders.delete(job)) return;
    while (this.holders.size < this.limit) {
      const next = this.waiting.pop();
      if (next === undefined) return;
      // It was dropped while it waited, or its start was taken back and given again.
      if (next.job.state !== State.Running || this.holders.has(next.job)) continue;
      this.holders.add(next.job);
      next.begin(next.job);
    }
  }
}
