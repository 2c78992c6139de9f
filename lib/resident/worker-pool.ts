import { startTimer, type Timer, withinTime } from '../clock';
import type { Connection } from '../store/redis/connection';
import { Pool } from '../store/redis/pool';
import { LEAVE_TIMEOUT, RedisStore } from '../store/redis/redis-store';
import type { StoreSettings } from '../store/store';
import {
  InvalidOptionError,
  WorkerPoolConnectionError,
  WorkerPoolNotInitializedError,
  WorkerPoolStoppedError,
} from './errors';
import { custom, integer, type OptionRules, positive, resolveOptions, text } from './option-rules';
import { type PoolInfo, PoolRegistry } from './pool-registry';
import { connectTo } from './redis-source';
import { TypedEvents, warn } from './typed-events';
import type { LivePool, OrphanedJob, RedisSource } from './types';
import { WorkerSlots } from './worker-slots';

export interface WorkerPoolOptions {
  /** Where Redis is: options of ioredis, a URL, or a client. */
  redis: RedisSource;
  /** Names the pool in this process. Default `'default'`. */
  name?: string | null;
  /** Jobs this process executes at once over all limiters of the pool, at most. Default 64. */
  workers?: number | null;
  /** ms of silence after which a process counts as dead: what it held comes back then. Default 10000. */
  visibilityTimeoutMs?: number | null;
  /** ms between signs of life. Default a third of `visibilityTimeoutMs`. */
  heartbeatIntervalMs?: number | null;
  /** ms that a job may wait for its start; then it rejects. Default no limit. */
  pendingJobTimeoutMs?: number | null;
  /** ms within which Redis must be reached for `create` to succeed. Default 10000. */
  connectTimeoutMs?: number | null;
  /** The ioredis class to use. Default: the installed one. */
  Redis?: unknown;
}

export interface PoolStopOptions {
  /** ms to wait for jobs that execute; what still executes then goes on without its slot. Default no limit. */
  deadlineMs?: number | null;
}

/** The events of a pool and what their listeners get. */
export interface WorkerPoolEvents {
  /** A limiter or the connection failed; most often, Redis is out of reach, and all goes on when it is back. */
  error: [error: unknown];
  /** A process died; this is a job that it had. */
  orphaned: [job: OrphanedJob];
  stopped: [];
}

/** @internal What a pool needs of its limiters. */
export interface PoolMember {
  readonly unfinished: number;
  readonly executing: number;
  /** Looks for what dead processes left. */
  sweep(): Promise<void>;
  leavePool(deadlineMs: number | null): Promise<void>;
}

/** @internal */
export const POOL_RULES: OptionRules = {
  redis: custom(
    'options of ioredis, a URL, or a client',
    '',
    null,
    (value) => typeof value === 'string' || typeof value === 'object',
  ),
  name: text('default'),
  workers: integer(1, Number.POSITIVE_INFINITY, 'jobs', 64),
  visibilityTimeoutMs: positive('ms', 10_000),
  heartbeatIntervalMs: { ...positive('ms'), defaultText: 'a third of `visibilityTimeoutMs`' },
  pendingJobTimeoutMs: positive('ms'),
  connectTimeoutMs: positive('ms', 10_000),
  Redis: {
    ...custom('the class of ioredis', '', null, (value) => typeof value === 'function' || typeof value === 'object'),
    defaultText: 'the installed one',
  },
};

/** @internal */
export const POOL_STOP_RULES: OptionRules = {
  deadlineMs: custom('a number of ms, 0 or more', 'ms', null, (value) => typeof value === 'number' && value >= 0),
};

type Resolved = { [K in 'workers' | 'visibilityTimeoutMs' | 'heartbeatIntervalMs' | 'connectTimeoutMs']: number } & {
  name: string;
  redis: RedisSource;
  pendingJobTimeoutMs: number | null;
  Redis: unknown;
};

/** Signs of life in one `visibilityTimeoutMs`, at least: two may be lost. */
const BEATS = 3;
/** ms after a pool's death is known until its limiters count as dead too, beside a heartbeat, and are looked for again. */
const SWEEP_MARGIN = 600;

const pools = new Map<string, { pool: WorkerPool; ready: Promise<WorkerPool> }>();

/**
 * What the limiters of a process share: the connection to Redis, how much executes at once, and that others notice when
 * the process dies. One for each process, unless there is reason for several, with names.
 */
