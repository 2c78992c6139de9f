import { openClients, type RedisDatastore } from '../../lib/store/redis/clients/open-clients';

// biome-ignore lint/suspicious/noExplicitAny: the native libraries and clients have nothing in common
type Any = any;

/** One major version of one client library. */
export interface Family {
  readonly name: string;
  readonly datastore: RedisDatastore;
  readonly Redis: Any;
  /** `clientOptions` for a server. */
  options(port: number, more?: Record<string, unknown>): Any;
  /** The same for a client that does not try again once its connection is lost. */
  onceOnly(port: number): Any;
  /** A client as a user of that library makes it, connected. */
  connect(port: number): Promise<Any>;
  /** Closes a client of the user's. */
  end(raw: Any): unknown;
  /** How the family spells a key prefix; undefined where there is none. */
  readonly prefixOption?: string;
  readonly databaseOption: 'db' | 'database';
}

const HOST = '127.0.0.1';

function ioredis(name: string, library: Any): Family {
  const Redis = library.default ?? library;
  // ioredis 4 holds a timer this long after some disconnects.
  const base = { host: HOST, disconnectTimeout: 50 };
  return {
    name,
    datastore: 'ioredis',
    Redis,
    options: (port, more = {}) => ({ ...base, port, retryStrategy: () => 20, ...more }),
    onceOnly: (port) => ({ ...base, port, retryStrategy: () => null }),
    connect: async (port) => new Redis({ ...base, port, retryStrategy: () => 20 }),
    end: (raw) => raw.disconnect(),
    prefixOption: 'keyPrefix',
    databaseOption: 'db',
  };
}

function callbacks(name: string, library: Any): Family {
  const retry_strategy = () => 20;
  return {
    name,
    datastore: 'redis',
    Redis: library,
    options: (port, more = {}) => ({ host: HOST, port, retry_strategy, ...more }),
    onceOnly: (port) => ({ host: HOST, port, retry_strategy: () => new Error('enough') }),
    connect: async (port) => library.createClient({ host: HOST, port, retry_strategy }),
    end: (raw) => raw.end(false),
    prefixOption: 'prefix',
    databaseOption: 'db',
  };
}

function promises(name: string, library: Any, prefixOption?: string): Family {
  const socket = (port: number) => ({ host: HOST, port, reconnectStrategy: () => 20 });
  return {
    name,
    datastore: 'redis',
    Redis: library,
    options: (port, more = {}) => ({ socket: socket(port), ...more }),
    onceOnly: (port) => ({ socket: { host: HOST, port, reconnectStrategy: () => new Error('enough') } }),
    connect: async (port) => {
      const raw = library.createClient({ socket: socket(port) });
      raw.on('error', () => {});
      await raw.connect();
      return raw;
    },
    end: (raw) => (raw.destroy ? raw.destroy() : raw.disconnect()),
    databaseOption: 'database',
    ...(prefixOption === undefined ? {} : { prefixOption }),
  };
}

export const families: Family[] = [
  ioredis('ioredis 4', require('ioredis4')),
  ioredis('ioredis 5', require('ioredis5')),
  ioredis('ioredis 6', require('ioredis')),
  ioredis('iovalkey', require('iovalkey')),
  callbacks('node-redis 2', require('redis2')),
  callbacks('node-redis 3', require('redis3')),
  promises('node-redis 4', require('redis4')),
  promises('node-redis 5', require('redis5')),
  promises('node-redis 6', require('redis'), 'keyPrefix'),
];

/** The two clients of a connection, as the library makes them of its own options. */
export function openFamily(family: Family, port: number, more?: Record<string, unknown>) {
  return openClients(family.datastore, { Redis: family.Redis, clientOptions: family.options(port, more) });
}
