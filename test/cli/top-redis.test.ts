import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import Bottleneck from 'bottleneck';
import { expect } from 'chai';
import { Cluster } from 'ioredis';
import { main } from '../../lib/cli/main';
import type { Screen } from '../../lib/cli/top/live';
import { type Reading, RedisSource } from '../../lib/cli/top/redis-source';
import Rebottle from '../../lib/index';
import { canBind } from '../../scripts/support/free-port.cjs';
import { ClusterSetup } from '../support/cluster';
import { eventually } from '../support/eventually';
import { failOnLeaks } from '../support/leaks';
import { useRedis } from '../support/redis-fixture';
import { startRedis } from '../support/redis-server';

describe('rebottle top on Redis', () => {
  const redis = useRedis();
  failOnLeaks({ within: 2500 });

  const release: Array<() => void> = [];
  const disconnect: Array<() => Promise<unknown>> = [];

  beforeEach(() => redis.allowKeys(/^b_/));

  afterEach('end the jobs and the limiters', async () => {
    for (const end of release.splice(0)) end();
    await Promise.all(disconnect.splice(0).map((close) => close()));
  });

  // biome-ignore lint/suspicious/noExplicitAny: the class of either package
  async function limiter(Class: any, id: string, options: object) {
    const { host, port } = redis.server;
    const made = new Class({ id, datastore: 'ioredis', clientOptions: { host, port }, ...options });
    made.on('error', () => undefined);
    disconnect.push(() => made.disconnect());
    await made.ready();
    return made;
  }

  /** Starts a job that runs until the test is over, and queues others behind it. */
  // biome-ignore lint/suspicious/noExplicitAny: a limiter of either package
  async function occupy(busy: any, waiting: number[]): Promise<void> {
    const jobs = [4, ...waiting].map((priority) => ({ priority }));
    for (const options of jobs)
      busy.schedule(options, () => new Promise<void>((end) => release.push(end))).catch(() => undefined);
    await eventually(() => busy.counts().EXECUTING === 1 && busy.counts().QUEUED === waiting.length);
  }

  async function read(options: object = {}): Promise<Reading> {
    const source = new RedisSource({ url: redis.server.url, match: '*', keyPrefix: '', limit: 100, ...options });
    try {
      await source.connect();
      return await source.read();
    } finally {
      source.disconnect();
    }
  }

  async function run(args: string[], screen?: Screen): Promise<{ code: number; out: string; err: string }> {
    const written = { out: '', err: '' };
    const code = await main(['top', ...args], {
      out: (text) => {
        written.out += text;
      },
      err: (text) => {
        written.err += text;
      },
      color: false,
      screen,
    });
    return { code, ...written };
  }

  const json = async (...args: string[]) => {
    const { code, out, err } = await run(['--url', redis.server.url, '--interval', '100', '--json', ...args]);
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    return JSON.parse(out);
  };

  it('sees limiters of real Bottleneck', async () => {
    const id = redis.id();
    await occupy(await limiter(Bottleneck, id, { maxConcurrent: 1 }), [5, 9]);
    const { found, limiters } = await json();
    expect(found).to.equal(1);
    expect(limiters[0]).to.deep.include({
      id,
      version: '2.19.5',
      queued: 2,
      queuedElsewhere: 2,
      queuedByPriority: {},
      running: 1,
      maxConcurrent: 1,
      capacity: 0,
      hold: { by: 'maxConcurrent' },
      nextStartAt: null,
      startsPerSecond: 0,
      oldestWaitingFor: null,
    });
    expect(limiters[0].clients).to.have.length(1);
    expect(limiters[0].clients[0]).to.include({ package: 'bottleneck', running: 1, queued: 2 });
    expect(limiters[0].clients[0].sinceLastStart).to.be.within(0, 5000);
  });

  it('sees limiters of rebottle, with what waits by priority', async () => {
    const id = redis.id();
    await occupy(await limiter(Rebottle, id, { maxConcurrent: 1 }), [0, 9, 9]);
    const { limiters } = await json();
    expect(limiters[0]).to.deep.include({
      id,
      queued: 3,
      queuedElsewhere: 0,
      queuedByPriority: { 0: 1, 9: 2 },
      running: 1,
      hold: { by: 'maxConcurrent' },
    });
    expect(limiters[0].oldestWaitingFor).to.be.within(1, 5000);
    expect(limiters[0].clients[0]).to.include({ package: 'rebottle', running: 1, queued: 3 });
  });

  it('tells when a reservoir refills', async () => {
    const options = { reservoir: 1, reservoirRefreshInterval: 60_000, reservoirRefreshAmount: 1 };
    await occupy(await limiter(Bottleneck, redis.id(), options), [5]);
    const { limiters, now } = await json();
    expect(limiters[0]).to.include({ reservoir: 0, capacity: 0 });
    expect(limiters[0].hold).to.deep.equal({ by: 'reservoir', until: limiters[0].reservoirRefillsAt });
    expect(limiters[0].reservoirRefillsAt - now).to.be.within(50_000, 60_000);
    expect(limiters[0].explanation).to.contain('reservoir');
  });

  it('names the limits that only rebottle has, and the weight at the head', async () => {
    const options: Record<string, object> = {
      window: { window: { max: 1, duration: 60_000 } },
      bucket: { bucket: { capacity: 1, refillPerSecond: 0.02 } },
      weight: { maxConcurrent: 3 },
    };
    for (const [name, limits] of Object.entries(options)) {
      const busy = await limiter(Rebottle, redis.id(name), limits);
      await occupy(busy, []);
      void busy.schedule({ weight: name === 'weight' ? 3 : 1 }, async () => {}).catch(() => undefined);
      await eventually(() => busy.counts().QUEUED === 1);
    }
    const { limiters, now } = await json();
    const [bucket, weight, window] = limiters;
    expect(window).to.deep.include({ queued: 1, headWeight: 1, window: { max: 1, duration: 60_000 } });
    expect(window.hold.by).to.equal('window');
    expect(window.hold.until - now).to.be.within(50_000, 60_000);
    expect(window.nextStartAt).to.equal(window.hold.until);
    expect(bucket.hold.by).to.equal('bucket');
    expect(bucket.hold.until - now).to.be.within(40_000, 50_000);
    expect(bucket.bucket).to.include({ capacity: 1, refillPerSecond: 0.02 });
    expect(bucket.bucket.tokens).to.be.within(0, 0.2);
    expect(weight).to.deep.include({ headWeight: 3, hold: { by: 'maxConcurrent' } });
    expect(weight.explanation).to.contain('the next job needs 3');
  });

  it('counts starts between readings', async () => {
    const busy = await limiter(Bottleneck, redis.id(), {});
    const source = new RedisSource({ url: redis.server.url, match: '*', keyPrefix: '', limit: 1 });
    await source.connect();
    const before = await source.read();
    await Promise.all([busy.schedule(async () => 1), busy.schedule(async () => 1)]);
    const after = await source.read();
    source.disconnect();
    const settings = (reading: Reading) => reading.limiters[0]?.settings ?? {};
    expect(Number(settings(after).done) - Number(settings(before).done)).to.equal(2);
    expect(after.now).to.be.greaterThan(before.now);
  });

  it('writes a table where there is no terminal, and says that there is nothing', async () => {
    expect(await run(['--url', redis.server.url, '--interval', '100'])).to.deep.equal({
      code: 0,
      out: 'No limiter found.\n',
      err: '',
    });
    await occupy(await limiter(Bottleneck, redis.id(), { maxConcurrent: 1 }), [5]);
    const { out } = await run(['--url', redis.server.url, '--interval', '100']);
    expect(out)
      .to.match(/^LIMITER +QUEUED/m)
      .and.match(new RegExp(`^${redis.id()} +1 +\\?:1 +1/1 +0 `, 'm'));
  });

  it('reads those that match, up to a limit, and under a key prefix', async () => {
    for (const name of ['a', 'b', 'c']) await redis.admin.hset(`b_${redis.id(name)}_settings`, 'running', '0');
    await redis.admin.hset(`app:b_${redis.id('p')}_settings`, 'running', '0');
    redis.allowKeys(/^app:/);
    const ids = ({ limiters }: Reading) => limiters.map(({ id }) => id);
    expect(ids(await read())).to.deep.equal(['a', 'b', 'c'].map((name) => redis.id(name)));
    expect(ids(await read({ match: '*-b' }))).to.deep.equal([redis.id('b')]);
    expect(await read({ limit: 2 }))
      .to.include({ found: 3 })
      .with.property('limiters')
      .with.length(2);
    expect(ids(await read({ keyPrefix: 'app:' }))).to.deep.equal([redis.id('p')]);
  });

  it('forgets a limiter that is gone', async () => {
    await redis.admin.hset(`b_${redis.id()}_settings`, 'running', '0');
    const source = new RedisSource({ url: redis.server.url, match: '*', keyPrefix: '', limit: 9 });
    await source.connect();
    expect((await source.read()).found).to.equal(1);
    await redis.admin.del(`b_${redis.id()}_settings`);
    expect(await source.read()).to.deep.include({ found: 0, limiters: [] });
    source.disconnect();
  });

  it('looks at a large keyspace a bounded part at a time, and never by KEYS', async () => {
    const id = redis.id();
    await redis.admin.eval(`for i = 1, 120000 do redis.call('SET', 'k' .. i, 1) end`, 0);
    await redis.admin.hset(`b_${id}_settings`, 'running', '0');
    redis.allowKeys(/^k\d+$/);
    await redis.admin.config('RESETSTAT');
    const source = new RedisSource({ url: redis.server.url, match: '*', keyPrefix: '', limit: 9 });
    await source.connect();
    const first = await source.read();
    expect(first.complete).to.equal(false);
    const scans = async () => Number(/cmdstat_scan:calls=(\d+)/.exec(await redis.admin.info('commandstats'))?.[1]);
    expect(await scans()).to.equal(50);
    const last = await eventually(async () => {
      const reading = await source.read();
      return reading.complete ? reading : undefined;
    });
    source.disconnect();
    expect(last.limiters.map((found) => found.id)).to.deep.equal([id]);
    expect(await redis.admin.info('commandstats')).to.not.contain('cmdstat_keys');
  });

  it('sees the limiters on all nodes of a cluster', async () => {
    const cluster = await ClusterSetup.start({ primaries: 3, replicas: 0 });
    const client = new Cluster(cluster.startupNodes);
    const ids = Array.from({ length: 9 }, (_, index) => `{${index}}`);
    for (const id of ids) await client.hset(`b_${id}_settings`, 'running', '0');
    const found = await json('--url', cluster.servers[0]?.url ?? '');
    expect(found.limiters.map(({ id }: { id: string }) => id)).to.deep.equal(ids);
    client.disconnect();
    await cluster.stop();
  });

  describe('a server that cannot be read', () => {
    it('is told of, with 1', async () => {
      const server = await startRedis();
      const { port } = server;
      await server.stop();
      expect(await canBind(port)).to.equal(true);
      const { code, out, err } = await run(['--url', `redis://me:secret@127.0.0.1:${port}`]);
      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      expect(err)
        .to.match(/Cannot read redis:\/\/me:\*\*\*@.*ECONNREFUSED/)
        .and.not.contain('secret');
    });

    it('because it wants a password', async () => {
      const server = await startRedis({ password: 'secret' });
      const { code, err } = await run(['--url', `redis://127.0.0.1:${server.port}`, '--json']);
      expect(code).to.equal(1);
      expect(err).to.contain('NOAUTH');
      expect(
        await run(['--url', `redis://:secret@127.0.0.1:${server.port}`, '--json', '--interval', '100']),
      ).to.include({ code: 0 });
      await server.stop();
    });
  });

  for (const args of [
    ['--url', 'http://x'],
    ['--url', 'x'],
    ['--interval', '5'],
    ['--limit', 'x'],
  ]) {
    it(`wrong usage is 2: ${args.join(' ')}`, async () => {
      expect(await run(args)).to.include({ code: 2, out: '' });
    });
  }

  describe('live', () => {
    /** A terminal of 100 columns and 12 rows. */
    function terminal() {
      const keyboard = new PassThrough();
      const display = new PassThrough();
      let shown = '';
      display.on('data', (data) => {
        shown += data;
      });
      const rawModes: boolean[] = [];
      const input = Object.assign(keyboard, { isTTY: true, setRawMode: (mode: boolean) => rawModes.push(mode) });
      const output = Object.assign(display, { isTTY: true, columns: 100, rows: 12 });
      return {
        screen: { input: input as unknown as ReadStream, output: output as unknown as WriteStream },
        type: (keys: string) => keyboard.write(keys),
        rawModes,
        /** Waits until this appears, counted from the last call. */
        see: async (text: string | RegExp) => {
          await eventually(() => shown.search(text) >= 0, { that: `${text} on the screen` });
          shown = '';
        },
      };
    }

    it('draws, obeys keys, follows what changes, and gives the terminal back', async () => {
      const busy = await limiter(Bottleneck, redis.id(), { maxConcurrent: 1 });
      const { screen, type, see, rawModes } = terminal();
      const ended = run(['--url', redis.server.url, '--interval', '100'], screen);
      await see(/1 limiters/);
      expect(rawModes).to.deep.equal([true]);
      await occupy(busy, [5]);
      await see(/1\/1/);
      type('s');
      await see('sorted by running');
      type('\r');
      await see('why not now');
      type('/nope');
      await see('No limiter matches');
      type('\u001b');
      await see('q: quit');
      type('q');
      expect(await ended).to.deep.equal({ code: 0, out: '', err: '' });
      expect(rawModes).to.deep.equal([true, false]);
    });

    it('stays when the server goes, says so, and goes on when it is back', async () => {
      const server = await startRedis();
      const { screen, type, see } = terminal();
      const ended = run(['--url', server.url, '--interval', '100'], screen);
      await see('No limiter found');
      await server.kill();
      await see('Cannot read');
      await server.start();
      await server.client().hset('b_back_settings', 'running', '0');
      await see('back');
      type('q');
      expect(await ended).to.include({ code: 0 });
      await server.stop();
    });

    it('ends with 1 when the server is not there at the start', async () => {
      const server = await startRedis();
      await server.stop();
      const { screen, rawModes } = terminal();
      expect(await run(['--url', server.url], screen)).to.include({ code: 1 });
      expect(rawModes).to.deep.equal([]);
    });
  });
});