export class WorkerPool extends TypedEvents<WorkerPoolEvents> {
  /** Names the pool in the fleet; new for every pool. */
  readonly poolId: string;
  readonly name: string;
  /** @internal */
  readonly workers: WorkerSlots;
  /** @internal */
  readonly pendingJobTimeoutMs: number | null;
  private readonly connection: Connection;
  private readonly pool: Pool;
  private readonly owned: boolean;
  private readonly offError: () => void;
  private readonly registry: PoolRegistry;
  private readonly members = new Set<PoolMember>();
  private readonly startedAt = Date.now();
  private sweepTimer: Timer | null = null;
  private stopping: Promise<void> | null = null;
  private lastError: unknown;

  private constructor(private readonly options: Resolved) {
    super();
    const { connection, owned } = connectTo(options.redis, options.Redis);
    this.connection = connection;
    this.owned = owned;
    this.name = options.name;
    this.pool = new Pool(connection.link);
    this.poolId = this.pool.id;
    this.workers = new WorkerSlots(options.workers);
    this.pendingJobTimeoutMs = options.pendingJobTimeoutMs;
    this.offError = connection.link.onError((error) => this.onError(error));
    this.registry = new PoolRegistry({
      commands: connection.commands,
      poolId: this.poolId,
      visibilityTimeoutMs: options.visibilityTimeoutMs,
      heartbeatIntervalMs: options.heartbeatIntervalMs,
      info: () => this.info(),
      onDead: () => this.sweepSoon(),
      onError: (error) => this.onError(error),
    });
  }

  /**
   * Makes the pool of this process, or gives the one there is: calling it twice is harmless. Other options than those it
   * was made with are not taken over; the process gets a warning of type `RebottleWarning`.
   *
   * @throws {InvalidOptionError}
   * @throws {WorkerPoolConnectionError} when Redis cannot be reached within `connectTimeoutMs`.
   */
  static async create(given: WorkerPoolOptions): Promise<WorkerPool> {
    const options = resolvePool(given);
    const existing = pools.get(options.name);
    if (existing !== undefined) {
      existing.pool.warnOfDifferences(options);
      return existing.ready;
    }
    const pool = new WorkerPool(options);
    const ready = pool.start();
    pools.set(options.name, { pool, ready });
    return ready;
  }

  /** The pool of that name. @throws {WorkerPoolNotInitializedError} when there is none. */
  static getInstance(name = 'default'): WorkerPool {
    const existing = pools.get(name);
    if (existing === undefined) throw new WorkerPoolNotInitializedError(name);
    return existing.pool;
  }

  /** The native client that commands go through. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever client the user chose
  get commandClient(): any {
    return this.connection.client;
  }

  /** Jobs of this process that have not begun: waiting in a queue, for their time, or for a free worker. */
  get pendingJobs(): number {
    let pending = 0;
    for (const member of this.members) pending += member.unfinished - member.executing;
    return pending;
  }

  /** Jobs that this process executes now. */
  get executingJobs(): number {
    return this.workers.taken;
  }

  get stopped(): boolean {
    return this.stopping !== null;
  }

  /** The live pools of the fleet, this one among them, as their last heartbeats told. */
  live(): Promise<LivePool[]> {
    return this.registry.live();
  }

  /**
   * Ends the pool: its limiters take nothing more, jobs that have not begun reject with an OrphanedJobError, those that
   * execute are waited for, then the pool is taken off the list and the connection closed. Calling it again gives the
   * same promise.
   */
  stop(given: PoolStopOptions = {}): Promise<void> {
    this.stopping ??= this.end(
      resolveOptions<{ deadlineMs: number | null }>('stop options', given, POOL_STOP_RULES).deadlineMs,
    );
    return this.stopping;
  }

  /** @internal A store for a limiter of that id. */
  openStore(id: string, settings: StoreSettings, ttl: number | null): RedisStore {
    this.assertRunning();
    return new RedisStore({
      id,
      connection: this.connection,
      pool: this.pool,
      release: async () => {},
      settings,
      timeout: ttl,
      heartbeatInterval: this.options.heartbeatIntervalMs,
      clientTimeout: this.options.visibilityTimeoutMs,
      clear: false,
      heartbeatThread: null,
    });
  }

  /** @internal */
  join(member: PoolMember): void {
    this.members.add(member);
  }

  /** @internal */
  leave(member: PoolMember): void {
    this.members.delete(member);
  }

  /** @internal */
  assertRunning(): void {
    if (this.stopped) throw new WorkerPoolStoppedError();
  }

