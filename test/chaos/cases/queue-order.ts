import { expect } from 'chai';
import { nextEvent } from '../../support/events';
import { eventually } from '../../support/eventually';
import type { RedisServer } from '../../support/redis-server';
import { Limiters } from './case';

const JOBS = 40;

/**
 * Two limiters of one id; one job holds the only slot while tickets of mixed priorities gather in a known order of
 * arrival. Then `disturb` does something to Redis, the slot becomes free, and everything must run once, in that order.
 */
export async function keepsItsOrder(server: RedisServer, disturb: () => Promise<unknown>): Promise<string[]> {
  const limiters = new Limiters({ id: 'order', maxConcurrent: 1 });
  try {
    const pair = [limiters.on(server, {}), limiters.on(server, {})];
    await Promise.all(pair.map((limiter) => limiter.ready()));

    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const running = nextEvent(pair[0]!, 'executing');
    const first = pair[0]!.schedule({ id: 'holder' }, () => held);
    await running;

    const expected: Array<{ id: string; priority: number }> = [];
    const ran: string[] = [];
    const promises: Array<Promise<unknown>> = [];
    for (let i = 0; i < JOBS; i++) {
      const limiter = pair[i % 2]!;
      const job = { id: `j${i}`, priority: [5, 1, 9, 5, 3][i % 5]! };
      // One after the other: only then is the order of arrival known.
      const queued = nextEvent(limiter, 'queued');
      promises.push(
        limiter.schedule(job, async () => {
          ran.push(job.id);
          return job.id;
        }),
      );
      await queued;
      expected.push(job);
    }
    await disturb();
    release();
    expect(await Promise.all(promises)).to.deep.equal(expected.map(({ id }) => id));
    await first;
    expected.sort((a, b) => a.priority - b.priority);
    expect(ran).to.deep.equal(expected.map(({ id }) => id));
    await eventually(async () => (await pair[0]!.running()) === 0, { that: 'an idle limiter' });
    return limiters.errors;
  } finally {
    await limiters.closeAll();
  }
}
