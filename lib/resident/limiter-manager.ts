import { DistributedLimiter } from './distributed-limiter';
import { InvalidOptionError, UnknownFeatureError } from './errors';
import { custom, integer, type OptionRules, positive, resolveOptions } from './option-rules';
import { resolveConfig, UPDATE_RULES } from './options';
import type { LimiterConfig, ScheduleOptions } from './types';
import { WorkerPool } from './worker-pool';

export interface LimiterManagerOptions {
  /** Default: `WorkerPool.getInstance()`, when the first limiter is needed. */
  pool?: WorkerPool | null;
  /** Limiters kept at once; those used least lately go, but none that has work. Default 1000. */
  maxLimiters?: number | null;
}

/** Limits of a feature: every scope has a limiter of its own with them. */
export type FeatureConfig = LimiterConfig;

/** Options of a job as Bottleneck has them, and those of `DistributedLimiter.schedule`. */
export interface ManagedJobOptions extends ScheduleOptions {
  /** ms that an attempt may take; above 0. The same as `expiration`. */
  timeout?: number | null;
}

/** @internal */
export const MANAGER_RULES: OptionRules = {
  pool: {
    ...custom('a WorkerPool', '', null, (value) => value instanceof WorkerPool),
    defaultText: '`WorkerPool.getInstance()`',
  },
  maxLimiters: integer(1, Number.POSITIVE_INFINITY, 'limiters', 1000),
};

/** ms that Redis keeps an unused limiter, unless its limits need longer to be what they were. */
const LEAST_TTL = 300_000;

/** What may be put into the id of a limiter as the name of a feature. */
const FEATURE_NAME = /^[^:]+$/;

type Arguments = unknown[];

/**
 * The limiter of one scope and feature, with Bottleneck's `schedule`. It can be kept: when the manager lets go of the
 * limiter behind it, the next use makes it again.
 */
export class ManagedLimiter {
  /** @internal */
  constructor(
    private readonly manager: LimiterManager,
    readonly scopeId: string,
    readonly feature: string,
  ) {}

  /** The limiter behind it. Do not keep it: the manager may stop it while it is idle. */
  get limiter(): DistributedLimiter {
    return this.manager.use(this);
  }

  /** The id that the limiter has in Redis. */
  get id(): string {
    return `${this.feature}:${this.scopeId}`;
  }

  /** Runs `fn(...args)` when its turn has come; see `DistributedLimiter.schedule`. */
  schedule<R, Args extends unknown[]>(fn: (...args: Args) => R | PromiseLike<R>, ...args: Args): Promise<R>;
  schedule<R, Args extends unknown[]>(
    options: ManagedJobOptions,
    fn: (...args: Args) => R | PromiseLike<R>,
    ...args: Args
  ): Promise<R>;
  async schedule(first: unknown, ...rest: unknown[]): Promise<unknown> {
    const [options, fn, args] = typeof first === 'function' ? [{}, first, rest] : [first, rest[0], rest.slice(1)];
    if (typeof fn !== 'function') throw new InvalidOptionError('job', 'a function', fn);
    const call = fn as (...args: Arguments) => unknown;
    return this.limiter.schedule(() => call(...args), jobOptions(options));
  }

  /** A function that schedules `fn` with the arguments it gets. */
  wrap<R, Args extends unknown[]>(fn: (...args: Args) => R | PromiseLike<R>): (...args: Args) => Promise<R> {
    return (...args) => this.schedule(fn, ...args);
  }
}

function jobOptions(given: unknown): ScheduleOptions {
  if (typeof given !== 'object' || given === null) throw new InvalidOptionError('job options', 'an object', given);
  const { timeout, ...options } = given as ManagedJobOptions;
  if (timeout === undefined || timeout === null) return options;
  if (!positive('').accepts(timeout)) throw new InvalidOptionError('timeout', 'a number above 0', timeout);
  if (options.expiration != null) throw new InvalidOptionError('timeout', 'nothing beside expiration', timeout);
  return { ...options, expiration: timeout };
}

interface Feature {
  config: FeatureConfig;
  handles: Map<string, ManagedLimiter>;
}

/** A limiter for every scope (a customer, a tenant, a host) and feature, made when it is needed. */
export class LimiterManager {
  static readonly default: typeof LimiterManager;
  static readonly LimiterManager: typeof LimiterManager;
  private readonly options: { pool: WorkerPool | null; maxLimiters: number };
  private readonly features = new Map<string, Feature>();
  /** Those in use least lately come first. */
  private readonly live = new Map<ManagedLimiter, DistributedLimiter>();

  /** @throws {InvalidOptionError} */
  constructor(options: LimiterManagerOptions = {}) {
    this.options = resolveOptions('LimiterManager options', options, MANAGER_RULES);
  }

  /** How many limiters there are now. */
  get size(): number {
    return this.live.size;
  }

