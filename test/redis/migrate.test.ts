import Bottleneck from 'bottleneck';
import { expect } from 'chai';
import { createClient as createNewClient } from 'redis';
import Rebottle from '../../lib/index';
import { migrate } from '../../lib/migrate';
import { nextEvent } from '../support/events';
import { eventually } from '../support/eventually';
import { failOnLeaks } from '../support/leaks';
import { useRedis } from '../support/redis-fixture';

// It has no types.
const { createClient } = require('redis3');

const Migrated = migrate(Bottleneck, Rebottle, (_options, { id }) => id.endsWith('-new'));

describe('migrate on Redis', () => {
  const redis = useRedis();
  // Bottleneck keeps a timer of one second for each capacity message that named another client.
  failOnLeaks({ within: 2500 });

  beforeEach(() => {
    redis.allowKeys(/^b_/);
  });

  for (const [owner, other] of [
    ['old', 'new'],
    ['new', 'old'],
  ] as const) {
    const Owner = owner === 'old' ? Bottleneck : Rebottle;

    describe(`a connection of the ${owner} package given to a limiter of the ${other} one`, () => {
      it('works, and both keep one limit', async () => {
        const { host, port } = redis.server;
        const connection = new Owner.IORedisConnection({ clientOptions: { host, port } });
        const options = { connection, maxConcurrent: 1, heartbeatInterval: 50 };
        // One limiter id, two packages: the rule decides by an option here.
        const Either = migrate(Bottleneck, Rebottle, ({ moved }) => moved === true);
        const limiters = [true, false].map((moved) => new Either({ ...options, id: redis.id(), moved }));
        let running = 0;
        const job = async () => {
          running += 1;
          expect(running).to.equal(1);
          await new Promise((resolve) => setTimeout(resolve, 2));
          running -= 1;
        };
        await Promise.all(limiters.map((limiter) => limiter.ready()));
        await Promise.all(Array.from({ length: 10 }, (_, index) => limiters[index % 2]!.schedule(job)));
        expect(await Promise.all(limiters.map((limiter) => limiter.done()))).to.deep.equal([10, 10]);
        await Promise.all(limiters.map((limiter) => limiter.disconnect()));
        await connection.disconnect();
      });

      it('serves a Group', async () => {
        const client = redis.server.client();
        const connection = new Owner.IORedisConnection({ client });
        const group = new Migrated.Group({ id: `${redis.prefix}-${other}`, connection, timeout: 10_000 });
        expect(await group.key('a').schedule(async () => 1)).to.equal(1);
        expect(await group.clusterKeys()).to.deep.equal(['a']);
        expect(await group.deleteKey('a')).to.equal(true);
        await group.disconnect();
        await connection.disconnect();
        client.disconnect();
      });

      it('is opened once for all limiters, and closes with it', async () => {
        const before = await clients();
        const client = redis.server.client();
        const connection = new Owner.IORedisConnection({ client });
        const limiters = ['a', 'b', 'c'].map((name) => new Migrated({ id: `${redis.id(name)}-${other}`, connection }));
        await Promise.all(limiters.map((limiter) => limiter.ready()));
        const [first, ...rest] = limiters.map((limiter) => limiter.connection);
        for (const shared of rest) expect(shared).to.equal(first);
        expect(await clients()).to.be.at.most(before + 3);
        await Promise.all(limiters.map((limiter) => limiter.disconnect()));
        await connection.disconnect();
        // Bottleneck closes the client that it was given; rebottle leaves it to its owner.
        const left = owner === 'new' ? 1 : 0;
        await eventually(async () => (await clients()) === before + left, { that: 'the subscribers closed' });
        client.disconnect();
        await eventually(async () => (await clients()) === before, { that: 'the connections closed' });
      });

      it('hears an error of the shared client once', async () => {
        const client = redis.server.client();
        const connection = new Owner.IORedisConnection({ client });
        const limiter = new Migrated({ id: `${redis.id()}-${other}`, connection });
        await limiter.ready();
        const errors: unknown[] = [];
        connection.on('error', (error: unknown) => errors.push(error));
        const [error] = [new Error('of the client')];
        const heard = nextEvent(connection, 'error');
        client.emit('error', error);
        expect(await heard).to.deep.equal([error]);
        expect(errors).to.deep.equal([error]);
        await limiter.disconnect();
        await connection.disconnect();
        client.disconnect();
      });
    });
  }

  it('shares a client of node-redis 3, in both directions', async () => {
    const { host, port } = redis.server;
    for (const [Owner, id] of [
      [Bottleneck, `${redis.id()}-new`],
      [Rebottle, redis.id()],
    ] as const) {
      const client = createClient({ host, port });
      const connection = new Owner.RedisConnection({ client });
      const limiter = new Migrated({ id, connection });
      expect(limiter).to.be.instanceOf(Owner === Bottleneck ? Rebottle : Bottleneck);
      expect(await limiter.schedule(async () => 1)).to.equal(1);
      expect(await limiter.done()).to.equal(1);
      await limiter.disconnect();
      await connection.disconnect();
      client.end(false);
    }
  });

  it('refuses to give Bottleneck a client that it cannot use', async () => {
    const { url } = redis.server;
    const client = createNewClient({ url });
    const connection = new Rebottle.RedisConnection({ client });
    expect(() => new Migrated({ id: redis.id(), connection })).to.throw(TypeError, 'node-redis 4');
    await client.connect();
    await connection.ready;
    await connection.disconnect();
    client.destroy();
  });

  async function clients(): Promise<number> {
    const list = (await redis.admin.client('LIST')) as string;
    return list.trim().split('\n').length;
  }
});
