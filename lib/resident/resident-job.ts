import { Job } from '../scheduler/job';
import type { TicketDetails } from '../store/store';
import type { JobCancelledError } from './errors';
import type { ResolvedSchedule } from './options';
import type { JobContext, JobFunction } from './types';

/** What the limiter does when a job has ended, before its promise settles. */
export interface JobEndings {
  succeeded(job: ResidentJob): void;
  /** The error to reject with. */
  failed(job: ResidentJob, error: unknown): unknown;
}

/** A job of the engine's own API on its way through the scheduler. */
export class ResidentJob extends Job {
  /** Set when somebody asked it to end: it is not tried again, whatever the attempt comes to. */
  cancelled: JobCancelledError | null = null;
  /** Set when it is given up: what to reject with in place of the attempt's error. */
  finalError: unknown = undefined;
  /** When it has waited for too long, by the limiter's clock. */
  waitUntil = Number.POSITIVE_INFINITY;
  readonly maxRetries: number;
  private readonly stored: TicketDetails;
  private controller: AbortController | null = null;
  private settle!: { resolve: (value: unknown) => void; reject: (error: unknown) => void };

  constructor(
    fn: JobFunction<unknown>,
    { priority, weight, expiration, id, ...more }: ResolvedSchedule,
    madeUpId: string,
    endings: JobEndings,
  ) {
    const self: ResidentJob[] = [];
    super(
      (job: ResidentJob) => fn(job.begin()),
      self,
      { priority, weight, expiration, id: id ?? madeUpId },
      id === null,
    );
    self.push(this);
    this.maxRetries = more.maxRetries;
    this.delay = more.delay;
    this.stored = { id: id ?? madeUpId, attempt: 0, dueAt: more.dueAt, data: more.data };
    this.promise = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    this.resolve = (value) => {
      endings.succeeded(this);
      this.settle.resolve(value);
    };
    this.endings = endings;
  }

  private readonly endings: JobEndings;

  override get details(): TicketDetails {
    return this.stored;
  }

  override reject(error: unknown): void {
    this.settle.reject(this.endings.failed(this, error));
  }

  /** ms until it joins the queue, as far as this process can tell. */
  get waitBeforeQueue(): number {
    const { dueAt } = this.stored;
    return dueAt === null || this.seq !== 0 ? this.delay : Math.max(0, dueAt - Date.now());
  }

  /** Failed attempts so far count, and the next is to begin only as `requeue` says. */
  failAttempt(): void {
    this.stored.attempt++;
    this.stored.dueAt = null;
  }

  abort(reason: unknown): void {
    this.controller?.abort(reason);
  }

  private begin(): JobContext {
    this.controller = new AbortController();
    const { id, attempt } = this.stored;
    return { id, attempt: attempt + 1, priority: this.priority, signal: this.controller.signal };
  }
}
