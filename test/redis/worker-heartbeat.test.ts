import { expect } from 'chai';
import type { Redis } from 'ioredis';
import Bottleneck from '../../lib/index';
import { eventually } from '../support/eventually';
import { type RedisServer, startRedis } from '../support/redis-server';

async function connections(client: Redis): Promise<number> {
  return String(await client.client('LIST'))
    .trim()
    .split('\n').length;
}

describe('workerHeartbeat', () => {
  let redis: RedisServer;
  before(async () => {
    redis = await startRedis();
  });
  after(() => redis.stop());

  const CLIENT_TIMEOUT = 400;

  function makeLimiter(id: string, options: object = {}): Bottleneck {
    return new Bottleneck({
      ...{ id, datastore: 'ioredis', maxConcurrent: 1, clientTimeout: CLIENT_TIMEOUT },
      clientOptions: { port: redis.port },
      ...options,
    });
  }

  /** Synchronous work for that long: nothing else of this process runs meanwhile. */
  function block(ms: number): void {
    const end = Date.now() + ms;
    while (Date.now() < end);
  }

  /** How long ago, in ms, Redis last heard of this process after it was blocked amid a job. */
  async function seenAgoAfterBlock(id: string, options: object): Promise<number> {
    const limiter = makeLimiter(id, options);
    try {
      await limiter.ready();
      const redisClient = limiter.clients().client;
      let seenAgo = Number.NaN;
      await limiter.schedule(async () => {
        // The thread has to be connected before this one stops answering: commands, subscriptions, and its own.
        if ('workerHeartbeat' in options) await eventually(async () => (await connections(redisClient)) === 3);
        block(2 * CLIENT_TIMEOUT);
        const [seen] = (await redisClient.zrange(`b_${id}_rb_seen`, 0, 0, 'WITHSCORES')).slice(1);
        const [seconds, micros] = await redisClient.time();
        seenAgo = Number(seconds) * 1000 + Number(micros) / 1000 - Number(seen);
      });
      return seenAgo;
    } finally {
      await limiter.disconnect();
    }
  }

  it('goes on while the event loop is blocked', async () => {
    expect(await seenAgoAfterBlock('blocked-with-thread', { workerHeartbeat: true })).to.be.below(CLIENT_TIMEOUT);
  });

  it('is what makes the difference', async () => {
    expect(await seenAgoAfterBlock('blocked-without', {})).to.be.above(CLIENT_TIMEOUT);
  });

  it('needs connection options of plain data', () => {
    const clientOptions = { port: redis.port, retryStrategy: () => 100 };
    expect(() => makeLimiter('functions', { workerHeartbeat: true, clientOptions })).to.throw(
      Bottleneck.BottleneckError,
      'workerHeartbeat',
    );
  });

  it('cannot be had with a connection that was given', async () => {
    const connection = new Bottleneck.IORedisConnection({ clientOptions: { port: redis.port } });
    try {
      expect(() => makeLimiter('given', { workerHeartbeat: true, connection })).to.throw('workerHeartbeat');
    } finally {
      await connection.disconnect();
    }
  });
});
