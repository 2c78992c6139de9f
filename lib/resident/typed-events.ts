/** Event names and the arguments that their listeners get. */
export type EventMap<M> = { [K in keyof M]: unknown[] };

// biome-ignore lint/suspicious/noExplicitAny: listeners are kept together, whatever they take
type AnyListener = (...args: any[]) => unknown;

/**
 * `on`, `once` and `off` with typed listeners. A listener that throws, or whose promise rejects, never disturbs who
 * emits: its error is emitted as `error`, and one of an `error` listener becomes a warning of the process.
 */
export class TypedEvents<M extends EventMap<M>> {
  private readonly listeners = new Map<keyof M, Set<AnyListener>>();

  on<K extends keyof M>(name: K, listener: (...args: M[K]) => unknown): this {
    const known = this.listeners.get(name);
    if (known === undefined) this.listeners.set(name, new Set([listener]));
    else known.add(listener);
    return this;
  }

  once<K extends keyof M>(name: K, listener: (...args: M[K]) => unknown): this {
    const onceOnly = (...args: M[K]): unknown => {
      this.off(name, onceOnly);
      return listener(...args);
    };
    return this.on(name, onceOnly);
  }

  off<K extends keyof M>(name: K, listener: (...args: M[K]) => unknown): this {
    const known = this.listeners.get(name);
    known?.delete(listener);
    if (known?.size === 0) this.listeners.delete(name);
    return this;
  }

  listenerCount(name: keyof M): number {
    return this.listeners.get(name)?.size ?? 0;
  }

  /** @internal */
  emit<K extends keyof M>(name: K, ...args: M[K]): void {
    for (const listener of [...(this.listeners.get(name) ?? [])]) {
      try {
        const result = listener(...args);
        if (result instanceof Promise) result.catch((error: unknown) => this.report(name, error));
      } catch (error) {
        this.report(name, error);
      }
    }
  }

  private report(name: keyof M, error: unknown): void {
    const handlers = this.listeners.get('error' as keyof M);
    if (name !== 'error' && handlers !== undefined) this.emit('error' as keyof M, ...([error] as M[keyof M]));
    else
      warn(`A listener of the "${String(name)}" event failed: ${error instanceof Error ? error.stack : String(error)}`);
  }
}

/** A warning of the process, or on the console where there is none. */
export function warn(message: string): void {
  const { process } = globalThis as { process?: { emitWarning?: (warning: string, type?: string) => void } };
  if (typeof process?.emitWarning === 'function') process.emitWarning(message, 'RebottleWarning');
  else console.error(message);
}
