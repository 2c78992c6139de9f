import { type Emitter, Events } from './events';

// biome-ignore lint/suspicious/noExplicitAny: a Group passes options and connections on without reading them
type Any = any;

/** What a Group needs of a limiter. */
export interface GroupLimiter {
  readonly Events: Events;
  counts(): Readonly<Record<string, number | undefined>>;
  disconnect(flush?: boolean): PromiseLike<unknown>;
  /**
   * @internal
   * Whether this limiter has nothing queued, running or executing and was last used more than its `timeout` ago;
   * with Redis: whether its keys have expired there.
   */
  _isIdleSince(now: number): PromiseLike<boolean>;
}

/** What a Group needs of a Redis connection. */
export interface GroupConnection {
  readonly datastore: string;
  /** The keys of the limiters of a Group that exist in Redis, whichever process made them. */
  groupKeys(groupId: string): PromiseLike<string[]>;
  /** Removes all that Redis holds of one limiter. Resolves to the number of keys removed. */
  deleteLimiterKeys(limiterId: string): PromiseLike<number>;
  disconnect(flush?: boolean): PromiseLike<unknown>;
}

/** Opens the connection of a Group that was given a Redis `datastore` and no `connection`. */
export type ConnectGroup = (options: Any) => GroupConnection;

/** Options of a Group: those of its limiters, of which it uses these itself. */
export interface GroupOptions {
  /** Names the limiters: `<id>-<key>`. Default "group-key". */
  id?: string | null;
  /** How long in ms a limiter must be unused before it is removed. Default 300000 (5 minutes). */
  timeout?: number | null;
  connection?: Any;
  Promise?: Any;
  [option: string]: Any;
}

const DEFAULT_ID = 'group-key';
const DEFAULT_TIMEOUT_MS = 5 * 60 * 1000;
/** The longest delay that a timer can hold, in ms; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** How many limiters are asked at once whether they are unused. */
const CLEANUP_BATCH = 100;