  private async start(): Promise<WorkerPool> {
    try {
      await this.reach();
      return this;
    } catch (error) {
      pools.delete(this.name);
      this.stopping = Promise.resolve();
      this.offError();
      void this.pool.close();
      if (this.owned) await this.connection.disconnect(false).catch(() => {});
      throw error;
    }
  }

  private async reach(): Promise<void> {
    const { connectTimeoutMs } = this.options;
    let timer: Timer | undefined;
    const late = new Promise<never>((_, reject) => {
      const tooLate = (): void => reject(new WorkerPoolConnectionError(connectTimeoutMs, this.lastError));
      timer = startTimer(connectTimeoutMs, tooLate);
    });
    const registered = this.connection.ready.then(() => this.registry.start());
    try {
      await Promise.race([registered, late]);
    } finally {
      timer?.cancel();
      registered.catch(() => {});
    }
  }

  private async end(deadlineMs: number | null): Promise<void> {
    pools.delete(this.name);
    this.sweepTimer?.cancel();
    await Promise.all([...this.members].map((member) => member.leavePool(deadlineMs)));
    const answered = await this.deregister();
    this.offError();
    if (this.owned) await this.connection.disconnect(answered);
    this.emit('stopped');
  }

  /** Without Redis the pool counts as dead after a while, which is as good. Resolves to whether it could be told. */
  private async deregister(): Promise<boolean> {
    const { commands, subscriptions } = this.connection.link;
    this.registry.end();
    const closed = this.pool.close();
    const told = commands.isReady && subscriptions.isReady;
    const answers = [commands.isReady && this.registry.leave(), subscriptions.isReady && closed];
    const inTime = await withinTime(
      Promise.all(answers).catch(() => {}),
      LEAVE_TIMEOUT,
    );
    return told && inTime;
  }

  private info(): PoolInfo {
    const { process } = globalThis as { process?: NodeJS.Process };
    return {
      name: this.name,
      host: hostName(),
      pid: process?.pid ?? null,
      workers: this.workers.limit,
      executing: this.workers.taken,
      pendingJobs: this.pendingJobs,
      startedAt: this.startedAt,
    };
  }

  /** Idle limiters of this process may be the last that know of what a dead one had. */
  private sweepSoon(): void {
    this.sweepTimer?.cancel();
    this.sweepTimer = startTimer(this.options.heartbeatIntervalMs + SWEEP_MARGIN, () => {
      for (const member of this.members) member.sweep().catch((error: unknown) => this.onError(error));
    });
    this.sweepTimer.unref();
  }

  private onError(error: unknown): void {
    this.lastError = error;
    if (!this.stopped) this.emit('error', error);
  }

  private warnOfDifferences(asked: Resolved): void {
    const names = [
      'workers',
      'visibilityTimeoutMs',
      'heartbeatIntervalMs',
      'pendingJobTimeoutMs',
      'connectTimeoutMs',
    ] as const;
    const texts = names
      .filter((name) => asked[name] !== this.options[name])
      .map((name) => `${name}: ${this.options[name]}, not ${asked[name]}`);
    if (!sameSource(asked.redis, this.options.redis)) texts.push('redis: another');
    if (texts.length > 0)
      warn(`The worker pool "${this.name}" exists with other options (${texts.join('; ')}): they stay`);
  }
}

function resolvePool(given: WorkerPoolOptions): Resolved {
  const options = resolveOptions<Resolved>('WorkerPool options', given, POOL_RULES);
  if (options.redis === null) throw new InvalidOptionError('redis', POOL_RULES.redis!.expected, given.redis);
  const { visibilityTimeoutMs } = options;
  options.heartbeatIntervalMs ??= visibilityTimeoutMs / BEATS;
  if (options.heartbeatIntervalMs >= visibilityTimeoutMs) {
    const expected = `a number below visibilityTimeoutMs (${visibilityTimeoutMs})`;
    throw new InvalidOptionError('heartbeatIntervalMs', expected, options.heartbeatIntervalMs);
  }
  return options;
}

function sameSource(a: RedisSource, b: RedisSource): boolean {
  if (a === b) return true;
  try {
    return JSON.stringify(a) === JSON.stringify(b);
  } catch {
    return false; // clients hold circles
  }
}

function hostName(): string | null {
  const { process } = globalThis as { process?: NodeJS.Process };
  return process?.getBuiltinModule?.('node:os').hostname() ?? process?.env.HOSTNAME ?? null;
}
