import type { MonotonicClock } from '../clock';
import { BottleneckError } from '../errors';
import type { Events } from '../events';
import { MemoryStore } from './memory/memory-store';
import type { Store, StoreSettings } from './store';

/** What a limiter asks for when it asks for a store. */
export interface StoreRequest {
  id: string;
  datastore: string;
  connection: unknown;
  settings: StoreSettings;
  /** The constructor options as given: the Redis engine reads its own from there. */
  options: Record<string, unknown>;
  Promise: PromiseConstructorLike & { resolve(value: Record<string, unknown>): PromiseLike<Record<string, unknown>> };
  /** Where errors of a connection of the limiter's own go. */
  events: Events;
  randomId: () => string;
  /** The limiter's time, for a store without one of its own. */
  clock: MonotonicClock;
  /** When the limiter was made, by its clock. */
  createdAt: number;
}

/** A Redis-resident store, and what the facade shows of its connection. */
export interface RedisStoreHandle {
  store: Store;
  connection: unknown;
  datastore: string;
}

/** Makes Redis-resident stores. Installed by the entry that has Redis in it, so that the light one has none. */
export type RedisStoreFactory = (request: StoreRequest) => RedisStoreHandle;

let redisStoreFactory: RedisStoreFactory | null = null;

export function installRedisStores(factory: RedisStoreFactory): void {
  redisStoreFactory = factory;
}

/** The store for `datastore` or `connection`. Throws a BottleneckError for a datastore that does not exist (here). */
export function createStore(request: StoreRequest): RedisStoreHandle {
  const { datastore } = request;
  if (datastore === 'redis' || datastore === 'ioredis' || request.connection != null) {
    if (redisStoreFactory === null) {
      throw new BottleneckError(
        `The light build has no Redis in it: import "rebottle" instead of "rebottle/light" (datastore: ${datastore})`,
      );
    }
    return redisStoreFactory(request);
  }
  if (datastore !== 'local') throw new BottleneckError(`Invalid datastore type: ${datastore}`);
  const timeout = (request.options.timeout as number | null | undefined) ?? null;
  const { settings, clock, createdAt } = request;
  const store = new MemoryStore(request.randomId(), settings, timeout, request.Promise.resolve({}), clock, createdAt);
  return { store, connection: null, datastore };
}
