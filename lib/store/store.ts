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
  delay: number;
  /** Of a started ticket: its function has been called, or it was dropped; the start cannot be taken back. */
  readonly begun: boolean;
  /** What lets anybody find the job from any process, or null for a job that nobody will ask for. */
  readonly details: TicketDetails | null;
  /** Links of the in-process queue; owned by the memory store. */
  next: Ticket | null;
  prev: Ticket | null;
  /** Where the ticket stands; owned by the store. */
  place: Place;
  /** ms from the making of the limiter until it joined the queue; owned by the memory store. */
  queuedAt: number;
}

/** What is stored of a job beside its ticket; only the Redis store keeps it. */
export interface TicketDetails {
  /** Names the job in all processes; no two that wait or run may have the same. */
  readonly id: string;
  /** Attempts that came before. */
  attempt: number;
  /** By the store's clock, ms: the ticket joins the queue only then; null for at once, or after `delay`. */
  dueAt: number | null;
  /** Whatever the user wants to find there, as JSON; null for nothing. */
  readonly data: string | null;
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

/** `cancelled` and `reset`: somebody, maybe in another process, took the ticket out. */
export type DropReason = 'shed' | 'blocked' | 'cancelled' | 'reset';

/** What happened to one ticket, in the order in which it happened. */
export type Effect =
  | { kind: 'queued'; ticket: Ticket; reachedHighWater: boolean }
  | { kind: 'started'; ticket: Ticket; wait: number; reservoir: number | null }
  /** A start that had not begun is void: the ticket waits again, where it stood. */
  | { kind: 'returned'; ticket: Ticket }
  | { kind: 'dropped'; ticket: Ticket; reason: DropReason }
  /** Another job that waits or runs has the same id. */
  | { kind: 'duplicate'; ticket: Ticket }
  /** Somebody asks the job, which may be executing, to end. */
  | { kind: 'cancelled'; ticket: Ticket }
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
  /** A process died; these are the jobs it had. `reportedHere`: one process of the fleet is told so. */
  | { kind: 'orphaned'; jobs: StoredJob[]; reportedHere: boolean }
  /** The limiter exists with other settings: by name, what was asked for and what is in force. */
  | { kind: 'conflict'; differences: Record<string, { asked: unknown; stored: unknown }> }
  | { kind: 'error'; error: unknown }
  /** The store was closed from outside (its connection was): nothing more will happen. */
  | { kind: 'closed' };

/** A ticket of the queue, maybe of another process. */
export interface QueuedTicket {
  /** Null for a ticket of another client. */
  ticket: Ticket | null;
  weight: number;
  priority: number;
}

/** Where a waiting ticket stands. */
export interface TicketPlace {
  /** `aside`: in the queue, but Redis cannot reach this process to start it. */
  where: 'queue' | 'delayed' | 'aside';
  /** Tickets before it in the queue, and the weights of the first of them, in order. */
  ahead: number;
  weightsAhead: number[];
  /** When it joined the queue, by the store's clock, ms; null for a delayed one. */
  since: number | null;
  /** When a delayed one joins the queue, by the store's clock, ms. */
  dueAt: number | null;
}

/** Why nothing runs, as data; see `Store.inspect`. Times in ms, by the store's clock. */
export interface StoreSnapshot {
  now: number;
  settings: StoreSettings;
  running: number;
  /** How many jobs that is; told by shared stores. */
  runningJobs?: number;
  done: number;
  queued: number;
  delayed: number;
  reservoir: number | null;
  nextRequest: number;
  unblockTime: number;
  lastReservoirRefresh: number;
  lastReservoirIncrease: number;
}

/** What holds the queue, as data; see `Store.inspectQueue`. */
export interface QueueSnapshot extends StoreSnapshot {
  /** Tokens in the bucket, or null without one. */
  bucketTokens: number | null;
  /** Times of the last starts, as far as the sliding window counts them, oldest first; empty without a window. */
  windowStarts: number[];
  /** The ticket to start next; null for an empty queue. */
  head: QueuedTicket | null;
  /** Where the ticket stands that was asked for; null when it does not wait in the store. */
  asked: TicketPlace | null;
  /** The head may start, but it is the turn of processes that run Bottleneck. */
  yields: boolean;
}

export type StoredJobState = 'ready' | 'delayed' | 'executing';

/** A job as any process can see it. What is null is not known of jobs that have no details. Times in ms, by the store's clock. */
export interface StoredJob {
  id: string | null;
  state: StoredJobState;
  priority: number | null;
  weight: number;
  /** ms it may execute, or null for no limit. */
  expiration: number | null;
  /** Attempts that came before. */
  attempt: number;
  submittedAt: number | null;
  /** When a delayed job joins the queue; null for others. */
  dueAt: number | null;
  /** Jobs before it in the queue; null for those that are not in the queue. */
  position: number | null;
  /** The client it belongs to: the pool's id, a dot, and the number of the limiter there. Null for Bottleneck's own. */
  client: string | null;
  /** As JSON. */
  data: string | null;
}

/** A store whose jobs can be looked at from any process. */
export interface SharedStore extends Store {
  listJobs(state: StoredJobState, offset: number, limit: number): Promise<{ total: number; jobs: StoredJob[] }>;
  findJob(id: string): Promise<StoredJob | null>;
  /** Takes the job out, or asks it to end; its process is told. Where it was, or null for no such job. */
  cancelJob(id: string): Promise<StoredJobState | null>;
  /** Takes out all that waits, and sets reservoir and clocks back to these settings. How many were taken out. */
  reset(settings: Partial<StoreSettings>): Promise<number>;
  /** Takes out what dead processes left. Everybody does that who takes a step; an idle limiter has to be asked. */
  sweep(): Promise<void>;
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

  /**
   * Whether started tickets may begin now. False when this process was out of touch for so long that it may have been
   * given up, its slots to others, or while it tells the store what it has: then `confirm()` comes first.
   */
  readonly mayBegin: boolean;
  /** Resolves once it was asked which starts are still good; the others were `returned`. Rejects once disconnected. */
  confirm(): Promise<void>;

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
  /** What holds the head of the queue, and where a ticket stands. */
  inspectQueue(ticket: Ticket | null): Promise<QueueSnapshot>;
  publish(message: string): Promise<void>;

  /** True when the limiter has been idle for its `timeout`, or its keys are gone. `now` is the caller's `Date.now()`. */
  isExpired(now: number): Promise<boolean>;
  /** Leaves the store. Waiting tickets of this client are taken back; `flush` lets commands already sent finish. */
  disconnect(flush: boolean): Promise<void>;
}
