import {
  type Connection,
  type ConnectionOptions,
  IORedisConnection,
  RedisConnection,
} from '../../lib/store/redis/connection';
import { RedisStore, type RedisStoreOptions } from '../../lib/store/redis/redis-store';
import type { StoreSettings } from '../../lib/store/store';
import { type Family, families } from '../redis/client-families';
import { UNLIMITED } from './store-driver';

export function familyNamed(name: string): Family {
  const family = families.find((one) => one.name === name);
  if (family === undefined) throw new Error(`no such client library: ${name}`);
  return family;
}

/** A pair of connections of its own, as a process of its own would have. */
export function connect(family: Family, port: number): Connection {
  return open(family, { clientOptions: family.options(port) });
}

/** The same to whatever these options lead to. */
export function open(family: Family, options: ConnectionOptions): Connection {
  const Class = family.datastore === 'ioredis' ? IORedisConnection : RedisConnection;
  const connection = new Class({ Redis: family.Redis, ...options });
  connection.on('error', () => {}); // a lost connection is no failure of a test
  return connection;
}

export interface OpenOptions extends Partial<Omit<RedisStoreOptions, 'settings' | 'connection'>> {
  id: string;
  settings?: Partial<StoreSettings>;
}

/** A store on a connection that ends with it. */
export function openStore(connection: Connection, { settings, ...options }: OpenOptions): RedisStore {
  return new RedisStore({
    connection,
    release: async (flush) => (connection.terminated ? undefined : connection.disconnect(flush)),
    timeout: null,
    heartbeatInterval: 5000,
    clientTimeout: 10_000,
    clear: false,
    heartbeatThread: null,
    ...options,
    settings: { ...UNLIMITED, ...settings },
  });
}
