import { BOTTLENECK_SETTINGS } from '../../options';
import type { StoreSettings } from '../store';
import { numberOrNull } from './replies';

/** The version of Bottleneck whose format of stored settings this is. */
export const FORMAT_VERSION = '2.19.5';

/** Our settings that Bottleneck does not have, and their fields in the settings hash. */
const OWN_FIELDS = {
  windowMax: 'rb_windowMax',
  windowDuration: 'rb_windowDuration',
  bucketCapacity: 'rb_bucketCapacity',
  bucketRefillPerSecond: 'rb_bucketRefillPerSecond',
} as const;

/** A time that nobody will see the end of, in ms: Bottleneck's fields have room for 13 digits. */
const FOREVER = 4e12;

/** What stands for Infinity, which Bottleneck's scripts read as 0. Elsewhere it means the same as null: no limit. */
const INSTEAD_OF_INFINITY: Partial<StoreSettings> = {
  minTime: FOREVER,
  penalty: FOREVER,
  windowDuration: FOREVER,
  reservoirRefreshAmount: Number.MAX_SAFE_INTEGER,
  reservoirIncreaseAmount: Number.MAX_SAFE_INTEGER,
};

/** Settings as they are stored. */
export function storable(settings: Partial<StoreSettings>): Partial<StoreSettings> {
  const entries = Object.entries(settings).map(([name, value]) => {
    if (value !== Number.POSITIVE_INFINITY) return [name, value];
    return [name, INSTEAD_OF_INFINITY[name as keyof StoreSettings] ?? null];
  });
  return Object.fromEntries(entries);
}

/** Settings as names and values of the settings hash. */
export function toFields(given: Partial<StoreSettings>): string[] {
  const settings = storable(given);
  const fields: string[] = [];
  for (const name of BOTTLENECK_SETTINGS) {
    if (name in settings) fields.push(name, text(name === 'minTime' ? ceiled(settings[name]) : settings[name]));
  }
  // The shared field is an integer for real clients; ours is exact.
  if ('minTime' in settings) fields.push('rb_minTime', text(settings.minTime));
  for (const [name, field] of Object.entries(OWN_FIELDS)) {
    if (name in settings) fields.push(field, text(settings[name as keyof typeof OWN_FIELDS]));
  }
  if ('dispatch' in settings) fields.push('rb_justInTime', settings.dispatch === 'just-in-time' ? '1' : '');
  return fields;
}

function ceiled(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.ceil(value);
}

/** null is the empty text. */
function text(value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
}

/** The settings in force, from the settings hash. */
export function fromFields(pairs: ReadonlyArray<[string, string]>): StoreSettings {
  const fields = new Map(pairs);
  const number = (name: string): number | null => numberOrNull(fields.get(name));
  const shared = Object.fromEntries(BOTTLENECK_SETTINGS.map((name) => [name, number(name)]));
  const exactMinTime = number('rb_minTime');
  const minTime = number('minTime') ?? 0;
  return {
    ...(shared as unknown as StoreSettings),
    minTime: exactMinTime !== null && Math.ceil(exactMinTime) === minTime ? exactMinTime : minTime,
    strategy: number('strategy') ?? 1,
    windowMax: number('rb_windowMax'),
    windowDuration: number('rb_windowDuration'),
    bucketCapacity: number('rb_bucketCapacity'),
    bucketRefillPerSecond: number('rb_bucketRefillPerSecond'),
    dispatch: number('rb_justInTime') === 1 ? 'just-in-time' : 'default',
  };
}
