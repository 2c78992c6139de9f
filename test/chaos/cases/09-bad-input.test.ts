import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { nextEvent } from '../../support/events';
import { eventually } from '../../support/eventually';
import { type RedisServer, startRedis } from '../../support/redis-server';
import type { Limiter } from '../load-package';
import { Limiters } from './case';

type Admin = ReturnType<RedisServer['client']>;

const IDS = [
  'a{b}c',
  '{',
  '}{',
  'with space',
  '*',
  '?[a-z]',
  'a:b:c',
  `quotes ' " \``,
  'emoji 🍾',
  'new\nline\r\n',
  '\0zero',
  'x'.repeat(10_000),
  '_settings',
  'b_a_settings',
  '%d %s',
];

describe('case 9: bad input', function () {
  this.timeout(180_000);
  let server: RedisServer;
  let admin: Admin;
  const limiters = new Limiters({ maxConcurrent: 1 });

  before(async () => {
    server = await startRedis();
    admin = server.client();
  });

  beforeEach(() => {
    limiters.errors.length = 0;
  });

  afterEach(async () => {
    await limiters.closeAll();
    await admin.flushall();
  });

  after(() => server.stop());

  async function works(limiter: Limiter): Promise<void> {
    expect(await limiter.schedule({}, async () => 'works')).to.equal('works');
  }

  async function running(limiter: Limiter): Promise<void> {
    await eventually(async () => (await limiter.running()) === 0, { that: 'nothing running' });
  }

  for (const id of IDS) {
    it(`an id like ${JSON.stringify(id.slice(0, 20))}`, async () => {
      const [a, b, other] = [
        limiters.on(server, { id }),
        limiters.on(server, { id }),
        limiters.on(server, { id: 'other' }),
      ];
      const keysOfOther = async () => {
        const settings = await admin.hgetall('b_other_settings');
        return JSON.stringify(settings);
      };
      await Promise.all([a.ready(), b.ready(), other.ready()]);
      const before = await keysOfOther();
      let together = 0;
      const job = async () => {
        expect(++together).to.equal(1);
        await sleep(2);
        together--;
      };
      await Promise.all([a, b, a, b].map((limiter) => limiter.schedule({}, job)));
      const message = nextEvent(b, 'message');
      await (a as unknown as { publish(text: string): Promise<unknown> }).publish(`to ${id}`);
      expect(await message).to.deep.equal([`to ${id}`]);
      expect(await keysOfOther()).to.equal(before);
      expect(limiters.errors).to.deep.equal([]);
    });
  }

  it('priorities of every kind are taken or refused at the call', async () => {
    const limiter = limiters.on(server, { id: 'priorities' });
    for (const priority of [
      1.5,
      -1,
      10,
      1e9,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '3',
      'x',
      null,
      undefined,
      {},
      [],
    ]) {
      const outcome = await attempt(() => limiter.schedule({ priority }, async () => 'works'));
      expect(outcome, String(priority)).to.match(/^works$|priority/);
    }
    await running(limiter);
    expect(limiters.errors).to.deep.equal([]);
  });

  it('weights of every kind are taken or refused at the call, and leave nothing running', async () => {
    const limiter = limiters.on(server, { id: 'weights', maxConcurrent: 10 });
    for (const weight of [
      0,
      0.5,
      2.25,
      1e-9,
      -1,
      11,
      1e300,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '3',
      'x',
      null,
      {},
      [],
    ]) {
      const outcome = await attempt(() => limiter.schedule({ weight }, async () => 'works'));
      expect(outcome, String(weight)).to.match(/^works$|weight/i);
    }
    await running(limiter);
    await works(limiter);
    expect(limiters.errors).to.deep.equal([]);
  });

  it('expirations of every kind', async () => {
    const limiter = limiters.on(server, { id: 'expirations', maxConcurrent: 10 });
    for (const expiration of [Number.POSITIVE_INFINITY, 2 ** 31, 1e15, 0.5, -1, Number.NaN, '100', 'x', {}]) {
      const outcome = await attempt(() => limiter.schedule({ expiration }, async () => 'works'));
      expect(outcome, String(expiration)).to.match(/^works$|expiration|timed out/i);
    }
    await running(limiter);
    await works(limiter);
    expect(limiters.errors).to.deep.equal([]);
  });

  it('job ids that collide, within a process and between two', async () => {
    const [a, b] = [limiters.on(server, { id: 'collide', maxConcurrent: 3 }), limiters.on(server, { id: 'collide' })];
    const outcomes = await Promise.all(
      [a, a, b, b].map((limiter) => attempt(() => limiter.schedule({ id: 'same' }, () => sleep(5, 'works')))),
    );
    for (const outcome of outcomes) expect(outcome).to.match(/^works$|already exists/);
    expect(outcomes).to.include('works');
    await running(a);
  });

  it('messages with any text', async () => {
    const [a, b] = [limiters.on(server, { id: 'messages' }), limiters.on(server, { id: 'messages' })];
    await Promise.all([a.ready(), b.ready()]);
    for (const text of ['', ':', 'a:b:c', 'capacity:0', 'blocked:', '🍾', '\0\n', 'x'.repeat(100_000), '{"a":1}']) {
      const heard = nextEvent(b, 'message');
      await (a as unknown as { publish(text: string): Promise<unknown> }).publish(text);
      expect(await heard).to.deep.equal([text]);
    }
    await works(b);
  });

  it('messages on its channel that mean nothing are ignored', async () => {
    const limiter = limiters.on(server, { id: 'noise' });
    await limiter.ready();
    for (const text of [
      '',
      ':',
      'capacity',
      'capacity:',
      'capacity:x',
      'capacity:-1',
      'capacity-priority:',
      'blocked',
      'nonsense:1',
      '\xff\xfe',
    ]) {
      await admin.publish('b_noise', text);
      for (const channel of (await admin.pubsub('CHANNELS', '*')) as string[]) await admin.publish(channel, text);
    }
    await works(limiter);
    await running(limiter);
    expect(limiters.errors).to.deep.equal([]);
  });

  describe('poisoned keys', () => {
    const garbage: Record<string, (key: string) => Promise<unknown>> = {
      'a string': (key) => admin.set(key, 'garbage'),
      'a list': (key) => admin.rpush(key, 'garbage'),
      'a hash of garbage': (key) =>
        admin.hset(key, { garbage: 'x', maxConcurrent: 'NaN', running: 'many', minTime: '' }),
      'a set of garbage': (key) => admin.zadd(key, 1, 'garbage'),
    };

    for (const [kind, poison] of Object.entries(garbage)) {
      it(`${kind} in place of each key, before the limiter comes and while it works`, async () => {
        const model = limiters.on(server, { id: 'model' });
        await model.ready();
        await works(model);
        const names = (await admin.keys('b_model_*')).map((key) => key.slice('b_model'.length));
        expect(names).not.to.have.length(0);
        for (const [index, name] of names.entries()) {
          const key = `b_victim${index}${name}`;
          await poison(key);
          const limiter = limiters.on(server, { id: `victim${index}` });
          await limiter.ready();
          await works(limiter);
          await admin.del(key);
          await poison(key);
          await works(limiter);
          await running(limiter);
        }
      });
    }

    it('settings of Bottleneck 2.8', async () => {
      await admin.hset('b_old_settings', {
        version: '2.8.0',
        id: 'old',
        maxConcurrent: '1',
        minTime: '0',
        running: '0',
        done: '0',
        nextRequest: '0',
        lastReservoirRefresh: '',
        unblockTime: '0',
      });
      const limiter = limiters.on(server, { id: 'old' });
      await limiter.ready();
      await works(limiter);
      await running(limiter);
    });
  });

  it('100,000 clients registered and dead', async function () {
    this.timeout(120_000);
    const first = limiters.on(server, { id: 'crowd' });
    await first.ready();
    for (let i = 0; i < 100_000; i += 1000) {
      const pipeline = admin.pipeline();
      for (let j = i; j < i + 1000; j++) {
        const client = `dead${j}`;
        pipeline.zadd('b_crowd_client_running', 0, client);
        pipeline.hset('b_crowd_client_num_queued', client, 0);
        pipeline.zadd('b_crowd_client_last_registered', 0, client);
        pipeline.zadd('b_crowd_client_last_seen', 1, client);
      }
      await pipeline.exec();
    }
    const second = limiters.on(server, { id: 'crowd' });
    await second.ready();
    await works(second);
    await works(first);
    await admin.call('SLOWLOG', 'RESET');
    await eventually(
      async () => {
        await works(first);
        return (await admin.zcard('b_crowd_client_last_seen')) < 10;
      },
      { within: 60_000, every: 5, that: 'the dead are removed' },
    );
    expect(limiters.errors).to.deep.equal([]);
  });
});

async function attempt(work: () => Promise<unknown>): Promise<string> {
  try {
    return String(await work());
  } catch (error) {
    return String((error as Error).message);
  }
}
