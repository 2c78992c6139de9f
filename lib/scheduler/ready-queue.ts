import type { Job } from './job';

/** Room for that many jobs is kept when the queue has run empty. */
const KEPT_ROOM = 64;

/**
 * Jobs whose turn has come, first in, first out. It mostly holds one job or a few, for a moment: its slots are used
 * again, since an array that is emptied gives its memory back only to ask for it with the next job.
 */
export class ReadyQueue {
  private slots: Job[] = [];
  private head = 0;
  private tail = 0;

  get isEmpty(): boolean {
    return this.head === this.tail;
  }

  push(job: Job): void {
    this.slots[this.tail++] = job;
  }

  /** Takes the first job out of a queue that is not empty. */
  shift(): Job {
    const job = this.slots[this.head]!;
    this.slots[this.head++] = undefined as never; // let go of it
    if (this.head === this.tail) this.startOver();
    return job;
  }

  remove(job: Job): void {
    this.slots = this.slots.slice(this.head, this.tail).filter((other) => other !== job);
    this.head = 0;
    this.tail = this.slots.length;
  }

  private startOver(): void {
    this.head = 0;
    this.tail = 0;
    if (this.slots.length > KEPT_ROOM) this.slots = [];
  }
}
