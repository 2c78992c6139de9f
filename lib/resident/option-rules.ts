import { InvalidOptionError } from './errors';

/** What is known of an option: docs/RESIDENT.md holds a row for each, which a test compares. */
export interface OptionRule {
  /** What is accepted, in words: for the error, and for the reference. */
  readonly expected: string;
  readonly unit: string;
  /** What undefined stands for, and null too unless that has a meaning of its own. */
  readonly default: unknown;
  /** The default in words, where it is no plain value. */
  readonly defaultText?: string;
  /** null is accepted, and means no limit. */
  readonly nullable?: boolean;
  accepts(value: unknown): boolean;
}

export type OptionRules = Readonly<Record<string, OptionRule>>;

/**
 * The options as used, with defaults filled in.
 *
 * @throws {InvalidOptionError} for an option that does not exist, and for a value that makes no sense.
 */
export function resolveOptions<T>(what: string, given: unknown, rules: OptionRules): T {
  if (typeof given !== 'object' || given === null) throw new InvalidOptionError(what, 'an object', given);
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(rules, name)) {
      throw new InvalidOptionError(what, `only ${Object.keys(rules).join(', ')}`, name);
    }
  }
  const values = given as Record<string, unknown>;
  const resolved = Object.entries(rules).map(([name, rule]) => [name, checked(name, values[name], rule)]);
  return Object.fromEntries(resolved) as T;
}

function checked(name: string, value: unknown, rule: OptionRule): unknown {
  if (value === null && rule.nullable) return null;
  if (value === undefined || value === null) return rule.default;
  if (!rule.accepts(value)) throw new InvalidOptionError(name, rule.expected, value);
  return value;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value);
}

/** A number of `min` or more. */
export function atLeast(min: number, unit: string, byDefault: number | null = null): OptionRule {
  return {
    expected: `a number of ${min} or more`,
    unit,
    default: byDefault,
    accepts: (value) => isNumber(value) && value >= min,
  };
}

/** A finite number above 0. */
export function positive(unit: string, byDefault: number | null = null): OptionRule {
  const accepts = (value: unknown): boolean => isNumber(value) && value > 0 && Number.isFinite(value);
  return { expected: 'a number above 0', unit, default: byDefault, accepts };
}

export function integer(min: number, max: number, unit: string, byDefault: number | null): OptionRule {
  const expected =
    max === Number.POSITIVE_INFINITY ? `an integer of ${min} or more` : `an integer from ${min} to ${max}`;
  const accepts = (value: unknown): boolean =>
    isNumber(value) && Number.isInteger(value) && value >= min && value <= max;
  return { expected, unit, default: byDefault, accepts };
}

export function anyNumber(unit: string): OptionRule {
  return { expected: 'a number', unit, default: null, accepts: (value) => isNumber(value) && Number.isFinite(value) };
}

export function flag(byDefault: boolean): OptionRule {
  return { expected: 'true or false', unit: '', default: byDefault, accepts: (value) => typeof value === 'boolean' };
}

export function text(byDefault: string | null = null): OptionRule {
  const accepts = (value: unknown): boolean => typeof value === 'string' && value !== '';
  return { expected: 'a text that is not empty', unit: '', default: byDefault, accepts };
}

export function oneOf(values: readonly string[], byDefault: string | null): OptionRule {
  const expected = `${values.slice(0, -1).map(quoted).join(', ')} or ${quoted(values.at(-1)!)}`;
  return { expected, unit: '', default: byDefault, accepts: (value) => values.includes(value as string) };
}

function quoted(value: string): string {
  return JSON.stringify(value);
}

/** Anything that passes. */
export function custom(
  expected: string,
  unit: string,
  byDefault: unknown,
  accepts: (value: unknown) => boolean,
): OptionRule {
  return { expected, unit, default: byDefault, accepts };
}

/** An object that holds exactly these. */
export function parts(rules: OptionRules, unit: string): OptionRule {
  const names = Object.keys(rules);
  const expected = `an object of ${names.map((name) => `${name} (${rules[name]!.expected})`).join(' and ')}`;
  const accepts = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === names.length &&
    names.every((name) => rules[name]!.accepts((value as Record<string, unknown>)[name]));
  return { expected, unit, default: null, accepts };
}
