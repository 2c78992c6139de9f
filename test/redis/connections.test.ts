import { expect } from 'chai';
import { Events } from '../../lib/events';
import { type Connection, IORedisConnection, RedisConnection } from '../../lib/store/redis/connection';
import { limiterKeys } from '../../lib/store/redis/keys';
import { acquire } from '../../lib/store/redis/shared-connections';
import { nextEvent } from '../support/events';
import { eventually } from '../support/eventually';
import { failOnLeaks } from '../support/leaks';
import { useRedis } from '../support/redis-fixture';
import { TcpProxy } from '../support/tcp-proxy';
import { families, openFamily } from './client-families';

describe('Redis connections', () => {
  const redis = useRedis();

  for (const family of families) {
    describe(`over ${family.name}`, () => {
      let open: Connection[] = [];

      afterEach(async () => {
        await Promise.all(open.map((connection) => connection.disconnect(false)));
        open = [];
      });

      failOnLeaks();

      function connect(port = redis.server.port, more?: Record<string, unknown>): Connection {
        const Class = family.datastore === 'ioredis' ? IORedisConnection : RedisConnection;
        const connection = new Class({ Redis: family.Redis, clientOptions: family.options(port, more) });
        open.push(connection);
        return connection;
      }

      it('resolves ready to both native clients, which are there at once', async () => {
        const connection = connect();
        const { client, subscriber } = connection;
        expect(connection.datastore).to.equal(family.datastore);
        expect(client).not.to.equal(subscriber);
        const clients = await connection.ready;
        expect(Object.keys(clients)).to.deep.equal(['client', 'subscriber']);
        expect(clients).to.deep.include({ client, subscriber });
        expect(connection.terminated).to.equal(false);
      });

      it('closes both clients, once, and runs its disconnect listeners while they still work', async () => {
        const connection = connect();
        await connection.ready;
        const replies: unknown[] = [];
        connection.onDisconnect(async (flush) => {
          replies.push(flush, await connection.commands.call('PING', []));
        });
        await Promise.all([connection.disconnect(), connection.disconnect(false)]);
        expect(replies).to.deep.equal([true, 'PONG']);
        expect(connection.terminated).to.equal(true);
        expect(connection.commands.isEnded && connection.subscriptions.isEnded).to.equal(true);
      });

      it('emits errors itself, and its ready stays open when it is disconnected before', async () => {
        const proxy = await TcpProxy.start(redis.server);
        proxy.refuse();
        const connection = connect(proxy.port, { retry_strategy: undefined });
        await nextEvent(connection, 'error');
        let settled = false;
        connection.ready.then(
          () => {
            settled = true;
          },
          () => {
            settled = true;
          },
        );
        await connection.disconnect();
        await proxy.stop();
        expect(settled).to.equal(false);
      });

      it('finds the keys of a Group, and deletes those of a limiter', async () => {
        const connection = connect();
        const group = redis.id('gr*up');
        const names = Array.from({ length: 2500 }, (_, i) => `key-${i}`);
        const pipeline = redis.admin.pipeline();
        for (const name of names) pipeline.hset(`b_${group}-${name}_settings`, 'version', 'x');
        pipeline.set(limiterKeys(`${group}-key-0`, { cluster: false })[9]!, 'queue');
        pipeline.set(`b_${group}-key-0_rb_other`, 'x');
        pipeline.set(`b_${group.replace('*', 'oo')}-no_settings`, 'x');
        await pipeline.exec();
        expect((await connection.groupKeys(group)).sort()).to.deep.equal([...names].sort());
        expect(await connection.deleteLimiterKeys(`${group}-key-0`)).to.equal(2);
        expect(await connection.deleteLimiterKeys(`${group}-key-0`)).to.equal(0);
        expect(await connection.groupKeys(group)).not.to.include('key-0');
        await redis.admin.flushall();
      });

      if (family.prefixOption !== undefined) {
        it('does so under a key prefix', async () => {
          const prefix = `p[${redis.prefix}]*:`;
          const connection = connect(redis.server.port, { [family.prefixOption!]: prefix });
          await redis.admin.mset(`${prefix}b_g-a_settings`, 1, `${prefix}b_g-b_settings`, 1, 'b_g-c_settings', 1);
          expect((await connection.groupKeys('g')).sort()).to.deep.equal(['a', 'b']);
          expect(await connection.deleteLimiterKeys('g-a')).to.equal(1);
          expect(await redis.admin.del(`${prefix}b_g-b_settings`, 'b_g-c_settings')).to.equal(2);
        });
      }

      it('uses a client that was given, and leaves it open', async () => {
        const raw = await family.connect(redis.server.port);
        try {
          const connection = new (family.datastore === 'ioredis' ? IORedisConnection : RedisConnection)({
            client: raw,
          });
          expect(connection.client).to.equal(raw);
          expect((await connection.ready).client).to.equal(raw);
          await connection.disconnect();
          expect(connection.subscriptions.isEnded).to.equal(true);
          const probe = new IORedisConnection({ client: raw });
          expect(await probe.commands.call('PING', [])).to.equal('PONG');
          await probe.ready;
          await probe.disconnect();
        } finally {
          family.end(raw);
        }
      });

      it('shares two sockets among many, as long as one of them is in use', async () => {
        const before = await clientCount();
        // Options with a function are not shared, so the plain ones.
        const clientOptions = plain(family.options(redis.server.port));
        const many = Array.from({ length: 50 }, () =>
          acquire({ datastore: family.datastore, Redis: family.Redis, clientOptions }),
        );
        await Promise.all(many.map(({ connection }) => connection.ready));
        expect(await clientCount()).to.equal(before + 2);
        const [last, ...others] = many;
        await Promise.all(others.map(({ release }) => release()));
        expect(await last!.connection.commands.call('PING', [])).to.equal('PONG');
        await last!.release();
        await eventually(async () => (await clientCount()) === before);
      });

      async function clientCount(): Promise<number> {
        return String(await redis.admin.client('LIST'))
          .trim()
          .split('\n').length;
      }
    });
  }

  it('takes ready and its other promises from the class it was given', async () => {
    class OwnPromise<T> extends Promise<T> {}
    const connection = new IORedisConnection({
      Promise: OwnPromise,
      clientOptions: { port: redis.server.port },
    });
    expect(connection.ready).to.be.instanceOf(OwnPromise);
    await connection.ready;
    const disconnected = connection.disconnect();
    expect(disconnected).to.be.instanceOf(OwnPromise);
    await disconnected;
  });

  it('sends errors to the Events it was given, and then has no methods for them itself', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: Events adds its methods
    const owner: any = {};
    const connection = new IORedisConnection({
      Events: new Events(owner),
      clientOptions: { port: 1, retryStrategy: () => 20 },
    });
    expect(connection).not.to.have.property('on');
    await nextEvent(owner, 'error');
    await connection.disconnect();
  });

  it('rejects ready when the client has given up', async () => {
    const connection = new IORedisConnection({ clientOptions: { port: 1, retryStrategy: () => null } });
    const error = await connection.ready.then(
      () => undefined,
      (reason) => reason,
    );
    expect(error).to.include({ kind: 'connection' });
    await connection.disconnect();
  });

  it('connects a client that was made with lazyConnect', async () => {
    const [family] = families;
    const pair = openFamily(family!, redis.server.port, { lazyConnect: true });
    await Promise.all([pair.commands.ready(), pair.subscriptions.ready()]);
    await Promise.all([pair.commands.close(true), pair.subscriptions.close(true)]);
  });

  it('takes the flat options of old versions for node-redis 4 and later', async () => {
    for (const name of ['node-redis 4', 'node-redis 5', 'node-redis 6']) {
      const { Redis } = families.find((family) => family.name === name)!;
      const connection = new RedisConnection({
        Redis,
        clientOptions: { host: '127.0.0.1', port: redis.server.port, db: 2 },
      });
      await connection.ready;
      await connection.commands.call('SET', [redis.id(), 'x'], 1);
      expect(await redis.admin.exists(redis.id())).to.equal(0);
      await connection.commands.call('DEL', [redis.id()], 1);
      await connection.disconnect();
    }
  });
});

/** The same options without what cannot be compared. */
function plain(options: object): object {
  return JSON.parse(JSON.stringify(options));
}
