import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import Rebottle from '../../lib/index';
import { scripts } from '../../lib/store/redis/scripts';
import { useRedis } from '../../test/support/redis-fixture';
import { use, withFeature, withoutFeature } from './feature-off';

const JOBS = 60;

/** How often these are called depends on the time that passes: signs of life, what is due, what the test asks itself. */
const TIMED = ['zadd', 'hset', 'zrangebyscore', 'hget'];

type Calls = Record<string, number>;

function steady(calls: Calls): Calls {
  return Object.fromEntries(Object.entries(calls).filter(([name]) => !TIMED.includes(name)));
}

async function callsOf(admin: Redis): Promise<Calls> {
  const stats = String(await admin.info('commandstats'));
  return Object.fromEntries(
    [...stats.matchAll(/cmdstat_([\w|]+):calls=(\d+)/g)].map(([, name, calls]) => [String(name), Number(calls)]),
  );
}

describe('a fleet of ours alone', () => {
  const redis = useRedis();

  afterEach('use the scripts as they are', () => use(withFeature));

  it('uses the scripts as they are shipped', () => {
    expect(Object.fromEntries(Object.entries(scripts).map(([name, { sha }]) => [name, sha]))).to.deep.equal(
      Object.fromEntries(Object.entries(withFeature).map(([name, { sha }]) => [name, sha])),
    );
  });

  /** What Redis executes for the same work of two limiters, without what comes of time. */
  async function work(name: string): Promise<{ calls: Calls; keys: string[] }> {
    const id = redis.id(name);
    const options = {
      id,
      datastore: 'ioredis',
      clientOptions: { port: redis.server.port },
      maxConcurrent: 2,
      reservoir: 1000,
      heartbeatInterval: 600_000,
    };
    const [first, second] = [new Rebottle(options), new Rebottle(options)];
    await Promise.all([first.ready(), second.ready()]);
    await redis.admin.call('CONFIG', 'RESETSTAT');
    for (let i = 0; i < JOBS; i++) await (i % 2 === 0 ? first : second).schedule({ expiration: 60_000 }, async () => i);
    await second.updateSettings({ maxConcurrent: 3 });
    await first.running();
    // What a job gives back is told a moment after it has settled.
    while (Number(await redis.admin.hget(`b_${id}_settings`, 'done')) < JOBS) await sleep(5);
    const calls = await callsOf(redis.admin);
    const keys = (await redis.admin.keys(`b_${id}*`)).map((key) => key.slice(`b_${id}`.length)).sort();
    await Promise.all([first.disconnect(), second.disconnect()]);
    redis.allowKeys(/^b_/);
    return { calls, keys };
  }

  it('pays one ZCARD a script for sharing with Bottleneck, and nothing else', async () => {
    use(withoutFeature);
    const without = await work('off');
    use(withFeature);
    const withIt = await work('on');
    const scriptCalls = (calls: Calls): number => (calls.evalsha ?? 0) + (calls.eval ?? 0);
    expect(withIt.keys).to.deep.equal(without.keys);
    expect(scriptCalls(withIt.calls)).to.equal(scriptCalls(without.calls)).and.be.above(JOBS);
    const { zcard: before = 0, ...others } = steady(without.calls);
    const { zcard: after = 0, ...rest } = steady(withIt.calls);
    expect(rest).to.deep.equal(others);
    expect(Object.keys(withIt.calls).filter((name) => !(name in without.calls) && name !== 'zcard')).to.deep.equal([]);
    expect(after - before)
      .to.be.above(0)
      .and.at.most(scriptCalls(withIt.calls));
  });
});
