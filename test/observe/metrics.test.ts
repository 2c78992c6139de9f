import { expect } from 'chai';
import { Registry } from 'prom-client';
import { Bottleneck } from '../../lib/bottleneck';
import { Metrics } from '../../lib/metrics';
import { eventually } from '../support/eventually';
import { failOnLeaks } from '../support/leaks';

// biome-ignore lint/suspicious/noExplicitAny: the public types are made for the build
type Any = any;

const RealBottleneck = require('bottleneck');

/** `name{label="value"}` and the like, to its number. */
async function samples(register: Registry): Promise<Map<string, number>> {
  const lines = (await register.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('rebottle/metrics', () => {
  failOnLeaks();
  let register: Registry;
  let metrics: Metrics;

  beforeEach(() => {
    register = new Registry();
    metrics = new Metrics({ register });
  });

  it('counts jobs, and measures how long they wait and run', async () => {
    const limiter: Any = new Bottleneck({ id: 'api', maxConcurrent: 1 });
    metrics.watch(limiter);
    const outcomes = [sleep, sleep, () => Promise.reject(new Error('broken'))].map((task) =>
      limiter.schedule(task, 20),
    );
    await Promise.allSettled(outcomes);
    const found = await samples(register);
    expect(found.get('rebottle_jobs_received_total{limiter="api"}')).to.equal(3);
    expect(found.get('rebottle_jobs_done_total{limiter="api",outcome="success"}')).to.equal(2);
    expect(found.get('rebottle_jobs_done_total{limiter="api",outcome="error"}')).to.equal(1);
    expect(found.get('rebottle_job_wait_seconds_count{limiter="api"}')).to.equal(3);
    expect(found.get('rebottle_job_run_seconds_count{limiter="api",outcome="success"}')).to.equal(2);
    expect(found.get('rebottle_job_run_seconds_count{limiter="api",outcome="error"}')).to.equal(1);
    // the first waits for nothing, the second 20 ms, the third 40 ms
    expect(found.get('rebottle_job_wait_seconds_sum{limiter="api"}')).to.be.within(0.055, 2);
    expect(found.get('rebottle_job_run_seconds_sum{limiter="api",outcome="success"}')).to.be.within(0.037, 2);
    expect([...found.keys()].filter((name) => name.includes('round_trip'))).to.deep.equal([]);
  });

  it('reads queue, running jobs and reservoir when it is scraped', async () => {
    const limiter: Any = new Bottleneck({ id: 'api', maxConcurrent: 2, reservoir: 10 });
    metrics.watch(limiter, { name: 'mine' });
    const ends: Array<() => void> = [];
    const jobs = Array.from({ length: 5 }, () =>
      limiter.schedule(() => new Promise<void>((resolve) => ends.push(resolve))),
    );
    await eventually(() => ends.length === 2);
    const found = await samples(register);
    expect(found.get('rebottle_queue_length{limiter="mine"}')).to.equal(3);
    expect(found.get('rebottle_jobs_running{limiter="mine"}')).to.equal(2);
    expect(found.get('rebottle_reservoir{limiter="mine"}')).to.equal(8);
    for (const _ of jobs) (await eventually(() => ends.shift()))();
    await Promise.all(jobs);
    expect((await samples(register)).get('rebottle_queue_length{limiter="mine"}')).to.equal(0);
  });

  it('says why jobs were dropped', async () => {
    const limiter: Any = new Bottleneck({
      id: 'api',
      maxConcurrent: 1,
      highWater: 1,
      strategy: Bottleneck.strategy.OVERFLOW,
    });
    metrics.watch(limiter);
    const settled = (job: Promise<unknown>) => job.catch(() => {});
    const running = settled(limiter.schedule({ id: 'same' }, sleep, 10));
    const outcomes = [
      limiter.schedule(sleep, 1), // queued, then stopped
      limiter.schedule(sleep, 1), // shed
      limiter.schedule({ weight: 2 }, sleep, 1),
      limiter.schedule({ id: 'same' }, sleep, 1),
    ].map(settled);
    await limiter.running();
    const stopped = limiter.stop();
    outcomes.push(settled(limiter.schedule(sleep, 1)));
    await Promise.all([running, stopped, ...outcomes]);
    const found = await samples(register);
    const reasons = [...found].filter(([name]) => name.startsWith('rebottle_jobs_dropped_total'));
    expect(Object.fromEntries(reasons.map(([name, count]) => [/reason="(.*)"/.exec(name)![1], count]))).to.deep.equal({
      shed: 1,
      overweight: 1,
      duplicate: 1,
      stopped: 1,
      refused: 1,
    });
  });

  it('counts retries, expirations and error events, whatever becomes of listeners', async () => {
    const limiter: Any = new Bottleneck({ id: 'api' });
    metrics.watch(limiter);
    limiter.on('failed', (_error: unknown, { retryCount }: Any) => (retryCount < 2 ? 1 : undefined));
    await limiter.schedule({ expiration: 5 }, () => new Promise(() => {})).catch(() => {});
    limiter.on('idle', () => {
      throw new Error('a listener fails');
    });
    await limiter.schedule(async () => 1);
    limiter.removeAllListeners();
    await limiter.schedule(async () => 1);
    const found = await samples(register);
    expect(found.get('rebottle_job_retries_total{limiter="api"}')).to.equal(2);
    expect(found.get('rebottle_job_run_seconds_count{limiter="api",outcome="error"}')).to.equal(3);
    expect(found.get('rebottle_job_wait_seconds_count{limiter="api"}')).to.equal(5);
    expect(found.get('rebottle_errors_total{limiter="api"}')).to.equal(1);
    expect(found.get('rebottle_jobs_done_total{limiter="api",outcome="success"}')).to.equal(2);
  });

  it('takes a Group under one name, or each of its keys', async () => {
    const group: Any = new Bottleneck.Group({ id: 'users', maxConcurrent: 1, reservoir: 5 } as Any);
    const { limiter: first } = { limiter: group.key('first') };
    const end = metrics.watchGroup(group);
    const each = new Metrics({ register, prefix: 'each_' });
    each.watchGroup(group, { perKey: true });
    await Promise.all([first.schedule(async () => 1), group.key('second').schedule(async () => 2)]);
    const found = await samples(register);
    expect(found.get('rebottle_jobs_received_total{limiter="users"}')).to.equal(2);
    expect(found.get('rebottle_queue_length{limiter="users"}')).to.equal(0);
    expect(found.has('rebottle_reservoir{limiter="users"}')).to.equal(false);
    expect(found.get('each_jobs_received_total{limiter="users-second"}')).to.equal(1);
    expect(found.get('each_reservoir{limiter="users-first"}')).to.equal(4);
    end();
    await Promise.all([first.schedule(async () => 1), group.key('third').schedule(async () => 3)]);
    const later = await samples(register);
    expect(later.get('rebottle_jobs_received_total{limiter="users"}')).to.equal(2);
    expect(later.get('each_jobs_received_total{limiter="users-third"}')).to.equal(1);
    group.disconnect();
  });

  it('takes limiters out, and serves several sets of metrics at once', async () => {
    const limiter: Any = new Bottleneck({ id: 'api' });
    const other = new Metrics({ register, prefix: 'other_' });
    const end = metrics.watch(limiter);
    other.watch(limiter);
    await limiter.schedule(async () => 1);
    end();
    end();
    expect(limiter._scheduler.instrument).not.to.equal(null);
    await limiter.schedule(async () => 1);
    const found = await samples(register);
    expect(found.get('rebottle_jobs_received_total{limiter="api"}')).to.equal(1);
    expect(found.has('rebottle_queue_length{limiter="api"}')).to.equal(false);
    expect(found.get('other_jobs_received_total{limiter="api"}')).to.equal(2);
  });

  it('refuses limiters of another package', () => {
    expect(() => metrics.watch(new RealBottleneck())).to.throw(TypeError, 'only limiters of rebottle');
  });

  it('leaves a limiter that nobody watches alone', async () => {
    const limiter: Any = new Bottleneck();
    const end = metrics.watch(limiter);
    end();
    await limiter.schedule(async () => 1);
    expect(limiter._scheduler.instrument).to.equal(null);
  });
});
