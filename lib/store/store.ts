/**
 * THE SEAM between the scheduler (job lifecycle, closures, events) and whatever keeps a limiter's state.
 *
 * A store moves a limiter by one transition, {@link Store.advance}: what was submitted, completed and withdrawn goes
 * in, what happened comes out as an ordered list of {@link Effect}s. It knows tickets, never functions or promises,
 * and it never calls the scheduler: what happens without being asked (another process started one of our tickets,
 * a message came) is emitted as a {@link Notice}.
 *
 * No Redis type may appear in this file.
 */

/** What a store knows of a job. The scheduler's `Job` implements it, so that no second object is needed. */
export interface Ticket {
  /** Number of the submission within this client; given by the store, new for every submission. */
  seq: number;
  /** 0 is the most important. 0 to 9 through the Bottleneck API, 0 to 99 in the engine's own API. */
  readonly priority: number;
  /** What the job takes of `maxConcurrent` and of the reservoir. 0 or more. */
  readonly weight: number;
  /** ms the job may take once it may begin, or null. The store frees its slot by then even if its process is gone. */
  readonly expiration: number | null;
  /** ms to wait before the ticket joins the queue (a retry with backoff, `delay`, `scheduleAt`); 0 for none. */
  readonly delay: number;
  /** Links of the in-process queue; owned by the memory store. */
  next: Ticket | null;
  prev: Ticket | null;
  /** Where the ticket stands; owned by the store. */
  place: Place;
}

export const enum Place {
  /** Not in the store (not yet, or no longer). */
  Outside = 0,
  /** Waiting for its due time. */
  Delayed = 1,
  /** Waiting in the queue. */
  Queued = 2,
  /** Started: its weight counts as running. */
  Started = 3,
}

/** Settings every process of a limiter shares. `null` means unlimited or switched off. Times in ms. */
export interface StoreSettings {
  maxConcurrent: number | null;
  minTime: number;
  highWater: number | null;
  strategy: number;
  penalty: number | null;
  reservoir: number | null;
  reservoirRefreshInterval: number | null;
  reservoirRefreshAmount: number | null;
  reservoirIncreaseInterval: number | null;
  reservoirIncreaseAmount: number | null;
  reservoirIncreaseMaximum: number | null;
  /** `default`: a job leaves the queue when its slot is known and waits out minTime as RUNNING, as Bottleneck does. */
  dispatch: 'default' | 'just-in-time';
  /** Sliding window: at most `windowMax` starts in any `windowDuration` ms. */
  windowMax: number | null;
  windowDuration: number | null;
  /** Token bucket, continuously refilled; a start costs its weight. */
  bucketCapacity: number | null;
  bucketRefillPerSecond: number | null;
}

/** One batch of news for the store. The arrays belong to the store once given. */
export interface Step {
  submitted: Ticket[];
  /** Finished jobs: free their weight, count it as done. */
  completed: Ticket[];
  /** Tickets to take back, queued or started: free their weight, do not count it as done. */
  withdrawn: Ticket[];
  /** Started jobs that go on longer than their expiration says (a retry): free them only `expiresIn` ms from now. */
  renewed: Array<{ ticket: Ticket; expiresIn: number }>;
}

/** What happened to one ticket, in the order in which it happened. */
export type Effect =
  | { kind: 'queued'; ticket: Ticket; reachedHighWater: boolean }
  | { kind: 'started'; ticket: Ticket; wait: number; reservoir: number | null }
  | { kind: 'dropped'; ticket: Ticket; reason: 'shed' | 'blocked' }
  | { kind: 'overweight'; ticket: Ticket; maxConcurrent: number }
  | { kind: 'completed'; ticket: Ticket; running: number };

export interface Outcome {
  effects: Effect[];
  /** ms until time alone can free the head of the queue, or null when nothing waits for time. */
  nextIn: number | null;
}

/** What the store tells unasked. */
export type Notice =
  /** Something happened to our tickets in a step that another process took. */
  | { kind: 'effects'; effects: Effect[] }
  /** Capacity may have appeared: take a step if tickets wait. */
  | { kind: 'capacity' }
  | { kind: 'message'; message: string }
  | { kind: 'debug'; message: string; data: unknown }
  | { kind: 'error'; error: unknown }
  /** The store was closed from outside (its connection was): nothing more will happen. */
  | { kind: 'closed' };

/** Why nothing runs, as data; see `Store.inspect`. */
export interface StoreSnapshot {
  now: number;
  settings: StoreSettings;
  running: number;
  done: number;
  queued: number;
  delayed: number;
  reservoir: number | null;
  nextRequest: number;
  unblockTime: number;
  lastReservoirRefresh: number;
  lastReservoirIncrease: number;
}

export interface Store {
  /** Names this limiter instance in the store. */
  readonly clientId: string;
  /** Resolves once the store can take steps, with the native clients (`{}` in memory). */
  readonly ready: PromiseLike<Record<string, unknown>>;
  /** True when `advance` answers at once. */
  readonly synchronous: boolean;
  /** The settings as last known here. */
  readonly currentSettings: StoreSettings;
  /** Most submissions one step may carry. */
  readonly maxBatch: number;

  /** Where notices go; set once by the scheduler. */
  onNotice: (notice: Notice) => void;

  /** At most one step may be in flight. A store retries until it has the outcome; it rejects only once disconnected. */
  advance(step: Step): Outcome | Promise<Outcome>;

  /** Total weight started and not yet completed, over all processes. */
  running(): Promise<number>;
  /** Total weight completed, over all processes. */
  done(): Promise<number>;
  /** Tickets waiting, over all processes. */
  queued(): Promise<number>;
  /** Whether a ticket of this weight would start at once. */
  check(weight: number): Promise<boolean>;
  reservoir(): Promise<number | null>;
  incrementReservoir(by: number): Promise<number>;
  updateSettings(patch: Partial<StoreSettings>): Promise<void>;
  inspect(): Promise<StoreSnapshot>;
  publish(message: string): Promise<void>;

  /** True when the limiter has been idle for its `timeout`, or its keys are gone. `now` is the caller's `Date.now()`. */
  isExpired(now: number): Promise<boolean>;
  /** Leaves the store. Waiting tickets of this client are taken back; `flush` lets commands already sent finish. */
  disconnect(flush: boolean): Promise<void>;
}