/**
 * Makes and keeps one limiter for each key, all with the same options, and removes those that are no longer used.
 *
 * The options object of the caller is copied when the Group is made, and never changed: Groups made from one object do
 * not influence each other. `limiterOptions` is the copy; `updateSettings` changes it for the limiters made afterwards.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: Events adds these methods to every instance
export class Group {
  /** @internal The limiter class; set where that class is defined, since it refers to this one. */
  static Bottleneck: new (
    options: Any,
  ) => Any;
  /** @internal Set by the entry that has Redis in it. */
  static connect: ConnectGroup | undefined;

  declare Events: Events;
  id: string;
  timeout: number;
  connection: Any;
  Promise: Any;
  limiterOptions: GroupOptions;
  /** Whether the connection was given, and thus is not this Group's to close. */
  sharedConnection: boolean;
  /** The limiters by key. */
  instances: Record<string, Any>;
  /** The class of the limiters. */
  Bottleneck: new (
    options: Any,
  ) => Any;

  /** @internal */
  _cleanupTimer: ReturnType<typeof setInterval> | undefined;
  /** @internal */
  _cleaning = false;

  constructor(options: GroupOptions = {}) {
    this.limiterOptions = { ...options };
    this.id = options.id ?? DEFAULT_ID;
    this.timeout = options.timeout ?? DEFAULT_TIMEOUT_MS;
    this.connection = options.connection ?? null;
    this.Promise = options.Promise ?? Promise;
    this.Events = new Events(this);
    this.instances = Object.create(null);
    this.Bottleneck = new.target.Bottleneck ?? Group.Bottleneck;
    this.sharedConnection = this.connection != null;
    if (!this.sharedConnection) this._connect();
  }

  /** The name of the engine, as the limiters have it: "local", "ioredis" or "redis". */
  get datastore(): string {
    return this.connection?.datastore ?? this.limiterOptions.datastore ?? 'local';
  }

  /** The limiter of `key`, made at the first call; the `created` listeners hear of it before it is returned. */
  key(key = ''): Any {
    this._keepClean();
    const existing = this.instances[key];
    if (existing != null) return existing;
    const limiter = new this.Bottleneck({
      ...this.limiterOptions,
      id: `${this.id}-${key}`,
      timeout: this.timeout,
      connection: this.connection,
    });
    this.instances[key] = limiter;
    this.Events.emit('created', limiter, key);
    return limiter;
  }

  /**
   * Disconnects the limiter of `key`, forgets it, and removes what Redis holds of it.
   *
   * @returns whether there was one, here or in Redis.
   */
  deleteKey(key = ''): Promise<boolean> {
    return this.Promise.resolve(this._deleteKey(key));
  }

  /** The limiters of this Group, with their keys. */
  limiters(): { key: string; limiter: Any }[] {
    return Object.entries(this.instances).map(([key, limiter]) => ({ key, limiter }));
  }

  /** The keys of the limiters of this Group. */
  keys(): string[] {
    return Object.keys(this.instances);
  }

  /** The keys of all limiters that Redis holds for Groups of this id; without Redis, those of this Group. */
  clusterKeys(): Promise<string[]> {
    if (this.connection == null) return this.Promise.resolve(this.keys());
    return this.Promise.resolve((this.connection as GroupConnection).groupKeys(this.id));
  }

  /** Changes the options of the limiters made from now on. Those that exist keep theirs. */
  updateSettings(options: GroupOptions = {}): void {
    for (const [name, value] of Object.entries(options)) {
      if (value !== undefined) this.limiterOptions[name] = value;
    }
    if (options.id != null) this.id = options.id;
    if (options.connection !== undefined) this.connection = options.connection;
    if (options.Promise != null) this.Promise = options.Promise;
    if (options.timeout != null) {
      this.timeout = options.timeout;
      this._restartCleanup();
    }
  }

  /**
   * Closes the connection that this Group opened. A connection that was given stays open.
   *
   * @param flush whether to let commands that are under way finish. Default true.
   */
  disconnect(flush = true): Promise<void> {
    const closing = this.sharedConnection ? undefined : this.connection?.disconnect(flush);
    return this.Promise.resolve(closing);
  }

  /** @internal */
  _connect(): void {
    const { datastore } = this.limiterOptions;
    if (datastore !== 'redis' && datastore !== 'ioredis') return;
    const connect = (this.constructor as typeof Group).connect ?? Group.connect;
    // Without it, making the first limiter says that this entry has no Redis in it.
    if (connect) this.connection = connect({ ...this.limiterOptions, Events: this.Events });
  }

  /** @internal */
  async _deleteKey(key: string): Promise<boolean> {
    const limiter = this.instances[key];
    // The limiter goes first, so that it cannot write to keys that were just removed.
    if (limiter != null) {
      delete this.instances[key];
      await limiter.disconnect();
    }
    if (this.connection == null) return limiter != null;
    const deleted = await (this.connection as GroupConnection).deleteLimiterKeys(`${this.id}-${key}`);
    return limiter != null || deleted > 0;
  }

  /** @internal Runs the timer only while there is something to clean up, so that a dropped Group can be collected. */
  _keepClean(): void {
    if (this._cleanupTimer === undefined) this._restartCleanup();
  }

  /** @internal */
  _restartCleanup(): void {
    clearInterval(this._cleanupTimer);
    const timer = setInterval(() => void this._cleanup(), Math.min(this.timeout / 2, MAX_TIMER_MS));
    // In browsers a timer is a number.
    (timer as { unref?: () => void }).unref?.();
    this._cleanupTimer = timer;
  }

  /** @internal */
  async _cleanup(): Promise<void> {
    if (this._cleaning) return;
    this._cleaning = true;
    try {
      const keys = this.keys();
      for (let i = 0; i < keys.length; i += CLEANUP_BATCH) {
        await Promise.all(keys.slice(i, i + CLEANUP_BATCH).map((key) => this._removeIfUnused(key)));
      }
    } finally {
      this._cleaning = false;
    }
    if (this.keys().length === 0) {
      clearInterval(this._cleanupTimer);
      this._cleanupTimer = undefined;
    }
  }

  /**
   * @internal
   * Only the limiter of this process goes. What Redis holds is left to its own expiry: by now another process may use it.
   */
  async _removeIfUnused(key: string): Promise<void> {
    const limiter: GroupLimiter | undefined = this.instances[key];
    if (limiter == null) return;
    try {
      const unused = await limiter._isIdleSince(Date.now());
      // Both may have changed while the answer was awaited.
      if (!unused || isBusy(limiter) || this.instances[key] !== limiter) return;
      delete this.instances[key];
      await limiter.disconnect();
    } catch (error) {
      limiter.Events.emit('error', error);
    }
  }
}

export interface Group extends Emitter {}

function isBusy(limiter: GroupLimiter): boolean {
  const { RECEIVED = 0, QUEUED = 0, RUNNING = 0, EXECUTING = 0 } = limiter.counts();
  return RECEIVED + QUEUED + RUNNING + EXECUTING > 0;
}
