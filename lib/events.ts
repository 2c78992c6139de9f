/**
 * The event emitter behind every limiter, Group, Batcher and connection.
 *
 * It differs from Node's emitter in what its users rely on: listeners may return a promise, `trigger` gives the first
 * result that is not null or undefined (that is how a `failed` handler asks for a retry), and a listener that fails
 * becomes an `error` event instead of an exception in the limiter.
 *
 * What happens to a listener that throws, or whose promise rejects:
 * - it counts as having returned nothing, and its error goes to the `error` listeners;
 * - a failing `debug` listener is reported the same way, but that report does not itself produce a `debug` event;
 * - a failing `error` listener is reported once, as a process warning (on the console outside Node). It is not handed
 *   to the `error` listeners again, since that would never end.
 */

// biome-ignore lint/suspicious/noExplicitAny: arguments and results are whatever the event's users agreed on
type Any = any;

/** A listener may be asynchronous; its result only matters to events that ask for one, as `failed` does. */
export type Listener = (...args: Any[]) => Any;

interface Registration {
  readonly listener: unknown;
  readonly once: boolean;
  /** Set before a `once` listener is called, so that an event triggered by that listener does not reach it again. */
  spent: boolean;
}

/** The three methods that `new Events(instance)` gives to `instance`. */
export interface Emitter {
  on(name: string, listener: Listener): this;
  once(name: string, listener: Listener): this;
  removeAllListeners(name?: string | null): this;
}

const NOTHING: Promise<undefined> = Promise.resolve(undefined);

/** What an emitter without listeners holds: most have none, and an empty map is not small. Never written to. */
const NOBODY: Map<string, readonly Registration[]> = new Map();

export class Events {
  /** @internal Never holds an empty list, and a list is never changed in place: one being walked stays as it was. */
  _listeners = NOBODY;

  /** @internal Whether anything but `error` has listeners: many limiters have only those, and are asked for each job. */
  _followed = false;

  /** @internal */
  readonly instance: Any;

  /**
   * Gives `instance` the methods `on`, `once` and `removeAllListeners`.
   *
   * @throws {Error} when `instance` already has one of them, its own or inherited.
   */
  constructor(instance: object) {
    const target = instance as Partial<Emitter>;
    if (target.on != null || target.once != null || target.removeAllListeners != null) {
      throw new Error('An Emitter already exists for this object');
    }
    this.instance = instance;
    target.on = (name: string, listener: Listener) => this._add(name, listener, false);
    target.once = (name: string, listener: Listener) => this._add(name, listener, true);
    target.removeAllListeners = (name?: string | null) => {
      if (name == null) this._listeners = NOBODY;
      else this._listeners.delete(name);
      this._lookAgain();
      return this.instance;
    };
  }

  /** How many listeners `name` has. A `once` listener no longer counts after it was called. */
  listenerCount(name: string): number {
    return this._listeners.get(name)?.length ?? 0;
  }

  /** Whether anybody would hear `name`: a listener of it, or one of `debug`, which hears of every event. */
  has(name: string): boolean {
    if (!this._followed) return name === 'error' && this._listeners.has(name);
    return this._listeners.has(name) || this._listeners.has('debug');
  }

  /**
   * Calls the listeners of `name` at once, in the order in which they were added, and waits for the promises they return.
   *
   * @returns the first result, in listener order, that is not null or undefined. Never rejects.
   */
  trigger(name: string, ...args: Any[]): Promise<Any> {
    if (this._listeners.size === 0) return NOTHING;
    this._announce(name, args);
    const registrations = this._listeners.get(name);
    if (registrations === undefined) return NOTHING;
    const results: unknown[] = [];
    for (const registration of registrations) {
      const result = this._call(name, registration, args);
      results.push(isThenable(result) ? this._settle(name, result) : result);
    }
    return firstResult(results);
  }

  /**
   * As `trigger`, for callers that want no result: it allocates nothing when nobody listens, and no promise unless a
   * listener returns one.
   */
  emit(name: string, ...args: Any[]): void {
    if (!this.has(name)) return;
    this._announce(name, args);
    this._emitTo(name, args);
  }

  /** @internal */
  _add(name: string, listener: unknown, once: boolean): Any {
    const registration: Registration = { listener, once, spent: false };
    if (this._listeners === NOBODY) this._listeners = new Map();
    this._listeners.set(name, [...(this._listeners.get(name) ?? []), registration]);
    this._lookAgain();
    return this.instance;
  }

  /** @internal */
  _lookAgain(): void {
    this._followed = this._listeners.size > (this._listeners.has('error') ? 1 : 0);
  }

  /** @internal Every event but `debug` itself is first told to the `debug` listeners. */
  _announce(name: string, args: Any[]): void {
    if (name !== 'debug' && this._listeners.has('debug')) {
      this._emitTo('debug', [`Event triggered: ${name}`, args]);
    }
  }

  /** @internal */
  _emitTo(name: string, args: Any[]): void {
    const registrations = this._listeners.get(name);
    if (registrations === undefined) return;
    for (const registration of registrations) {
      const result = this._call(name, registration, args);
      if (isThenable(result)) void this._settle(name, result);
    }
  }

  /** @internal */
  _call(name: string, registration: Registration, args: Any[]): unknown {
    const { listener } = registration;
    if (registration.spent) return undefined;
    if (registration.once) this._spend(name, registration);
    if (typeof listener !== 'function') return undefined;
    try {
      return listener(...args);
    } catch (error) {
      this._report(name, error);
      return undefined;
    }
  }

  /** @internal */
  _spend(name: string, registration: Registration): void {
    registration.spent = true;
    const rest = this._listeners.get(name)?.filter((other) => other !== registration);
    if (rest === undefined) return;
    if (rest.length === 0) this._listeners.delete(name);
    else this._listeners.set(name, rest);
    this._lookAgain();
  }

  /** @internal */
  async _settle(name: string, result: PromiseLike<unknown>): Promise<unknown> {
    try {
      return await result;
    } catch (error) {
      this._report(name, error);
      return undefined;
    }
  }

  /** @internal A listener of `name` failed with `error`. */
  _report(name: string, error: unknown): void {
    if (name === 'error') warn(error);
    else if (name === 'debug') this._emitTo('error', [error]);
    else this.emit('error', error);
  }
}

async function firstResult(results: unknown[]): Promise<unknown> {
  const settled = await Promise.all(results);
  return settled.find((result) => result != null);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return value != null && typeof (value as { then?: unknown }).then === 'function';
}

function warn(error: unknown): void {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = `A listener of the "error" event failed: ${detail}`;
  const { process } = globalThis as { process?: { emitWarning?: (warning: string, type?: string) => void } };
  if (typeof process?.emitWarning === 'function') process.emitWarning(message, 'ListenerWarning');
  else (globalThis as { console?: { error(text: string): void } }).console?.error(message);
}
