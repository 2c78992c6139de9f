import { storeSettings } from '../options';
import { Strategy } from '../store/memory/transitions';
import type { StoreSettings } from '../store/store';
import { BACKOFF_DEFAULTS, exponentialBackoff } from './backoff';
import { InvalidOptionError } from './errors';
import {
  anyNumber,
  atLeast,
  custom,
  flag,
  integer,
  type OptionRules,
  oneOf,
  parts,
  positive,
  resolveOptions,
  text,
} from './option-rules';
import type { AbortSignalLike, BackoffFunction, BackoffOptions, StrategyName } from './types';

const SETTING_RULES: OptionRules = {
  maxConcurrent: { ...atLeast(0, 'weight', 1), nullable: true },
  minTime: atLeast(0, 'ms', 0),
  highWater: integer(0, Number.POSITIVE_INFINITY, 'jobs', null),
  strategy: oneOf(['leak', 'overflow', 'overflow-priority', 'block'], 'leak'),
  penalty: { ...atLeast(0, 'ms'), defaultText: '15 times `minTime`, or 5000' },
  reservoir: anyNumber('weight'),
  reservoirRefreshInterval: positive('ms'),
  reservoirRefreshAmount: anyNumber('weight'),
  reservoirIncreaseInterval: positive('ms'),
  reservoirIncreaseAmount: anyNumber('weight'),
  reservoirIncreaseMaximum: anyNumber('weight'),
  window: parts({ max: integer(1, Number.POSITIVE_INFINITY, '', null), duration: positive('') }, 'starts, ms'),
  bucket: parts({ capacity: positive(''), refillPerSecond: positive('') }, 'weight, weight/s'),
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
  backoff: {
    ...custom('a function, or an object of initialMs, factor, maxMs and jitter', 'ms', null, isBackoff),
    defaultText: '1, 2, 4, 8 s and so on, at most 30 s',
  },
};

/** What `updateSettings` takes. */
export const UPDATE_RULES: OptionRules = { ...SETTING_RULES, ...DEFAULT_RULES };

/** What a config holds. */
export const CONFIG_RULES: OptionRules = {
  ...UPDATE_RULES,
  ttl: positive('ms'),
  onConflict: oneOf(['keep', 'overwrite'], 'keep'),
};

/** What an option of a job stands for when it is not given. */
const OF_LIMITER = { default: null, defaultText: "the limiter's" };

export const SCHEDULE_RULES: OptionRules = {
  id: { ...text(), defaultText: 'one that nobody else has' },
  priority: { ...priority, ...OF_LIMITER },
  weight: { ...weight, ...OF_LIMITER },
  expiration: { ...positive('ms'), ...OF_LIMITER },
  maxRetries: { ...maxRetries, ...OF_LIMITER },
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
  const signal = value as Partial<AbortSignalLike>;
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
  signal: AbortSignalLike | null;
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
    signal: options.signal as AbortSignalLike | null,
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
