import type { Native } from './base-client';
import { CallbackClient } from './callback-client';
import type { RedisClient } from './client';
import { IoredisClient } from './ioredis-client';
import { isNodeRedisCluster, PromiseClient } from './promise-client';

/**
 * Wraps a native client, whose family is told by what it can do.
 *
 * @param owned whether we made it, and so may close it.
 */
export function adaptClient(raw: Native, owned: boolean): RedisClient {
  if (typeof raw.internal_send_command === 'function') return new CallbackClient(raw, owned);
  if (isNodeRedisCluster(raw) || ('isOpen' in raw && typeof raw.sendCommand === 'function')) {
    return new PromiseClient(raw, owned);
  }
  return new IoredisClient(raw, owned);
}
