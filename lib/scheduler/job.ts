import type { Deadline } from '../deadline-heap';
import { NO_ID } from '../options';
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

/** The same before an id was made up for a job that was given none. */
export type GivenJobOptions = Omit<JobOptions, 'id'> & { id: string | null };

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
  declare weight: number;
  declare expiration: number | null;
  declare delay: number;
  nextAnonymous: Job | null = null;
  previousAnonymous: Job | null = null;

  /** `null` once the promise is settled or the job was dropped. */
  state: State | null = State.Received;
  declare retryCount: number;
  /** Counts attempts begun or given up, so that the late result of an expired attempt is recognised. */
  attempt = 0;
  /** The turn of the event loop in which the last attempt began. */
  turn = 0;
  /** The deadline that counts now (start or expiration); older ones still in the heap are stale. */
  declare deadline: JobDeadline | null;
  declare failed: boolean;
  /** Between two attempts, with the slot of the first. */
  declare waitsToRetry: boolean;
  /** Value or error to settle with once the store has freed the slot. */
  result: unknown = undefined;
  /** The async context of whoever scheduled it; null for none. */
  declare context: CallerContext | null;
  /** Called once the store has decided on the submission (the promise that `submit()` returns). */
  declare onDecided: ((reachedHighWater: boolean) => void) | null;

  promise!: PromiseLike<unknown>;
  resolve!: (value: unknown) => void;
  /** Whether its id is made up, which it is when somebody asks for it. */
  declare readonly anonymous: boolean;
  declare private name: string | null;
  declare private givenArgs: unknown[] | null;
  declare private givenOptions: JobOptions | null;

  /** Without an `id` of its own it gets one; `anonymous` when the given one is made up as well. */
  constructor(
    readonly task: Task,
    args: unknown[] | null,
    { priority, weight, expiration, id }: GivenJobOptions,
    anonymous: boolean = id === null,
  ) {
    this.priority = priority;
    if (weight !== 1) this.weight = weight;
    if (expiration !== null) this.expiration = expiration;
    if (id !== null) this.name = id;
    if (!anonymous) this.anonymous = false;
    if (args !== null) this.givenArgs = args;
  }

  get id(): string {
    this.name ??= madeUpId();
    return this.name;
  }

  /** Listeners may change them. */
  get args(): unknown[] {
    this.givenArgs ??= [];
    return this.givenArgs;
  }

  call(): unknown {
    const { task, givenArgs } = this;
    return givenArgs === null ? task() : task(...givenArgs);
  }

  /** What listeners and chained limiters get. Made when somebody asks: of most jobs nobody does. */
  get options(): JobOptions {
    if (this.givenOptions === null) {
      const { priority, weight, expiration, id } = this;
      this.givenOptions = { priority, weight, expiration, id };
    }
    return this.givenOptions;
  }

  /** Takes over what listeners of `received` may have changed in the options. */
  readOptions(): void {
    const { priority, weight, expiration } = this.options;
    this.priority = priority;
    this.weight = weight;
    this.expiration = expiration;
  }

  /** A job that never had one has no room for it. */
  forgetDeadline(): void {
    if (this.deadline !== null) this.deadline = null;
  }

  /** A promise keeps one function to settle it: a rejection is adopted. */
  reject(error: unknown): void {
    this.resolve(Promise.reject(error));
  }

  /** What lets other processes find the job: nothing, through Bottleneck's API. */
  get details(): TicketDetails | null {
    return null;
  }

  get begun(): boolean {
    return this.state !== State.Running && !(this.state === State.Executing && this.waitsToRetry);
  }

  get key(): string {
    return String(this.id);
  }
}

// Most jobs keep these: they are not given room for others.
Object.assign(Job.prototype, {
  ...{ weight: 1, expiration: null, delay: 0 },
  ...{ retryCount: 0, waitsToRetry: false, failed: false },
  ...{ context: null, onDecided: null, deadline: null },
  ...{ anonymous: true, name: null, givenArgs: null, givenOptions: null },
});

let madeUpIds = 0;

/** Ids of jobs that were given none: a counter is enough to make them unique in a process. */
function madeUpId(): string {
  return `${NO_ID}-${(madeUpIds++).toString(36)}`;
}

export interface JobDeadline extends Deadline {
  /** `wait`: it has waited for too long; `hold`: it has a slot of the fleet, and waits for one of this process. */
  kind: 'start' | 'expire' | 'wait' | 'hold';
  job: Job;
}
