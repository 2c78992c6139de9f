import { storeSettings } from '../options';
import { Strategy } from '../store/memory/transitions';
import type { StoreSettings } from '../store/store';
import { BACKOFF_DEFAULTS, type BackoffFunction, type BackoffOptions, exponentialBackoff } from './backoff';
import { InvalidOptionError } from './errors';
import {
  anyNumber,
  atLeast,
  custom,
  flag,
  integer,
  type OptionRules,
  oneOf,
  positive,
  positiveNumbers,
  resolveOptions,
  text,
} from './option-rules';

/** Sliding window: at most `max` starts in any span of `duration` ms. */
export interface WindowOptions {
  max: number;
  /** ms, above 0. */
  duration: number;
}

/** Token bucket: a job takes as many tokens as it weighs; they come back continuously. */
export interface BucketOptions {
  /** The most tokens there are: the largest burst. Above 0. */
  capacity: number;
  /** Tokens per second, above 0. */
  refillPerSecond: number;
}

export type StrategyName = 'leak' | 'overflow' | 'overflow-priority' | 'block';

/** Limits, which all processes share: the limiter lives in Redis, under its id. `null` stands for no limit. */
export interface LimiterSettings {
  /** Total weight that may execute at once, in all processes. 0 or more; default 1. */
  maxConcurrent?: number | null;
  /** ms between two starts, at least. Default 0. */
  minTime?: number | null;
  /** Jobs that may wait, in all processes. Default no limit. */
  highWater?: number | null;
  /** What happens to jobs above `highWater`. Default `'leak'`: the oldest of the least important goes. */
  strategy?: StrategyName | null;
  /** ms that strategy `'block'` lasts. Default 15 times `minTime`, or 5000. */
  penalty?: number | null;
  /** Total weight that may start until the reservoir is filled again. Default no limit. */
  reservoir?: number | null;
  /** ms between refreshes, which set the reservoir to `reservoirRefreshAmount`. */
  reservoirRefreshInterval?: number | null;
  reservoirRefreshAmount?: number | null;
  /** ms between increases, which add `reservoirIncreaseAmount`, up to `reservoirIncreaseMaximum`. */
  reservoirIncreaseInterval?: number | null;
  reservoirIncreaseAmount?: number | null;
  reservoirIncreaseMaximum?: number | null;
  window?: WindowOptions | null;
  bucket?: BucketOptions | null;
}

/** What a limiter does with the jobs that this process schedules. */
export interface JobDefaults {
  /** 0 (first) to 99. Default 5. */
  priority?: number | null;
  /** What a job takes of `maxConcurrent`, the reservoir and the bucket. Default 1. */
  weight?: number | null;
  /** ms that an attempt may take; above 0. Default no limit. */
  expiration?: number | null;
  /** Whether a job that fails is tried again. Default true. */
  retryOnFailure?: boolean | null;
  /** Attempts after the first, at most. Default 3. */
  maxRetries?: number | null;
  /** How long to wait before each of them. Default 1, 2, 4, 8 s and so on, at most 30 s. */
  backoff?: BackoffOptions | BackoffFunction | null;
}

/** The limits and defaults of a limiter, without its name and place. */
export interface LimiterConfig extends LimiterSettings, JobDefaults {
  /** ms that what Redis holds of an unused limiter stays there. Default for ever. */
  ttl?: number | null;
  /** What happens when the limiter exists with other limits: they stay, or are changed to these. Default `'keep'`. */
  onConflict?: 'keep' | 'overwrite' | null;
}

/** Options of one job. */
export interface ScheduleOptions {
  /** Names the job in all processes: no two that wait or run may have the same. Default: one that nobody else has. */
  id?: string | null;
  /** 0 (first) to 99. Default: the limiter's. */
  priority?: number | null;
  /** Default: the limiter's. */
  weight?: number | null;
  /** ms that an attempt may take; above 0. Default: the limiter's. */
  expiration?: number | null;
  /** Attempts after the first, at most. Default: the limiter's. */
  maxRetries?: number | null;
  /** ms to wait before the job joins the queue. Default 0. Not together with `scheduleAt`. */
  delay?: number | null;
  /** When the job joins the queue, by the clock of the Redis server: a date, or ms since 1970. Default at once. */
  scheduleAt?: Date | number | null;
  /** Cancels the job when it is aborted. */
  signal?: AbortSignal | null;
  /** Kept in Redis with the job, where `getJob` and `orphaned` show it: anything that JSON can hold. Up to 64 KiB. */
  data?: unknown;
}