  /**
   * Says which limits a feature has. Called again, it changes them: for limiters that exist too, in all processes.
   * Resolves when those of this process have the new limits in Redis.
   *
   * @throws {InvalidOptionError} at once, and then nothing has changed.
   */
  registerFeatureConfig(name: string, config: FeatureConfig): Promise<void> {
    if (typeof name !== 'string' || !FEATURE_NAME.test(name)) {
      throw new InvalidOptionError('feature name', 'a text without ":"', name);
    }
    resolveConfig(`config of "${name}"`, config);
    const known = this.features.get(name);
    if (known === undefined) {
      this.features.set(name, { config: { ...config }, handles: new Map() });
      return Promise.resolve();
    }
    const changes = changedOptions(known.config, config);
    known.config = { ...config };
    if (Object.keys(changes).length === 0) return Promise.resolve();
    const limiters = [...this.live].filter(([handle]) => handle.feature === name).map(([, limiter]) => limiter);
    return Promise.all(limiters.map((limiter) => limiter.updateSettings(changes))).then(() => {});
  }

  /**
   * The limiter of a scope for a feature: the same object for the same names as long as the manager has it.
   *
   * @throws {UnknownFeatureError}
   * @throws {InvalidOptionError}
   */
  getLimiter(scopeId: string, featureName: string): ManagedLimiter {
    const feature = this.feature(featureName);
    if (typeof scopeId !== 'string' || scopeId === '')
      throw new InvalidOptionError('scopeId', 'a text that is not empty', scopeId);
    const known = feature.handles.get(scopeId);
    if (known !== undefined) return known;
    const handle = new ManagedLimiter(this, scopeId, featureName);
    this.use(handle);
    return handle;
  }

  /** Stops all limiters; see `DistributedLimiter.stop`. They are made again when they are used again. */
  async stop(): Promise<void> {
    await Promise.all([...this.live.keys()].map((handle) => this.letGo(handle)));
  }

  /** @internal The limiter behind a handle, which counts as used now. */
  use(handle: ManagedLimiter): DistributedLimiter {
    const existing = this.live.get(handle);
    if (existing !== undefined && !existing.pool.stopped) {
      this.live.delete(handle);
      this.live.set(handle, existing);
      return existing;
    }
    const feature = this.feature(handle.feature);
    const limiter = this.open(handle, feature.config);
    feature.handles.set(handle.scopeId, handle);
    this.live.set(handle, limiter);
    this.shrink(handle);
    return limiter;
  }

  private open(handle: ManagedLimiter, config: FeatureConfig): DistributedLimiter {
    const pool = this.options.pool ?? WorkerPool.getInstance();
    const ttl = config.ttl ?? ttlFor(config);
    const limiter = new DistributedLimiter({ onConflict: 'overwrite', ...config, id: handle.id, pool, ttl });
    // What the registered config says counts, whatever was stored before.
    limiter.on('drained', () => this.shrink());
    limiter.on('error', (error) => pool.emit('error', error));
    return limiter;
  }

  private shrink(keep?: ManagedLimiter): void {
    if (this.live.size <= this.options.maxLimiters) return;
    for (const [handle, limiter] of this.live) {
      if (limiter.unfinished > 0 || handle === keep) continue;
      void this.letGo(handle);
      if (this.live.size <= this.options.maxLimiters) return;
    }
  }

  private async letGo(handle: ManagedLimiter): Promise<void> {
    const limiter = this.live.get(handle);
    this.live.delete(handle);
    this.features.get(handle.feature)?.handles.delete(handle.scopeId);
    await limiter?.stop().catch((error: unknown) => limiter.pool.emit('error', error));
  }

  private feature(name: string): Feature {
    const feature = this.features.get(name);
    if (feature === undefined) throw new UnknownFeatureError(name);
    return feature;
  }
}

Object.assign(LimiterManager, { default: LimiterManager, LimiterManager });

/** Options that a new config has otherwise than the old one, those it no longer names as undefined. */
function changedOptions(from: FeatureConfig, to: FeatureConfig): Partial<FeatureConfig> {
  const before = from as Record<string, unknown>;
  const after = to as Record<string, unknown>;
  const changed = Object.keys(UPDATE_RULES).filter((name) => !same(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

function same(a: unknown, b: unknown): boolean {
  if (typeof a === 'function' || typeof b === 'function') return a === b;
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

/** A limiter that is forgotten begins with a full reservoir: not before it would be full again anyway. */
function ttlFor(config: FeatureConfig): number {
  const { reservoirRefreshInterval, reservoirIncreaseInterval, window, bucket } = config;
  const refill = bucket == null ? 0 : (1000 * bucket.capacity) / bucket.refillPerSecond;
  return Math.max(
    LEAST_TTL,
    2 * Math.max(reservoirRefreshInterval ?? 0, reservoirIncreaseInterval ?? 0, window?.duration ?? 0, refill),
  );
}
