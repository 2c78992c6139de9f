import { isNodeRedisCluster } from '../store/redis/clients/promise-client';
import { Connection, IORedisConnection, RedisConnection } from '../store/redis/connection';
import { InvalidOptionError } from './errors';
import type { RedisSource } from './types';

// biome-ignore lint/suspicious/noExplicitAny: native clients and their options have nothing in common
type Any = any;

/** The connection to use, and whether it is ours to close. */
export function connectTo(redis: RedisSource, library: unknown): { connection: Connection; owned: boolean } {
  if (redis instanceof Connection) return { connection: redis, owned: false };
  if (typeof redis !== 'string' && (typeof redis !== 'object' || redis === null)) {
    throw new InvalidOptionError('redis', 'options of ioredis, a URL, or a client', redis);
  }
  if (isClient(redis)) {
    const Class = isNodeRedis(redis) ? RedisConnection : IORedisConnection;
    return { connection: new Class({ client: redis }), owned: true };
  }
  if (typeof redis === 'string')
    return { connection: new IORedisConnection({ Redis: library, clientOptions: redis }), owned: true };
  const { clusterNodes, ...clientOptions } = redis as Any;
  return { connection: new IORedisConnection({ Redis: library, clientOptions, clusterNodes }), owned: true };
}

function isClient(redis: Any): boolean {
  return typeof redis.duplicate === 'function' || typeof redis.sendCommand === 'function' || isNodeRedisCluster(redis);
}

function isNodeRedis(client: Any): boolean {
  return typeof client.internal_send_command === 'function' || 'isOpen' in client || isNodeRedisCluster(client);
}
