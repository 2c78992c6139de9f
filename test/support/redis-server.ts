/** The one implementation is plain JavaScript, so that scripts can use it without a TypeScript loader. */
export {
  type RedisServer,
  type RestartOptions,
  type StartRedisOptions,
  startRedis,
} from '../../scripts/support/redis-server.cjs';
