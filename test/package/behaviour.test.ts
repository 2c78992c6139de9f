/** What public code relies on beyond the documented API, checked on the packed package. No Redis is needed here. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Consumer, consumer } from './support/consumer';

// biome-ignore lint/suspicious/noExplicitAny: used as plain JavaScript uses it
type Any = any;

describe('what public code relies on', () => {
  let project: Consumer;
  let Bottleneck: Any;
  let Light: Any;
  before(() => {
    project = consumer();
    const require = createRequire(join(project.folder, 'index.js'));
    Bottleneck = require('rebottle');
    Light = require('rebottle/light');
  });
  after(() => project.remove());

  const rejection = (promise: Promise<unknown>): Promise<Any> =>
    promise.then(
      (value) => expect.fail(`expected a rejection, got ${value}`),
      (error) => error,
    );

  it('statics are there, all but Events on the prototype too', () => {
    expect(Bottleneck.strategy).to.deep.equal({ LEAK: 1, OVERFLOW: 2, OVERFLOW_PRIORITY: 4, BLOCK: 3 });
    expect(Bottleneck.version).to.be.a('string');
    const classes = ['BottleneckError', 'Group', 'RedisConnection', 'IORedisConnection', 'Batcher'];
    for (const name of [...classes, 'Events']) expect(Bottleneck[name], name).to.be.a('function');
    for (const name of [...classes, 'strategy', 'version']) {
      expect(Bottleneck.prototype[name], name).to.equal(Bottleneck[name]);
    }
    expect(Bottleneck.Status).to.deep.equal({
      RECEIVED: 'RECEIVED',
      QUEUED: 'QUEUED',
      RUNNING: 'RUNNING',
      EXECUTING: 'EXECUTING',
      DONE: 'DONE',
    });
  });

  it('limiters of the root entry and of light work together', async () => {
    const root = new Bottleneck({ id: 'root' });
    const light = new Light({ id: 'light' });
    const seen: string[] = [];
    light.on('executing', ({ args }: Any) => seen.push(`light ${args}`));
    root.on('executing', ({ args }: Any) => seen.push(`root ${args}`));
    expect(await root.chain(light).schedule(async (n: number) => n, 1)).to.equal(1);
    root.chain(null);
    expect(await light.chain(root).schedule(async (n: number) => n, 2)).to.equal(2);
    expect(seen).to.have.length(4);
    expect(new Light.Group().key('a')).to.be.instanceOf(Bottleneck);
    expect(new Bottleneck.Group().key('a')).to.be.instanceOf(Light);
  });

  it('a connection is not looked at before it is used', () => {
    const client = {
      fake: true,
      on: () => client,
      once: () => client,
      setMaxListeners: () => {},
      duplicate: () => client,
    };
    const connection = new Bottleneck.IORedisConnection({ client });
    expect(connection.client).to.equal(client);
    const redisLibraries = Object.keys(require.cache).filter((file) => /node_modules[\\/]i?o?redis[\\/]/.test(file));
    expect(redisLibraries).to.deep.equal([]);
  });

  it('a Group takes any connection, and looks at it when it makes a limiter', () => {
    const connection = { fake: true };
    const group = new Bottleneck.Group({ id: 'of-a-plugin', connection, timeout: 1000 });
    expect(group.connection).to.equal(connection);
    expect(group.keys()).to.deep.equal([]);
    expect(() => group.key('a')).to.throw();
  });

  it('an overridden schedule is seen by wrap, and constructors may take more', async () => {
    class Counting extends Bottleneck {
      scheduled = 0;
      constructor(
        readonly label: string,
        options: object,
      ) {
        super(options);
      }
      schedule(...args: unknown[]): unknown {
        this.scheduled += 1;
        return super.schedule(...args);
      }
      stop(options: object): unknown {
        return super.stop({ dropWaitingJobs: false, ...options });
      }
    }
    const limiter: Any = new Counting('mine', { maxConcurrent: 1 });
    expect(limiter).to.be.instanceOf(Bottleneck);
    expect(limiter.label).to.equal('mine');
    const wrapped = limiter.wrap(async (a: string) => a);
    expect(await wrapped('a')).to.equal('a');
    expect(await wrapped.withOptions({ priority: 1 }, 'b')).to.equal('b');
    expect(limiter.scheduled).to.equal(2);
    await limiter.stop();
  });

  it('chain returns the limiter, updateSettings resolves to it', async () => {
    const limiter = new Bottleneck();
    expect(limiter.chain(new Bottleneck())).to.equal(limiter);
    expect(await limiter.updateSettings({ maxConcurrent: 2 })).to.equal(limiter);
  });

  it('has the same defaults', () => {
    expect(new Bottleneck().id).to.equal('<no-id>');
    expect(new Bottleneck().datastore).to.equal('local');
    const group = new Bottleneck.Group();
    expect(group.key()).to.equal(group.key(''));
    expect(group.keys()).to.deep.equal(['']);
    expect(group.key().id).to.equal('group-key-');
  });

  it('Groups made from one object of options do not influence each other', () => {
    const options = { maxConcurrent: 1, id: 'one' };
    const first = new Bottleneck.Group(options);
    const second = new Bottleneck.Group({ ...options, id: 'two' });
    first.key('a');
    second.key('a');
    expect(options).to.deep.equal({ maxConcurrent: 1, id: 'one' });
    expect([first.key('b').id, second.key('b').id]).to.deep.equal(['one-b', 'two-b']);
  });

  describe('errors', () => {
    it('a job rejects with the very object that it threw', async () => {
      const thrown = { not: 'an error' };
      const limiter = new Bottleneck();
      expect(await rejection(limiter.schedule(() => Promise.reject(thrown)))).to.equal(thrown);
    });

    it('a dropped job', async () => {
      const limiter = new Bottleneck({ maxConcurrent: 1, highWater: 0, strategy: Bottleneck.strategy.OVERFLOW });
      let finish = (): void => {};
      const running = limiter.schedule(() => new Promise<void>((resolve) => (finish = resolve)));
      const error = await rejection(limiter.schedule(async () => {}));
      expect(error).to.be.instanceOf(Bottleneck.BottleneckError);
      expect(String(error)).to.equal('Error: This job has been dropped by Bottleneck');
      finish();
      await running;
    });

    it('an expired job', async () => {
      const limiter = new Bottleneck();
      const error = await rejection(limiter.schedule({ expiration: 5 }, () => new Promise(() => {})));
      expect(error).to.be.instanceOf(Bottleneck.BottleneckError);
      expect(error.message).to.equal('This job timed out after 5 ms.');
    });

    it('a job of an id that is taken', async () => {
      const limiter = new Bottleneck({ maxConcurrent: 1 });
      const first = limiter.schedule({ id: 'a' }, async () => 'first');
      const error = await rejection(limiter.schedule({ id: 'a' }, async () => 'second'));
      expect(error.message).to.equal('A job with the same id already exists (id=a)');
      expect(await first).to.equal('first');
    });

    it('a job that can never run', async () => {
      const limiter = new Bottleneck({ maxConcurrent: 2 });
      const error = await rejection(limiter.schedule({ weight: 3 }, async () => {}));
      expect(error).to.be.instanceOf(Bottleneck.BottleneckError);
      expect(error.message).to.equal(
        'Impossible to add a job having a weight of 3 to a limiter having a maxConcurrent setting of 2',
      );
    });

    it('a stopped limiter', async () => {
      const limiter = new Bottleneck();
      await limiter.stop();
      const late = await rejection(limiter.schedule(async () => {}));
      expect(late.message).to.equal('This limiter has been stopped and cannot accept new jobs.');
      expect((await rejection(limiter.stop())).message).to.equal('stop() has already been called');
    });
  });

  it('debug messages tell when a job was drained', async () => {
    const limiter = new Bottleneck();
    const messages: string[] = [];
    limiter.on('debug', (message: string) => messages.push(message));
    await limiter.schedule({ id: 'a' }, async () => {});
    expect(messages).to.include('Drained a');
  });

  it('updateSettings disturbs no clock', async () => {
    const limiter = new Bottleneck({ reservoir: 1, reservoirRefreshInterval: 60, reservoirRefreshAmount: 1 });
    const refreshed = new Promise<void>((resolve) => limiter.once('idle', resolve));
    await limiter.schedule(async () => {});
    await refreshed;
    const poked = setInterval(() => limiter.updateSettings({ maxConcurrent: 5 }), 5);
    try {
      // Runs only if the refresh comes although settings were changed all the time.
      await limiter.schedule(async () => {});
    } finally {
      clearInterval(poked);
    }
    await limiter.disconnect();
  });
});
