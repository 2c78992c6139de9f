import type { Deadline } from '../deadline-heap';
import { Place, type Ticket } from '../store/store';
import { State } from './job-states';

/** Job options as used: checked, with defaults filled in. */
export interface JobOptions {
  priority: number;
  weight: number;
  /** ms, or null for no limit. */
  expiration: number | null;
  id: string;
}

export type Task = (...args: any[]) => unknown;

/** A scheduled function on its way through the limiter. It is its own ticket: what the store sees are those fields. */
export class Job implements Ticket {
  seq = 0;
  next: Ticket | null = null;
  prev: Ticket | null = null;
  place = Place.Outside;
  readonly priority: number;
  readonly weight: number;
  readonly expiration: number | null;
  delay = 0;

  /** `null` once the promise is settled or the job was dropped. */
  state: State | null = State.Received;
  retryCount = 0;
  /** Counts attempts begun or given up, so that the late result of an expired attempt is recognised. */
  attempt = 0;
  /** The turn of the event loop in which the last attempt began. */
  turn = 0;
  /** The deadline that counts now (start or expiration); older ones still in the heap are stale. */
  deadline: JobDeadline | null = null;
  failed = false;
  /** Value or error to settle with once the store has freed the slot. */
  result: unknown = undefined;
  /** Called once the store has decided on the submission (the promise that `submit()` returns). */
  onDecided: ((reachedHighWater: boolean) => void) | null = null;

  promise!: PromiseLike<unknown>;
  resolve!: (value: unknown) => void;
  reject!: (error: unknown) => void;

  constructor(
    readonly task: Task,
    readonly args: unknown[],
    readonly options: JobOptions,
  ) {
    this.priority = options.priority;
    this.weight = options.weight;
    this.expiration = options.expiration;
  }

  get key(): string {
    return String(this.options.id);
  }
}

export interface JobDeadline extends Deadline {
  kind: 'start' | 'expire';
  job: Job;
}