const SETTING_RULES: OptionRules = {
  maxConcurrent: { ...atLeast(0, 'weight', 1), nullable: true },
  minTime: atLeast(0, 'ms', 0),
  highWater: integer(0, Number.POSITIVE_INFINITY, 'jobs', null),
  strategy: oneOf(['leak', 'overflow', 'overflow-priority', 'block'], 'leak'),
  penalty: atLeast(0, 'ms'),
  reservoir: anyNumber('weight'),
  reservoirRefreshInterval: positive('ms'),
  reservoirRefreshAmount: anyNumber('weight'),
  reservoirIncreaseInterval: positive('ms'),
  reservoirIncreaseAmount: anyNumber('weight'),
  reservoirIncreaseMaximum: anyNumber('weight'),
  window: positiveNumbers(['max', 'duration'], 'starts, ms'),
  bucket: positiveNumbers(['capacity', 'refillPerSecond'], 'weight, weight/s'),
};

const priority = integer(0, 99, '', 5);
const weight = custom(
  'a number of 0 or more',
  '',
  1,
  (value) => atLeast(0, '').accepts(value) && value !== Number.POSITIVE_INFINITY,
);
const maxRetries = integer(0, Number.POSITIVE_INFINITY, 'attempts', 3);

const DEFAULT_RULES: OptionRules = {
  priority,
  weight,
  expiration: positive('ms'),
  retryOnFailure: flag(true),
  maxRetries,
  backoff: custom('a function, or an object of initialMs, factor, maxMs and jitter', 'ms', null, isBackoff),
};

/** What `updateSettings` takes. */
export const UPDATE_RULES: OptionRules = { ...SETTING_RULES, ...DEFAULT_RULES };

/** What a config holds. */
export const CONFIG_RULES: OptionRules = {
  ...UPDATE_RULES,
  ttl: positive('ms'),
  onConflict: oneOf(['keep', 'overwrite'], 'keep'),
};

export const SCHEDULE_RULES: OptionRules = {
  id: text(),
  priority: { ...priority, default: null },
  weight: { ...weight, default: null },
  expiration: positive('ms'),
  maxRetries: { ...maxRetries, default: null },
  delay: custom(
    'a number of ms, 0 or more',
    'ms',
    0,
    (value) => atLeast(0, '').accepts(value) && value !== Number.POSITIVE_INFINITY,
  ),
  scheduleAt: custom('a date, or ms since 1970', 'ms', null, (value) =>
    Number.isFinite(value instanceof Date ? value.getTime() : value),
  ),
  signal: custom('an AbortSignal', '', null, isSignal),
  data: custom('anything that JSON can hold', '', null, () => true),
};

/** Defaults as used. */
export interface ResolvedDefaults {
  priority: number;
  weight: number;
  expiration: number | null;
  retryOnFailure: boolean;
  maxRetries: number;
  backoff: BackoffFunction;
}

export interface ResolvedConfig extends ResolvedDefaults {
  settings: StoreSettings;
  ttl: number | null;
  onConflict: 'keep' | 'overwrite';
}

type Bag = Record<string, unknown>;

/** @throws {InvalidOptionError} */
export function resolveConfig(what: string, given: unknown): ResolvedConfig {
  const options = resolveOptions<Bag>(what, given, CONFIG_RULES);
  return {
    ...defaultsOf(options),
    settings: settingsOf(options),
    ttl: options.ttl as number | null,
    onConflict: options.onConflict as 'keep' | 'overwrite',
  };
}

/**
 * What `updateSettings` was asked to change: only what is named.
 *
 * @throws {InvalidOptionError}
 */
export function resolveUpdate(given: unknown): {
  settings: Partial<StoreSettings>;
  defaults: Partial<ResolvedDefaults>;
} {
  const options = resolveOptions<Bag>('updateSettings options', given, UPDATE_RULES);
  const named = (rules: OptionRules): Bag =>
    Object.fromEntries(Object.entries(options).filter(([name]) => name in (given as Bag) && name in rules));
  const settings = named(SETTING_RULES);
  const defaults = named(DEFAULT_RULES);
  if ('backoff' in defaults) defaults.backoff = backoffOf(defaults.backoff);
  const all = settingsOf({ ...options, ...settings }) as unknown as Bag;
  const changed = Object.keys(settings).flatMap((name) => STORED_AS[name] ?? [name]);
  return {
    settings: Object.fromEntries(changed.map((name) => [name, all[name]])),
    defaults: defaults as Partial<ResolvedDefaults>,
  };
}

