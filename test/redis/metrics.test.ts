import { expect } from 'chai';
import { Registry } from 'prom-client';
import Bottleneck from '../../lib/index';
import { Metrics } from '../../lib/metrics';
import { DistributedLimiter, WorkerPool } from '../../lib/resident';
import { failOnLeaks } from '../support/leaks';
import { useRedis } from '../support/redis-fixture';
import { TcpProxy } from '../support/tcp-proxy';

// biome-ignore lint/suspicious/noExplicitAny: the public types are made for the build
type Any = any;

describe('metrics of limiters on Redis', () => {
  const redis = useRedis();
  failOnLeaks();

  beforeEach(() => {
    redis.allowKeys(/^b_|rebottle/);
  });

  const value = async (register: Registry, name: string, at = 0): Promise<number | undefined> => {
    const metric = await register.getSingleMetric(name)!.get();
    return (metric.values as Array<{ value: number }>)[at]?.value;
  };

  it('measure round trips and batches, and tell the reservoir of the fleet', async () => {
    const register = new Registry();
    const metrics = new Metrics({ register });
    const options = {
      id: redis.id(),
      datastore: 'ioredis',
      clientOptions: { port: redis.server.port },
      reservoir: 500,
    };
    const limiter: Any = new Bottleneck(options);
    const other: Any = new Bottleneck(options);
    metrics.watch(limiter);
    await Promise.all([limiter.ready(), other.ready()]);
    await other.schedule(async () => 1);
    await Promise.all(Array.from({ length: 200 }, () => limiter.schedule(async () => 1)));
    const steps = (await register.getMetricsAsJSON()).find(({ name }) => name === 'rebottle_batch_size') as Any;
    const count = (suffix: string) => steps.values.find(({ metricName }: Any) => metricName?.endsWith(suffix)).value;
    // each job is submitted and completed
    expect(count('_sum')).to.be.within(390, 400);
    expect(count('_count')).to.be.below(100);
    expect(await register.metrics()).to.match(/rebottle_round_trip_seconds_count\{[^}]*\} [1-9]/);
    expect(await value(register, 'rebottle_reservoir')).to.equal(299);
    await Promise.all([limiter.disconnect(), other.disconnect()]);
  });

  it('leave the reservoir out when Redis does not answer', async () => {
    const register = new Registry();
    const proxy = await TcpProxy.start({ host: '127.0.0.1', port: redis.server.port });
    const limiter: Any = new Bottleneck({
      id: redis.id(),
      datastore: 'ioredis',
      clientOptions: { port: proxy.port },
      reservoir: 5,
    });
    new Metrics({ register }).watch(limiter);
    await limiter.ready();
    expect(await value(register, 'rebottle_reservoir')).to.equal(5);
    proxy.freeze();
    expect(await value(register, 'rebottle_reservoir')).to.equal(undefined);
    expect(await value(register, 'rebottle_queue_length')).to.equal(0);
    proxy.thaw();
    await limiter.disconnect();
    await proxy.stop();
  });

  it("watch the limiters of the engine's own API", async () => {
    const register = new Registry();
    const pool = await WorkerPool.create({ redis: `redis://127.0.0.1:${redis.server.port}` });
    const limiter = new DistributedLimiter({ id: redis.id(), pool, reservoir: 5 });
    new Metrics({ register }).watch(limiter);
    await limiter.schedule(async () => 1);
    expect(await value(register, 'rebottle_jobs_received_total')).to.equal(1);
    expect(await value(register, 'rebottle_reservoir')).to.equal(4);
    await pool.stop();
  });
});
