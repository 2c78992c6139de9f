import { expect } from 'chai';
import type { Explanation } from '../../lib/explain/explanation';
import Bottleneck from '../../lib/index';
import { nextEvent } from '../support/events';
import { eventually } from '../support/eventually';
import { failOnLeaks } from '../support/leaks';
import { useRedis } from '../support/redis-fixture';
import { TcpProxy } from '../support/tcp-proxy';

// biome-ignore lint/suspicious/noExplicitAny: the public types are made for the build
type Any = any;

describe('explain on Redis', () => {
  const redis = useRedis();
  failOnLeaks();
  let limiters: Any[] = [];
  let ends: Array<() => void> = [];

  beforeEach(() => {
    redis.allowKeys(/^b_/);
  });
  afterEach(async () => {
    for (const end of ends) end();
    await Promise.all(limiters.map((limiter) => limiter.disconnect()));
    limiters = [];
    ends = [];
  });

  /** Each has its own connections, as in a process of its own. */
  function limiterOf(options: object, port = redis.server.port): Any {
    const limiter: Any = new Bottleneck({
      id: redis.id(),
      datastore: 'ioredis',
      clientOptions: { port, retryStrategy: () => 50 },
      ...options,
    });
    limiters.push(limiter);
    return limiter;
  }

  function endless(limiter: Any, id: string, options: object = {}): Promise<unknown> {
    const queued = nextEvent(limiter, 'queued', { where: (info: Any) => info.options.id === id });
    const task = () => new Promise<void>((resolve) => ends.push(resolve));
    limiter.schedule({ id, ...options }, task).catch(() => {});
    return queued;
  }

  it('sees the whole queue, with the jobs of other processes', async () => {
    const options = { maxConcurrent: 2, minTime: 0 };
    const [here, there] = [limiterOf(options), limiterOf(options)];
    await endless(here, 'a', { weight: 2 });
    await endless(there, 'b');
    await endless(there, 'c', { weight: 2 });
    await endless(here, 'd');
    await endless(there, 'urgent', { priority: 0 });
    const explanation: Explanation = await here.explain('d');
    expect(explanation).to.include({ jobId: 'd', state: 'QUEUED', heldBy: 'maxConcurrent', ahead: 3 });
    expect(explanation.holds[0]).to.include({ maxConcurrent: 2, running: 2, waitsFor: 'completion', weight: 1 });
    expect(explanation.now - explanation.waitingSince!).to.be.within(0, 5000);
    expect(explanation.text).to.include('behind 3 jobs');
    // the next job is the other process's: only the data of the queue is known of it
    expect(await here.explain()).to.include({ jobId: null, state: null, heldBy: 'maxConcurrent', ahead: 0 });
    expect(await there.explain()).to.include({ jobId: 'urgent', state: 'QUEUED', ahead: 0 });
    const elsewhere: Explanation = await here.explain('c');
    expect(elsewhere.text).to.equal('No job "c" waits or runs in this process.');
  });

  it('forecasts by the clock of the server, with the weights of what is before the job', async () => {
    const limiter = limiterOf({ reservoir: 2, reservoirRefreshAmount: 2, reservoirRefreshInterval: 60_000 });
    for (const id of ['a', 'b', 'c', 'e']) await endless(limiter, id, id === 'c' ? { weight: 2 } : {});
    const explanation: Explanation = await limiter.explain('e');
    expect(explanation).to.include({ heldBy: 'reservoir', ahead: 1 });
    expect(explanation.holds[0]!.until! - explanation.now).to.be.within(50_000, 60_000);
    // c takes the next refresh whole
    expect(explanation.earliestStart! - explanation.holds[0]!.until!).to.equal(60_000);
  });

  it('reads window and bucket from Redis', async () => {
    const windowed = limiterOf({ window: { max: 2, duration: 30_000 } });
    for (const id of ['a', 'b', 'c']) await endless(windowed, id);
    const window: Explanation = await windowed.explain('c');
    expect(window.holds.map(({ by }) => by)).to.deep.equal(['window']);
    expect(window.earliestStart! - window.now).to.be.within(20_000, 30_000);

    const paid = limiterOf({ id: redis.id('paid'), bucket: { capacity: 1, refillPerSecond: 0.1 } });
    for (const id of ['a', 'b']) await endless(paid, id);
    const bucket: Explanation = await paid.explain('b');
    expect(bucket).to.include({ heldBy: 'bucket' });
    expect(bucket.earliestStart! - bucket.now).to.be.within(5000, 10_000);
  });

  it('knows retries that wait in Redis', async () => {
    const limiter = limiterOf({ retryMode: 'requeue' });
    limiter.on('failed', () => 60_000);
    const retried = nextEvent(limiter, 'retry');
    limiter.schedule({ id: 'a' }, () => Promise.reject(new Error('not yet'))).catch(() => {});
    await retried;
    const explanation: Explanation = await eventually(async () => {
      const told: Explanation = await limiter.explain('a');
      return told.heldBy === 'delay' ? told : null;
    });
    expect(explanation.state).to.equal('QUEUED');
    expect(explanation.earliestStart! - explanation.now).to.be.within(50_000, 60_000);
  });

  it('answers when Redis does not', async () => {
    const proxy = await TcpProxy.start({ host: '127.0.0.1', port: redis.server.port });
    const limiter = limiterOf({ maxConcurrent: 1 }, proxy.port);
    try {
      await endless(limiter, 'a');
      await endless(limiter, 'b');
      proxy.freeze();
      const explanation: Explanation = await limiter.explain('b');
      expect(explanation).to.include({ jobId: 'b', state: 'QUEUED', heldBy: 'redis', earliestStart: null });
      expect(explanation.holds).to.deep.equal([{ by: 'redis', waitsFor: 'redis', since: null, until: null }]);
      expect(explanation.text).to.include('Redis does not answer');
      expect((await limiter.explain()).heldBy).to.equal('redis');
      proxy.thaw();
      expect(await limiter.explain('b')).to.include({ heldBy: 'maxConcurrent' });
    } finally {
      proxy.thaw();
      for (const end of ends) end();
      await limiter.disconnect();
      await proxy.stop();
    }
  });
});