/** Settings that are stored as two numbers. */
const STORED_AS: Record<string, string[]> = {
  window: ['windowMax', 'windowDuration'],
  bucket: ['bucketCapacity', 'bucketRefillPerSecond'],
};

const STRATEGIES: Record<StrategyName, number> = {
  leak: Strategy.LEAK,
  overflow: Strategy.OVERFLOW,
  'overflow-priority': Strategy.OVERFLOW_PRIORITY,
  block: Strategy.BLOCK,
};

/** Always just in time: priority decides also where only `minTime` holds jobs back. */
function settingsOf(options: Bag): StoreSettings {
  const shared = Object.fromEntries(Object.keys(SETTING_RULES).map((name) => [name, options[name]]));
  return storeSettings({ ...shared, strategy: STRATEGIES[options.strategy as StrategyName], dispatch: 'just-in-time' });
}

function defaultsOf(options: Bag): ResolvedDefaults {
  const defaults = Object.fromEntries(Object.keys(DEFAULT_RULES).map((name) => [name, options[name]]));
  return { ...(defaults as unknown as ResolvedDefaults), backoff: backoffOf(options.backoff) };
}

function backoffOf(value: unknown): BackoffFunction {
  return typeof value === 'function' ? (value as BackoffFunction) : exponentialBackoff((value ?? {}) as BackoffOptions);
}

function isBackoff(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Object.keys(value).some((name) => !Object.hasOwn(BACKOFF_DEFAULTS, name))) return false;
  const { initialMs, factor, maxMs, jitter } = { ...BACKOFF_DEFAULTS, ...(value as BackoffOptions) };
  return (
    positive('').accepts(initialMs) &&
    atLeast(1, '').accepts(factor) &&
    positive('').accepts(maxMs) &&
    jitter >= 0 &&
    jitter <= 1
  );
}

function isSignal(value: unknown): boolean {
  const signal = value as Partial<AbortSignal>;
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof signal.aborted === 'boolean' &&
    typeof signal.addEventListener === 'function'
  );
}

/** A job's options as used. */
export interface ResolvedSchedule {
  id: string | null;
  priority: number;
  weight: number;
  expiration: number | null;
  maxRetries: number;
  delay: number;
  /** ms since 1970 by the server's clock, or null. */
  dueAt: number | null;
  signal: AbortSignal | null;
  /** As JSON. */
  data: string | null;
}

/** Most characters of a job's data as JSON. */
export const LONGEST_DATA = 65_536;

/** @throws {InvalidOptionError} */
export function resolveSchedule(given: unknown, defaults: ResolvedDefaults): ResolvedSchedule {
  const options = resolveOptions<Bag>('job options', given ?? {}, SCHEDULE_RULES);
  const { delay, scheduleAt } = options as { delay: number; scheduleAt: Date | number | null };
  if (delay > 0 && scheduleAt !== null) throw new InvalidOptionError('delay', 'nothing beside scheduleAt', delay);
  return {
    id: options.id as string | null,
    priority: (options.priority as number | null) ?? defaults.priority,
    weight: (options.weight as number | null) ?? defaults.weight,
    expiration: (options.expiration as number | null) ?? defaults.expiration,
    maxRetries: (options.maxRetries as number | null) ?? defaults.maxRetries,
    delay,
    dueAt: scheduleAt === null ? null : Number(scheduleAt),
    signal: options.signal as AbortSignal | null,
    data: dataOf(options.data),
  };
}

function dataOf(value: unknown): string | null {
  if (value === null) return null;
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    // Told below.
  }
  if (json === undefined) throw new InvalidOptionError('data', 'anything that JSON can hold', value);
  if (json.length > LONGEST_DATA)
    throw new InvalidOptionError('data', `JSON of at most ${LONGEST_DATA} characters`, `${json.slice(0, 20)}...`);
  return json;
}
