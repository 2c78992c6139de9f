import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { RedisCallError } from '../../lib/store/redis/clients/call-error';
import { type RedisClient, replyPairs, type Script } from '../../lib/store/redis/clients/client';
import { type ClientPair, openClients } from '../../lib/store/redis/clients/open-clients';
import { eventually } from '../support/eventually';
import { failOnLeaks } from '../support/leaks';
import { useRedis } from '../support/redis-fixture';
import { TcpProxy } from '../support/tcp-proxy';
import { families, openFamily } from './client-families';

function script(source: string): Script {
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

const EVERY_TYPE = script(`return {'text', 42, false, {'nested', {1, ''}}, redis.status_reply('FINE')}`);
const STORE = script(`redis.call('SET', KEYS[1], ARGV[1]) return redis.call('INCR', KEYS[2])`);

async function rejection(promise: Promise<unknown>): Promise<RedisCallError> {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).to.be.instanceOf(RedisCallError);
  return error;
}

describe('Redis clients', () => {
  const redis = useRedis();

  for (const family of families) {
    describe(family.name, () => {
      let pair: ClientPair;
      let proxy: TcpProxy | undefined;

      async function open(port = redis.server.port, more?: Record<string, unknown>): Promise<RedisClient> {
        pair = openFamily(family, port, more);
        await Promise.all([pair.commands.ready(), pair.subscriptions.ready()]);
        return pair.commands;
      }

      async function openThroughProxy(): Promise<RedisClient> {
        proxy = await TcpProxy.start(redis.server);
        return open(proxy.port);
      }

      afterEach(async () => {
        await Promise.all([pair.commands.close(false), pair.subscriptions.close(false)]);
        await proxy?.stop();
        proxy = undefined;
      });

      // After the hook above, so that it looks when everything is closed.
      failOnLeaks();

      it('is recognised, owned and ready', async () => {
        const client = await open();
        expect(client.kind).to.equal(family.datastore === 'ioredis' ? 'ioredis' : 'node-redis');
        expect(client).to.include({ owned: true, isCluster: false, isReady: true, isEnded: false, keyPrefix: '' });
        expect(await client.nodes()).to.deep.equal([client]);
      });

      it('sends commands with text, numbers and buffers', async () => {
        const client = await open();
        const key = redis.id('hash');
        expect(await client.call('HSET', [key, 'n', 12.5, 'b', Buffer.from('bytes'), 't', 'täxt'], 1)).to.equal(3);
        expect(await client.call('HGET', [key, 'n'], 1)).to.equal('12.5');
        expect(await client.call('hmget', [key, 'b', 't', 'none'], 1)).to.deep.equal(['bytes', 'täxt', null]);
        expect(replyPairs(await client.call('HGETALL', [key], 1))).to.deep.equal([
          ['n', '12.5'],
          ['b', 'bytes'],
          ['t', 'täxt'],
        ]);
        expect(await client.call('DEL', [key], 1)).to.equal(1);
      });

      it('gives the reply of a script in one shape', async () => {
        const client = await open();
        expect(await client.evalScript(EVERY_TYPE, [], [])).to.deep.equal([
          'text',
          42,
          null,
          ['nested', [1, '']],
          'FINE',
        ]);
      });

      it('sends the source of a script when the server does not know it, and keeps the order of many calls', async () => {
        const client = await open();
        const keys = [redis.id('value'), redis.id('count')];
        for (const start of [1, 101]) {
          await redis.admin.script('FLUSH');
          const calls = Array.from({ length: 100 }, (_, i) => client.evalScript(STORE, keys, [start + i]));
          expect(await Promise.all(calls)).to.deep.equal(Array.from({ length: 100 }, (_, i) => start + i));
          expect(await redis.admin.get(keys[0]!)).to.equal(String(start + 99));
        }
        await redis.admin.del(keys);
      });

      it('tells what a failed call means', async () => {
        const client = await open();
        expect(await rejection(client.call('NOSUCHCOMMAND', []))).to.include({ kind: 'script', code: 'ERR' });
        expect(await rejection(client.evalScript(script('return redis.call("INCR", "a", "b")'), [], []))).to.include({
          kind: 'script',
        });
        expect(
          await rejection(client.evalScript(script('return redis.error_reply("CUSTOM reason")'), [], [])),
        ).to.include({ kind: 'script', code: 'CUSTOM', message: 'CUSTOM reason' });
        await redis.admin.config('SET', 'maxmemory', '1');
        try {
          expect(await rejection(client.call('SET', [redis.id('x'), 'y'], 1))).to.include({
            kind: 'server',
            code: 'OOM',
          });
          const writes = script('return redis.call("SET", KEYS[1], "y")');
          expect(await rejection(client.evalScript(writes, [redis.id('x')], []))).to.include({
            kind: 'server',
            code: 'OOM',
          });
        } finally {
          await redis.admin.config('SET', 'maxmemory', '0');
        }
      });

      it('publishes and receives, and counts the receivers', async () => {
        const client = await open();
        const { subscriptions } = pair;
        const received: string[][] = [];
        subscriptions.onMessage((channel, message) => received.push([channel, message]));
        const channel = `b_${redis.id()}`;
        expect(await client.publish(channel, 'nobody')).to.equal(0);
        await Promise.all([subscriptions.subscribe(channel), subscriptions.subscribe(channel)]);
        expect(await client.publish(channel, 'message:a:b')).to.equal(1);
        await eventually(() => received.length === 1);
        await subscriptions.unsubscribe(channel);
        expect(await client.publish(channel, 'still there')).to.equal(1);
        await subscriptions.unsubscribe(channel);
        expect(await client.publish(channel, 'nobody')).to.equal(0);
        await subscriptions.subscribe(channel);
        expect(await client.publish(channel, 'again')).to.equal(1);
        await eventually(() => received.length === 3);
        expect(received).to.deep.equal([
          [channel, 'message:a:b'],
          [channel, 'still there'],
          [channel, 'again'],
        ]);
      });

      it('comes back after a lost connection, with its subscriptions, and says so', async () => {
        const client = await openThroughProxy();
        const { subscriptions } = pair;
        const channel = `b_${redis.id()}`;
        const received: string[] = [];
        subscriptions.onMessage((_, message) => received.push(message));
        await subscriptions.subscribe(channel);
        const back = Promise.all(
          [client, subscriptions].map((one) => new Promise<void>((resolve) => one.onReady(resolve))),
        );
        proxy!.cut({ reset: true });
        await back;
        // Subscribed again when it says that it is ready, not some time later.
        expect(await redis.admin.publish(channel, 'after')).to.equal(1);
        await eventually(() => received.length === 1);
        expect(await client.call('PING', [])).to.equal('PONG');
      });

      it('says that the connection was lost when a command lost its reply', async () => {
        const client = await openThroughProxy();
        const key = redis.id('counter');
        const dropped = proxy!.dropReplyTo(/incr/i);
        const outcome = client.call('INCR', [key], 1).then(
          (reply) => ({ reply }),
          (error) => ({ error }),
        );
        await dropped;
        const result = await outcome;
        // ioredis sends it once more by itself; the others leave that to the caller. Either way it ran on the server.
        if ('error' in result) expect(result.error).to.include({ name: 'RedisCallError', kind: 'connection' });
        else expect(result.reply).to.equal(2);
        expect(Number(await redis.admin.getdel(key))).to.equal('error' in result ? 1 : 2);
      });

      it('reports errors, and is ready once the server appears', async () => {
        proxy = await TcpProxy.start(redis.server);
        proxy.refuse();
        pair = openFamily(family, proxy.port);
        const errors: unknown[] = [];
        pair.commands.onError((error) => errors.push(error));
        pair.subscriptions.onError((error) => errors.push(error));
        const channel = `b_${redis.id()}`;
        const subscribed = pair.subscriptions.subscribe(channel);
        // node-redis with a strategy for retries keeps quiet about single failures.
        if (family.options(0).retry_strategy === undefined) await eventually(() => errors.length > 1);
        proxy.accept();
        await Promise.all([pair.commands.ready(), pair.subscriptions.ready(), subscribed]);
        expect(await pair.commands.publish(channel, 'x')).to.equal(1);
      });

      it('says that it has given up, before and after it was connected', async () => {
        proxy = await TcpProxy.start(redis.server);
        const openOnce = () =>
          openClients(family.datastore, { Redis: family.Redis, clientOptions: family.onceOnly(proxy!.port) });
        pair = openOnce();
        await Promise.all([pair.commands.ready(), pair.subscriptions.ready()]);
        const gone = Promise.all(
          [pair.commands, pair.subscriptions].map((one) => new Promise<void>((resolve) => one.onEnd(resolve))),
        );
        proxy.refuse();
        await gone;
        expect(pair.commands.isEnded).to.equal(true);
        expect((await rejection(pair.commands.call('PING', []))).kind).to.equal('connection');

        pair = openOnce();
        expect((await rejection(pair.commands.ready())).kind).to.equal('connection');
        expect((await rejection(pair.subscriptions.ready())).kind).to.equal('connection');
      });

      it('rejects what waits, and further calls, when it is closed', async () => {
        proxy = await TcpProxy.start(redis.server);
        proxy.refuse();
        pair = openFamily(family, proxy.port);
        const waiting = [
          pair.commands.ready(),
          pair.subscriptions.subscribe(`b_${redis.id()}`),
          pair.subscriptions.ready(),
        ].map(rejection);
        let ended = 0;
        pair.commands.onEnd(() => ended++);
        await Promise.all([pair.commands.close(true), pair.subscriptions.close(true)]);
        for (const error of await Promise.all(waiting)) expect(error.kind).to.equal('connection');
        expect(ended).to.equal(1);
        expect(pair.commands.isEnded).to.equal(true);
        expect((await rejection(pair.commands.call('PING', []))).kind).to.equal('connection');
        expect((await rejection(pair.subscriptions.subscribe('b_late'))).kind).to.equal('connection');
      });

      it('lets sent commands finish when it is closed with a flush', async () => {
        const client = await open();
        const key = redis.id('counter');
        const calls = Array.from({ length: 50 }, () => client.call('INCR', [key], 1));
        const closed = client.close(true);
        expect(await Promise.all(calls)).to.have.lengthOf(50);
        await closed;
        expect(await redis.admin.getdel(key)).to.equal('50');
      });

      it('respects the database of the options', async () => {
        const client = await open(redis.server.port, { [family.databaseOption]: 3 });
        const key = redis.id('x');
        await client.call('SET', [key, 'y'], 1);
        expect(await redis.admin.get(key)).to.equal(null);
        expect(await client.call('GETDEL', [key], 1)).to.equal('y');
      });

      if (family.prefixOption !== undefined) {
        it('puts the key prefix before keys, of scripts too, and never before channels', async () => {
          const prefix = `${redis.prefix}:`;
          const client = await open(redis.server.port, { [family.prefixOption!]: prefix });
          expect(client.keyPrefix).to.equal(prefix);
          expect(await client.evalScript(STORE, ['value', 'count'], ['v'])).to.equal(1);
          expect(await redis.admin.mget(`${prefix}value`, `${prefix}count`)).to.deep.equal(['v', '1']);
          expect(await client.call('GET', ['value'], 1)).to.equal('v');
          expect(await client.call('DEL', ['value', 'count'], 2)).to.equal(2);
          await pair.subscriptions.subscribe('b_plain');
          expect(await redis.admin.publish('b_plain', 'x')).to.equal(1);
          expect(await client.publish('b_plain', 'x')).to.equal(1);
        });
      }

      describe('given by the user', () => {
        // biome-ignore lint/suspicious/noExplicitAny: the native clients have nothing in common
        let raw: any;

        afterEach(() => family.end(raw));

        it('is used, and neither closed nor left with listeners', async () => {
          raw = await family.connect(redis.server.port);
          const seen: unknown[] = [];
          raw.on('error', (error: unknown) => seen.push(error));
          pair = openClients(family.datastore, { client: raw });
          expect(pair.commands).to.include({ raw, owned: false });
          expect(pair.subscriptions.owned).to.equal(true);
          await Promise.all([pair.commands.ready(), pair.subscriptions.ready()]);
          const listeners = raw.listenerCount('error');
          expect(await pair.commands.call('PING', [])).to.equal('PONG');
          await Promise.all([pair.commands.close(true), pair.subscriptions.close(true)]);
          expect(raw.listenerCount('error')).to.equal(listeners - 1);
          const again = openClients(family.datastore, { client: raw });
          expect(await again.commands.call('PING', [])).to.equal('PONG');
          await again.subscriptions.ready();
          await Promise.all([again.commands.close(false), again.subscriptions.close(false)]);
          expect(seen).to.deep.equal([]);
        });
      });
    });
  }

  it('all close though the server hangs', async () => {
    const pairs = families.map((family) => openFamily(family, redis.server.port));
    await Promise.all(pairs.flatMap(({ commands, subscriptions }) => [commands.ready(), subscriptions.ready()]));
    redis.server.pause();
    try {
      const unanswered = pairs.map(({ commands }) => rejection(commands.call('PING', [])));
      await Promise.all(
        pairs.flatMap(({ commands, subscriptions }) => [commands.close(true), subscriptions.close(true)]),
      );
      for (const error of await Promise.all(unanswered)) expect(error.kind).to.equal('connection');
    } finally {
      redis.server.resume();
    }
  });
});
