import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { Events } from '../../../lib/events';
import { acquire } from '../../../lib/store/redis/shared-connections';

/** As much of ioredis as a connection touches without a server. */
function fakeLibrary() {
  const made: FakeRedis[] = [];
  class FakeRedis extends EventEmitter {
    static Cluster = class extends EventEmitter {};
    status = 'connecting';
    constructor(readonly options: unknown) {
      super();
      made.push(this);
    }
    duplicate() {
      return new FakeRedis(this.options);
    }
    disconnect() {
      this.status = 'end';
      this.emit('end');
    }
  }
  return { Redis: FakeRedis, made };
}

describe('acquire', () => {
  it('gives limiters with the same plain options one pair of clients, in Connection objects of their own', async () => {
    const { Redis, made } = fakeLibrary();
    const first = acquire({
      datastore: 'ioredis',
      Redis,
      clientOptions: { port: 1, tls: { ca: ['x'] }, db: undefined },
    });
    const second = acquire({ datastore: 'ioredis', Redis, clientOptions: { tls: { ca: ['x'] }, port: 1 } });
    expect(made).to.have.lengthOf(2);
    expect(first.connection).not.to.equal(second.connection);
    expect(first.connection.client).to.equal(second.connection.client);
    expect(first.connection.link).to.equal(second.connection.link);
    await Promise.all([first.release(), second.release()]);
  });

  it('closes the clients when the last has let go, and makes new ones afterwards', async () => {
    const { Redis, made } = fakeLibrary();
    const options = { datastore: 'ioredis' as const, Redis };
    const first = acquire(options);
    const second = acquire(options);
    await first.release();
    await first.release();
    await first.connection.disconnect();
    expect(made.map(({ status }) => status)).to.deep.equal(['connecting', 'connecting']);
    await second.connection.disconnect(false);
    expect(made.map(({ status }) => status)).to.deep.equal(['end', 'end']);
    const third = acquire(options);
    expect(made).to.have.lengthOf(4);
    await third.release();
  });

  it('makes new clients when those shared have given up', async () => {
    const { Redis, made } = fakeLibrary();
    const first = acquire({ datastore: 'ioredis', Redis });
    made[0]!.disconnect();
    const second = acquire({ datastore: 'ioredis', Redis });
    expect(made).to.have.lengthOf(4);
    // What the first lets go of is no longer what new ones share.
    await first.release();
    const third = acquire({ datastore: 'ioredis', Redis });
    expect(third.connection.link).to.equal(second.connection.link);
    await Promise.all([second.release(), third.release()]);
  });

  it('tells errors to everyone who shares the clients, each at its own place', async () => {
    const { Redis, made } = fakeLibrary();
    const heard: unknown[] = [];
    const acquired = ['a', 'b'].map((name) => {
      // biome-ignore lint/suspicious/noExplicitAny: Events adds its methods
      const owner: any = {};
      const events = new Events(owner);
      owner.on('error', (error: unknown) => heard.push([name, error]));
      return acquire({ datastore: 'ioredis', Redis, Events: events });
    });
    const error = new Error('lost');
    made[0]!.emit('error', error);
    expect(heard).to.deep.equal([
      ['a', error],
      ['b', error],
    ]);
    await acquired[0]!.release();
    made[1]!.emit('error', error);
    expect(heard.slice(2)).to.deep.equal([['b', error]]);
    await acquired[1]!.release();
  });

  class Options {
    port = 1;
  }
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const notPlain: [string, unknown][] = [
    ['a function', { retryStrategy: () => 1 }],
    ['an instance', new Options()],
    ['a buffer', { tls: { ca: Buffer.from('x') } }],
    ['a symbol', { [Symbol('x')]: 1 }],
    ['a circle', circular],
  ];
  for (const [what, clientOptions] of notPlain) {
    it(`never shares where the options hold ${what}`, async () => {
      const { Redis, made } = fakeLibrary();
      const both = [1, 2].map(() => acquire({ datastore: 'ioredis', Redis, clientOptions }));
      expect(made).to.have.lengthOf(4);
      await Promise.all(both.map(({ release }) => release()));
    });
  }

  it('never shares between different options, datastores or libraries, nor a client that was given', async () => {
    const { Redis } = fakeLibrary();
    const other = fakeLibrary();
    const given = new Redis({});
    const all = [
      acquire({ datastore: 'ioredis', Redis, clientOptions: { port: 1 } }),
      acquire({ datastore: 'ioredis', Redis, clientOptions: { port: '1' } }),
      acquire({ datastore: 'ioredis', Redis, clientOptions: { port: 2 } }),
      acquire({ datastore: 'ioredis', Redis: other.Redis, clientOptions: { port: 1 } }),
      acquire({ datastore: 'ioredis', client: given }),
      acquire({ datastore: 'ioredis', client: given }),
    ];
    expect(new Set(all.map(({ connection }) => connection.link)).size).to.equal(all.length);
    await Promise.all(all.map(({ release }) => release()));
    expect(given.status).to.equal('connecting');
  });
});
