import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { eventually } from './eventually';
import { failOnLeaks } from './leaks';
import { useRedis } from './redis-fixture';
import { TcpProxy } from './tcp-proxy';

describe('TcpProxy', () => {
  const redis = useRedis();
  failOnLeaks();
  let proxy: TcpProxy;
  let client: Redis;

  beforeEach(async () => {
    proxy = await TcpProxy.start(redis.server);
    client = new Redis({ port: proxy.port, host: proxy.host, retryStrategy: () => 5 });
    client.on('error', () => {});
    await client.ping();
  });

  afterEach(async () => {
    client.disconnect();
    await proxy.stop();
    redis.allowKeys(/./);
  });

  async function took(work: () => Promise<unknown>): Promise<number> {
    const start = performance.now();
    await work();
    return performance.now() - start;
  }

  it('passes everything on, also large values', async () => {
    const value = 'x'.repeat(1_000_000);
    await client.set('k', value);
    expect(await client.get('k')).to.equal(value);
    expect(proxy.connections).to.equal(1);
  });

  it('cuts, and takes the reconnect', async () => {
    const closed = once(client, 'close');
    proxy.cut();
    await closed;
    expect(await client.ping()).to.equal('PONG');
  });

  it('refuses until it accepts again', async () => {
    proxy.refuse();
    let answered = false;
    const answer = client.ping().then(() => {
      answered = true;
    });
    await sleep(60);
    expect(answered).to.equal(false);
    proxy.accept();
    await answer;
  });

  it('freezes without ending the connection', async () => {
    proxy.freeze();
    const answer = client.ping();
    expect(await Promise.race([answer, sleep(60, 'silence')])).to.equal('silence');
    expect(proxy.connections).to.equal(1);
    proxy.thaw();
    expect(await answer).to.equal('PONG');
  });

  it('delays each direction and keeps the order', async () => {
    proxy.delay({ request: 30, reply: 30 });
    const replies: number[] = [];
    const elapsed = await took(async () => {
      await Promise.all([1, 2, 3].map(() => client.incr('n').then((n) => replies.push(n))));
    });
    expect(elapsed).to.be.greaterThan(58);
    expect(replies).to.deep.equal([1, 2, 3]);
    proxy.delay({});
    expect(await took(() => client.ping())).to.be.lessThan(30);
  });

  it('throttles', async () => {
    proxy.throttle(100_000);
    expect(await took(() => client.set('k', 'x'.repeat(10_000)))).to.be.greaterThan(90);
  });

  it('drops a reply after the command was carried out', async () => {
    const single = new Redis({
      port: proxy.port,
      host: proxy.host,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    single.on('error', () => {});
    await single.ping();
    const dropped = proxy.dropReplyTo(/incr/i);
    const failure = await single.incr('n').catch((error: Error) => error);
    await dropped;
    expect(failure).to.be.instanceOf(Error);
    expect(await redis.admin.get('n')).to.equal('1');
    single.disconnect();
  });

  it('leaves requests alone that do not match its trap', async () => {
    void proxy.dropReplyTo(/incr/i);
    expect(await client.ping()).to.equal('PONG');
    proxy.clearTraps();
    expect(await client.incr('n')).to.equal(1);
  });

  it('half-closes towards the client and towards the server', async () => {
    for (const side of ['client', 'server'] as const) {
      const closed = once(client, 'close');
      proxy.halfClose(side);
      await closed;
      expect(await client.ping()).to.equal('PONG');
    }
    await eventually(() => proxy.connections === 1);
  });
});
