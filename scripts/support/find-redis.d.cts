/**
 * The path of a Redis or Valkey server: the file named by the environment variable REBOTTLE_REDIS_SERVER, else
 * `redis-server` or `valkey-server` on the PATH, else one that redis-memory-server downloads, else, as root on Debian
 * or Ubuntu, the distribution's package. Rejects with an error that says what to install.
 */
export function findRedis(): Promise<string>;
