/**
 * Members of Bottleneck that are not part of its documented API, but that its own test suite reaches for. They are kept
 * so that the suite runs unchanged; nothing in this package uses them, and new code should not either.
 */

// biome-ignore lint/suspicious/noExplicitAny: looks into limiters from outside
type Any = any;

/** What `limiter._store` shows of the store. */
function storeView(limiter: Any): Record<string, unknown> {
  const engine = limiter._engine;
  return {
    clientId: engine.clientId,
    originalId: limiter._originalId,
    clients: limiter.clients(),
    connection: limiter.connection,
    timeout: limiter._options.timeout ?? null,
    storeOptions: engine.currentSettings,
    ready: engine.ready,
    __groupCheck__: (time: number) => limiter._isIdleSince(time),
    __running__: () => limiter.running(),
    __done__: () => limiter.done(),
    __queued__: () => limiter.clusterQueued(),
    __disconnect__: (flush: boolean) => limiter.disconnect(flush),
  };
}

/** A lock of Bottleneck's: whoever asks for it comes after everything received so far was decided on. */
function lockView(limiter: Any): Record<string, unknown> {
  return {
    schedule: async (task: (...args: unknown[]) => unknown, ...args: unknown[]) => {
      await limiter._scheduler.whenSettled();
      return task(...args);
    },
    isEmpty: () => limiter.empty(),
  };
}

export function definePrivateMembers(Bottleneck: { prototype: Any }): void {
  const define = (name: string, get: (limiter: Any) => unknown): void => {
    Object.defineProperty(Bottleneck.prototype, name, {
      configurable: true,
      get() {
        return get(this);
      },
    });
  };
  define('_store', storeView);
  define('_submitLock', lockView);
  define('_registerLock', lockView);
  define('_drainAll', (limiter) => () => {
    limiter._scheduler.poke();
    return limiter._scheduler.whenSettled();
  });
  define('_randomIndex', () => () => Math.random().toString(36).slice(2));
}
