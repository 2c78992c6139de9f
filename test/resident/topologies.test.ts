import { expect } from 'chai';
import { DistributedLimiter, WorkerPool, type WorkerPoolOptions } from '../../lib/resident';
import { families } from '../redis/client-families';
import { ClusterSetup } from '../support/cluster';
import { eventually } from '../support/eventually';
import { failOnLeaks } from '../support/leaks';
import { useRedis } from '../support/redis-fixture';
import { SentinelSetup } from '../support/sentinel';
import { failure, hold, rejection } from './support/hold';

/** What works on one server has to work wherever Redis is: order, retries, delays, inspection, cancelling. */
async function exercise(options: WorkerPoolOptions, id: string): Promise<void> {
  const pool = await WorkerPool.create({ name: id, ...options });
  try {
    expect(await pool.live()).to.have.length(1);
    const limiter = new DistributedLimiter({ id, pool, backoff: { initialMs: 5 }, ttl: 5000 });
    const other = new DistributedLimiter({ id, pool, ttl: 5000 });
    const first = hold();
    const order: string[] = [];
    const jobs = [limiter.schedule(first.fn, { id: 'first', data: { n: 1 } })];
    await first.started;
    expect(await other.getJob('first')).to.deep.include({ state: 'executing', data: { n: 1 }, poolId: pool.poolId });
    jobs.push(limiter.schedule(() => void order.push('low'), { priority: 90 }));
    jobs.push(other.schedule(() => void order.push('high'), { priority: 10 }));
    const cancelled = limiter.schedule(() => {}, { delay: 60_000, id: 'cancelled' });
    await eventually(async () => (await other.getQueueSize()) === 3);
    expect(await other.getStats()).to.deep.include({ running: 1, ready: 2, delayed: 1 });
    expect(await other.cancel('cancelled')).to.equal(true);
    expect(await rejection(cancelled)).to.include({ code: 'JOB_CANCELLED' });
    first.release();
    await Promise.all(jobs);
    expect(order).to.deep.equal(['high', 'low']);
    expect(await limiter.schedule(({ attempt }) => (attempt < 3 ? Promise.reject(failure()) : attempt))).to.equal(3);
  } finally {
    await pool.stop({ deadlineMs: 1000 });
  }
}

describe('the engine on every client and topology', () => {
  describe('one server', () => {
    const redis = useRedis();
    failOnLeaks();
    beforeEach(() => redis.allowKeys(/^b_/));

    for (const family of families) {
      it(`a client of ${family.name}`, async () => {
        const client = await family.connect(redis.server.port);
        await exercise({ redis: client }, redis.id());
        await family.end(client);
      });
    }

    for (const family of families.filter(({ datastore }) => datastore === 'ioredis')) {
      it(`options of ${family.name}`, () =>
        exercise({ redis: family.options(redis.server.port), Redis: family.Redis }, redis.id()));
    }

    it('a key prefix of the client', async () => {
      const { host, port } = redis.server;
      await exercise({ redis: { host, port, keyPrefix: 'mine:' } }, redis.id());
      expect(await redis.admin.keys('b_*')).to.deep.equal([]);
      await redis.admin.flushall();
    });
  });

  it('a cluster', async function () {
    this.timeout(60_000);
    const cluster = await ClusterSetup.start({ replicas: 0 });
    try {
      await exercise({ redis: { clusterNodes: cluster.startupNodes } }, 'on-a-cluster');
    } finally {
      await cluster.stop();
    }
  });

  it('behind Sentinels, through a failover', async function () {
    this.timeout(60_000);
    const sentinel = await SentinelSetup.start();
    const redis = { ...sentinel.clientOptions, sentinelRetryStrategy: () => 50, maxRetriesPerRequest: null };
    const pool = await WorkerPool.create({ redis, name: 'sentinel', connectTimeoutMs: 30_000 });
    try {
      const limiter = new DistributedLimiter({ id: 'behind-sentinels', pool });
      const job = hold<string>();
      const running = limiter.schedule(job.fn, { id: 'runs' });
      await job.started;
      const waiting = limiter.schedule(() => 'waited', { id: 'waits' });
      await limiter.getStats();
      await sentinel.failover();
      await eventually(
        async () => (await limiter.getJob('runs')) !== null && (await limiter.getJob('waits')) !== null,
        { within: 20_000 },
      );
      job.release('ran');
      expect(await Promise.all([running, waiting])).to.deep.equal(['ran', 'waited']);
    } finally {
      await pool.stop({ deadlineMs: 0 });
      await sentinel.stop();
    }
  });
});
