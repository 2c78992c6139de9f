import type { Deadline } from '../deadline-heap';
import { Place, type Ticket, type TicketDetails } from '../store/store';
import type { CallerContext } from './caller-context';
import { State } from './job-states';

/** Job options as used: checked, with defaults filled in. */
export interface JobOptions {
  priority: number;
  weight: number;
  /** ms, or null for no limit. */
  expiration: number | null;
  id: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a job takes and gives whatever its caller agreed with itself
export type Task = (...args: any[]) => unknown;

/** A scheduled function on its way through the limiter. It is its own ticket: what the store sees are those fields. */
export class Job implements Ticket {
  seq = 0;
  next: Ticket | null = null;
  prev: Ticket | null = null;
  place = Place.Outside;
  queuedAt = 0;
  priority: number;
  weight: number;
  expiration: number | null;
  delay = 0;
  nextAnonymous: Job | null = null;
  previousAnonymous: Job | null = null;

  /** `null` once the promise is settled or the job was dropped. */
  state: State | null = State.Received;
  retryCount = 0;
  /** Counts attempts begun or given up, so that the late result of an expired attempt is recognised. */
  attempt = 0;
  /** The turn of the event loop in which the last attempt began. */
  turn = 0;
  /** The deadline that counts now (start or expiration); older ones still in the heap are stale. */
  deadline: JobDeadline | null = null;
  declare failed: boolean;
  /** Value or error to settle with once the store has freed the slot. */
  result: unknown = undefined;
  /** The async context of whoever scheduled it; null for none. */
  declare context: CallerContext | null;
  /** Called once the store has decided on the submission (the promise that `submit()` returns). */
  declare onDecided: ((reachedHighWater: boolean) => void) | null;

  promise!: PromiseLike<unknown>;
  resolve!: (value: unknown) => void;
  readonly id: string;
  private givenOptions: JobOptions | null = null;

  constructor(
    readonly task: Task,
    readonly args: unknown[],
    { priority, weight, expiration, id }: JobOptions,
    /** Whether its id was made up. */
    readonly anonymous: boolean,
  ) {
    this.priority = priority;
    this.weight = weight;
    this.expiration = expiration;
    this.id = id;
  }

  /** What listeners and chained limiters get. Made when somebody asks: of most jobs nobody does. */
  get options(): JobOptions {
    const { priority, weight, expiration, id } = this;
    this.givenOptions ??= { priority, weight, expiration, id };
    return this.givenOptions;
  }

  /** Takes over what listeners of `received` may have changed in the options. */
  readOptions(): void {
    const { priority, weight, expiration } = this.options;
    this.priority = priority;
    this.weight = weight;
    this.expiration = expiration;
  }

  /** A promise keeps one function to settle it: a rejection is adopted. */
  reject(error: unknown): void {
    this.resolve(Promise.reject(error));
  }

  /** What lets other processes find the job: nothing, through Bottleneck's API. */
  get details(): TicketDetails | null {
    return null;
  }

  get key(): string {
    return String(this.id);
  }
}

// Most jobs have none of these: they are not given room for it.
Job.prototype.context = null;
Job.prototype.failed = false;
Job.prototype.onDecided = null;

export interface JobDeadline extends Deadline {
  /** `wait`: it has waited for too long; `hold`: it has a slot of the fleet, and waits for one of this process. */
  kind: 'start' | 'expire' | 'wait' | 'hold';
  job: Job;
}
