import { bad } from '../../options';
import type { RedisStoreHandle, StoreRequest } from '../create-store';
import type { RedisDatastore } from './clients/open-clients';
import { Connection, IORedisConnection, RedisConnection } from './connection';
import { RedisStore } from './redis-store';
import { acquire } from './shared-connections';
import { checkSource, type WorkerSource } from './worker-heartbeat';

/** Bottleneck's defaults, in ms. */
const HEARTBEAT_INTERVAL = 5000;
const CLIENT_TIMEOUT = 10_000;

/** Makes the Redis-resident store of a limiter, with a connection of its own or on the one that was given. */
export function createRedisStore(request: StoreRequest): RedisStoreHandle {
  const { id, options, settings } = request;
  const timeout = duration('timeout', options.timeout, null);
  const heartbeatInterval = duration('heartbeatInterval', options.heartbeatInterval, HEARTBEAT_INTERVAL)!;
  const clientTimeout = duration('clientTimeout', options.clientTimeout, CLIENT_TIMEOUT)!;
  // Whatever may be refused is refused before a connection is opened.
  const heartbeatThread = options.workerHeartbeat === true ? threadSource(request) : null;
  const clear = options.clearDatastore === true;
  const { connection, release } = connect(request);
  const store = new RedisStore({
    ...{ id, connection, release, settings, timeout, heartbeatInterval, clientTimeout, clear, heartbeatThread },
  });
  return { store, connection: request.connection ?? connection, datastore: connection.datastore };
}

function connect(request: StoreRequest): { connection: Connection; release: (flush: boolean) => Promise<void> } {
  const { connection: given, options } = request;
  if (given != null) return { connection: ownConnection(given), release: async () => {} };
  const acquired = acquire({
    datastore: request.datastore as RedisDatastore,
    Redis: options.Redis,
    clientOptions: options.clientOptions,
    clusterNodes: options.clusterNodes,
    Promise: request.Promise,
    Events: request.events,
  });
  return { connection: acquired.connection, release: (flush) => acquired.release(flush) };
}

function threadSource({ connection, datastore, options }: StoreRequest): WorkerSource {
  if (connection != null)
    throw bad('workerHeartbeat', 'a limiter that opens its own connection', 'one with a connection');
  const { clientOptions, clusterNodes } = options;
  const source = {
    datastore: datastore as RedisDatastore,
    clientOptions: clientOptions ?? {},
    clusterNodes: clusterNodes ?? null,
  };
  checkSource(source);
  return source;
}

const wrapped = new WeakMap<object, Connection>();

/** A connection of ours as it is; one of Bottleneck's is used through its client. */
function ownConnection(given: unknown): Connection {
  if (given instanceof Connection) return given;
  const foreign = given as { client?: unknown; datastore?: unknown; Events?: never };
  if (typeof given !== 'object' || given === null || foreign.client == null) {
    throw bad('connection', 'a RedisConnection or IORedisConnection', given);
  }
  const existing = wrapped.get(given);
  if (existing !== undefined) return existing;
  const Class = foreign.datastore === 'redis' ? RedisConnection : IORedisConnection;
  const connection = new Class({ client: foreign.client, Events: foreign.Events });
  wrapped.set(given, connection);
  return connection;
}

function duration(name: string, value: unknown, byDefault: number | null): number | null {
  if (value === undefined || value === null) return byDefault;
  if (typeof value !== 'number' || !(value > 0)) throw bad(name, 'a number of ms above 0', value);
  return value;
}
