import { useRedis } from '../support/redis-fixture';
import { describeStore } from './describe-store';
import { connect, familyNamed, openStore } from './redis-stores';

/** Those that most people use, with connections for each limiter. All others are in redis-clients.test.ts. */
const LIBRARIES = ['ioredis 6', 'node-redis 6'];

describe('RedisStore', () => {
  const redis = useRedis();
  let limiters = 0;

  for (const name of LIBRARIES) {
    describeStore(`RedisStore with ${name}`, ({ settings, timeout }) => {
      redis.allowKeys(/./); // settings stay, as with Bottleneck
      const id = redis.id(`limiter${limiters++}`);
      return openStore(connect(familyNamed(name), redis.server.port), { id, settings, timeout });
    });
  }
});
