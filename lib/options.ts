/**
 * Options: what is taken, what it defaults to, and what is refused. A value is refused only where Bottleneck's behaviour
 * with it would be nonsense; text that Bottleneck happens to compute with correctly is converted.
 */
import { BottleneckError } from './errors';
import type { GivenJobOptions } from './scheduler/job';
import type { StoreSettings } from './store/store';

export const DEFAULT_PRIORITY = 5;
export const LOWEST_PRIORITY = 9;
export const NO_ID = '<no-id>';

interface NumberRule {
  /** Smallest value that makes sense. */
  min: number;
  /** `min` itself makes no sense. */
  above?: boolean;
  integer?: boolean;
  /** Bottleneck gets the arithmetic right when the number comes as text. */
  text?: boolean;
  /** What null and undefined stand for. */
  default: number | null;
}

const COUNT: NumberRule = { min: 0, default: null };
const INTERVAL: NumberRule = { min: 0, default: null };

/** Every numeric setting of a limiter. Times in ms. */
const NUMBERS: Record<Exclude<keyof StoreSettings, 'dispatch' | 'strategy'>, NumberRule> & { strategy: NumberRule } = {
  maxConcurrent: { ...COUNT, text: true },
  minTime: { min: 0, default: 0 },
  highWater: COUNT,
  strategy: { min: Number.NEGATIVE_INFINITY, default: 1 },
  penalty: COUNT,
  // Below 0 works: nothing starts until it has been raised above.
  reservoir: { min: Number.NEGATIVE_INFINITY, default: null, text: true },
  reservoirRefreshInterval: INTERVAL,
  reservoirRefreshAmount: { min: Number.NEGATIVE_INFINITY, default: null, text: true },
  reservoirIncreaseInterval: INTERVAL,
  reservoirIncreaseAmount: { min: Number.NEGATIVE_INFINITY, default: null },
  reservoirIncreaseMaximum: { min: Number.NEGATIVE_INFINITY, default: null, text: true },
  windowMax: { min: 1, integer: true, default: null },
  windowDuration: { min: 0, above: true, default: null },
  bucketCapacity: { min: 0, above: true, default: null },
  bucketRefillPerSecond: { min: 0, above: true, default: null },
};

/** The settings Bottleneck has, in its order; these are what its stored settings consist of. */
export const BOTTLENECK_SETTINGS = [
  'maxConcurrent',
  'minTime',
  'highWater',
  'strategy',
  'penalty',
  'reservoir',
  'reservoirRefreshInterval',
  'reservoirRefreshAmount',
  'reservoirIncreaseInterval',
  'reservoirIncreaseAmount',
  'reservoirIncreaseMaximum',
] as const satisfies ReadonlyArray<keyof StoreSettings>;

type Bag = Record<string, unknown>;

/** The store's part of constructor options, complete. Throws a BottleneckError for what makes no sense. */
export function storeSettings(options: Bag): StoreSettings {
  const flat = flatten(options);
  const settings: Bag = { dispatch: dispatchOf(flat.dispatch) };
  for (const [name, rule] of Object.entries(NUMBERS)) settings[name] = checkedNumber(name, flat[name], rule);
  return settings as unknown as StoreSettings;
}

/** The settings that `updateSettings` was asked to change: those named, whatever else the object holds. */
export function settingsPatch(options: Bag): Partial<StoreSettings> {
  const flat = flatten(options);
  const patch: Bag = {};
  for (const [name, rule] of Object.entries(NUMBERS)) {
    if (name in flat) patch[name] = checkedNumber(name, flat[name], rule);
  }
  if ('dispatch' in flat) patch.dispatch = dispatchOf(flat.dispatch);
  return patch as Partial<StoreSettings>;
}

/** `window: { max, duration }` and `bucket: { capacity, refillPerSecond }` are stored as four plain settings. */
function flatten(options: Bag): Bag {
  if (!('window' in options) && !('bucket' in options)) return options;
  const { window, bucket, ...flat } = options as Bag & { window?: Bag | null; bucket?: Bag | null };
  if (window !== undefined) Object.assign(flat, windowSettings(window));
  if (bucket !== undefined) Object.assign(flat, bucketSettings(bucket));
  return flat;
}

function windowSettings(window: Bag | null): Bag {
  if (window === null) return { windowMax: null, windowDuration: null };
  requireParts('window', window, ['max', 'duration']);
  return { windowMax: window.max, windowDuration: window.duration };
}

function bucketSettings(bucket: Bag | null): Bag {
  if (bucket === null) return { bucketCapacity: null, bucketRefillPerSecond: null };
  requireParts('bucket', bucket, ['capacity', 'refillPerSecond']);
  return { bucketCapacity: bucket.capacity, bucketRefillPerSecond: bucket.refillPerSecond };
}

function requireParts(name: string, value: unknown, parts: string[]): void {
  const complete =
    typeof value === 'object' && value !== null && parts.every((part) => typeof (value as Bag)[part] === 'number');
  if (!complete) throw bad(name, `an object with the numbers ${parts.join(' and ')}`, value);
}

function dispatchOf(value: unknown): StoreSettings['dispatch'] {
  if (value === undefined || value === null || value === 'default') return 'default';
  if (value === 'just-in-time') return value;
  throw bad('dispatch', '"default" or "just-in-time"', value);
}

function checkedNumber(name: string, value: unknown, rule: NumberRule): number | null {
  if (value === undefined || value === null) return rule.default;
  const number = rule.text && isNumericText(value) ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number) || !fits(number, rule))
    throw bad(name, expectedOf(rule), value);
  return number;
}

function fits(number: number, { min, above, integer }: NumberRule): boolean {
  return (above ? number > min : number >= min) && (!integer || Number.isInteger(number));
}

function expectedOf({ min, above, integer }: NumberRule): string {
  if (min === Number.NEGATIVE_INFINITY) return 'a number';
  if (integer) return `an integer of ${min} or more`;
  return above ? `a number above ${min}` : `a number of ${min} or more`;
}

function isNumericText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value));
}

/**
 * Job options with defaults. Priorities are taken as Bottleneck takes them: anything but an integer counts as 5, and
 * what is outside 0 to `lowest` as the nearest. One rule for weights in both stores: a number of 0 or more.
 */
export function jobOptions(given: Bag): GivenJobOptions {
  const id = given.id ?? NO_ID;
  return {
    priority: priorityOf(given.priority),
    weight: weightOf(given.weight),
    expiration: expirationOf(given.expiration),
    id: id === NO_ID ? null : (id as string),
  };
}

function priorityOf(value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_PRIORITY;
  const priority = Number.isInteger(value) ? (value as number) : DEFAULT_PRIORITY;
  return Math.min(Math.max(priority, 0), LOWEST_PRIORITY);
}

function weightOf(value: unknown): number {
  if (value === undefined || value === null) return 1;
  const weight = isNumericText(value) ? Number(value) : value;
  if (typeof weight !== 'number' || !(weight >= 0) || weight === Number.POSITIVE_INFINITY) {
    throw bad('weight', 'a number of 0 or more', value);
  }
  return weight;
}

function expirationOf(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const expiration = isNumericText(value) ? Number(value) : value;
  if (typeof expiration !== 'number' || !(expiration >= 0))
    throw bad('expiration', 'a number of 0 or more (ms)', value);
  return expiration;
}

/** The error for a value that makes no sense: what was expected, and what was got. */
export function bad(name: string, expected: string, got: unknown): BottleneckError {
  return new BottleneckError(`Invalid ${name}: expected ${expected}, got ${describe(got)}`);
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
