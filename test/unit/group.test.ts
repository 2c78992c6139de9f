import FakeTimers from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { type Emitter, Events } from '../../lib/events';
import { Group, type GroupConnection } from '../../lib/group';

class FakeLimiter {
  declare on: Emitter['on'];
  Events: Events = new Events(this);
  disconnected = 0;
  idle = false;
  executing = 0;
  asked: number[] = [];
  whenAsked: () => Promise<void> = async () => {};

  constructor(readonly options: Record<string, unknown>) {}

  counts() {
    return { RECEIVED: 0, QUEUED: 0, RUNNING: 0, EXECUTING: this.executing };
  }

  async disconnect() {
    this.disconnected++;
  }

  async _isIdleSince(now: number) {
    this.asked.push(now);
    await this.whenAsked();
    return this.idle;
  }
}

class TestGroup extends Group {
  static override Bottleneck = FakeLimiter;
}

class FakeConnection implements GroupConnection {
  readonly datastore = 'ioredis';
  readonly existing = new Map<string, number>();
  disconnects: boolean[] = [];

  async groupKeys(groupId: string) {
    return [...this.existing.keys()].map((id) => id.slice(groupId.length + 1));
  }

  async deleteLimiterKeys(id: string) {
    const count = this.existing.get(id) ?? 0;
    this.existing.delete(id);
    return count;
  }

  async disconnect(flush = true) {
    this.disconnects.push(flush);
  }
}

describe('Group', () => {
  describe('key', () => {
    it('makes one limiter for each key, with the id and the timeout of the Group', () => {
      const group = new TestGroup({ maxConcurrent: 1 });
      const limiter = group.key('A');
      expect(group.key('A')).to.equal(limiter);
      expect(group.key('B')).not.to.equal(limiter);
      expect(limiter.options).to.deep.equal({
        maxConcurrent: 1,
        id: 'group-key-A',
        timeout: 300_000,
        connection: null,
      });
    });

    it('takes "" as the default key, and names that objects inherit', () => {
      const group = new TestGroup();
      expect(group.key().options.id).to.equal('group-key-');
      expect(group.key('constructor').options.id).to.equal('group-key-constructor');
      expect(group.key('__proto__').options.id).to.equal('group-key-__proto__');
      expect(group.keys()).to.deep.equal(['', 'constructor', '__proto__']);
    });

    it('tells the created listeners before it returns', () => {
      const group = new TestGroup();
      const created: unknown[] = [];
      group.on('created', (limiter, key) => created.push([limiter, key]));
      const limiter = group.key('A');
      group.key('A');
      expect(created).to.deep.equal([[limiter, 'A']]);
    });

    it('leaves the options object of the caller alone, also when two Groups share it', () => {
      const options = { maxConcurrent: 1 };
      const first = new TestGroup({ ...options, id: 'first', timeout: 1000 });
      const shared = new TestGroup(options);
      const second = new TestGroup(options);
      first.key('A');
      shared.key('A');
      shared.updateSettings({ minTime: 50, timeout: 10_000 });
      expect(options).to.deep.equal({ maxConcurrent: 1 });
      expect(second.key('A').options.timeout).to.equal(300_000);
      expect(second.key('A').options).not.to.have.property('minTime');
    });
  });

  it('lists keys and limiters', () => {
    const group = new TestGroup();
    const a = group.key('a');
    const b = group.key('b');
    expect(group.keys()).to.deep.equal(['a', 'b']);
    expect(group.limiters()).to.deep.equal([
      { key: 'a', limiter: a },
      { key: 'b', limiter: b },
    ]);
  });

  it('gives new options to new limiters only', () => {
    const group = new TestGroup({ minTime: 100 });
    const before = group.key('a');
    group.updateSettings({ minTime: 200, maxConcurrent: undefined, highWater: null, id: 'other' });
    expect(before.options.minTime).to.equal(100);
    expect(group.key('b').options).to.include({ minTime: 200, highWater: null, id: 'other-b' });
    expect(group.key('b').options).not.to.have.property('maxConcurrent');
  });

  describe('deleteKey', () => {
    it('disconnects and forgets the limiter, and says whether there was one', async () => {
      const group = new TestGroup();
      const limiter = group.key('a');
      expect(await group.deleteKey('a')).to.equal(true);
      expect(limiter.disconnected).to.equal(1);
      expect(await group.deleteKey('a')).to.equal(false);
      expect(group.key('a')).not.to.equal(limiter);
    });

    it('removes what Redis holds, also of a key that only other processes use', async () => {
      const connection = new FakeConnection();
      connection.existing.set('group-key-far', 5);
      const group = new TestGroup({ connection });
      expect(await group.clusterKeys()).to.deep.equal(['far']);
      expect(await group.deleteKey('far')).to.equal(true);
      expect(await group.deleteKey('far')).to.equal(false);
      expect(await group.clusterKeys()).to.deep.equal([]);
    });
  });

  describe('connection', () => {
    it('that was given is passed on and never closed', async () => {
      const connection = new FakeConnection();
      const group = new TestGroup({ connection });
      expect(group.key('a').options.connection).to.equal(connection);
      expect(group.datastore).to.equal('ioredis');
      await group.disconnect();
      expect(connection.disconnects).to.deep.equal([]);
    });

    it('is opened for a Redis datastore, gets the options and the events of the Group, and is closed by it', async () => {
      const connection = new FakeConnection();
      const asked: Record<string, unknown>[] = [];
      class RedisGroup extends TestGroup {
        static override connect = (options: Record<string, unknown>) => {
          asked.push(options);
          return connection;
        };
      }
      const group = new RedisGroup({ datastore: 'ioredis', clientOptions: { port: 1 } });
      expect(asked).to.have.lengthOf(1);
      expect(asked[0]).to.include({ datastore: 'ioredis', Events: group.Events });
      expect(group.key('a').options.connection).to.equal(connection);
      await group.disconnect(false);
      expect(connection.disconnects).to.deep.equal([false]);
    });

    it('is not opened for the local engine', async () => {
      const group = new TestGroup({ datastore: 'local' });
      expect(group.connection).to.equal(null);
      expect(await group.clusterKeys()).to.deep.equal([]);
      await group.disconnect();
    });
  });

  describe('cleanup', () => {
    let clock: FakeTimers.Clock;

    beforeEach(() => {
      clock = FakeTimers.install({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    });

    afterEach(() => {
      clock.uninstall();
    });

    it('asks every half timeout, and removes the limiters that are unused', async () => {
      const group = new TestGroup({ timeout: 1000 });
      const used = group.key('used');
      const unused = group.key('unused');
      unused.idle = true;
      await clock.tickAsync(499);
      expect(used.asked).to.deep.equal([]);
      await clock.tickAsync(1);
      expect(used.asked).to.deep.equal([500]);
      expect(group.keys()).to.deep.equal(['used']);
      expect(unused.disconnected).to.equal(1);
      expect(used.disconnected).to.equal(0);
    });

    it('keeps a limiter that got work while it was asked', async () => {
      const group = new TestGroup({ timeout: 1000 });
      const limiter = group.key('a');
      limiter.idle = true;
      limiter.whenAsked = async () => {
        limiter.executing = 1;
      };
      await clock.tickAsync(500);
      expect(group.key('a')).to.equal(limiter);
      expect(limiter.disconnected).to.equal(0);
    });

    it('does not remove what Redis holds', async () => {
      const connection = new FakeConnection();
      connection.existing.set('group-key-a', 5);
      const group = new TestGroup({ connection, timeout: 1000 });
      group.key('a').idle = true;
      await clock.tickAsync(500);
      expect(group.keys()).to.deep.equal([]);
      expect(connection.existing.size).to.equal(1);
    });

    it('reports a failure on the limiter and goes on', async () => {
      const group = new TestGroup({ timeout: 1000 });
      const failing = group.key('failing');
      const failure = new Error('no answer');
      failing.whenAsked = () => Promise.reject(failure);
      const errors: unknown[] = [];
      failing.on('error', (error: unknown) => errors.push(error));
      group.key('unused').idle = true;
      await clock.tickAsync(500);
      expect(errors).to.deep.equal([failure]);
      expect(group.keys()).to.deep.equal(['failing']);
    });

    it('does not ask again while answers are outstanding', async () => {
      const group = new TestGroup({ timeout: 1000 });
      const limiter = group.key('slow');
      let answer = () => {};
      limiter.whenAsked = () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        });
      await clock.tickAsync(1500);
      expect(limiter.asked).to.have.lengthOf(1);
      answer();
      await clock.tickAsync(500);
      expect(limiter.asked).to.have.lengthOf(2);
    });

    it('follows a new timeout', async () => {
      const group = new TestGroup({ timeout: 100_000 });
      const limiter = group.key('a');
      group.updateSettings({ timeout: 50 });
      await clock.tickAsync(25);
      expect(limiter.asked).to.have.lengthOf(1);
    });

    it('has no timer while there is no limiter', async () => {
      const group = new TestGroup({ timeout: 1000 });
      expect(clock.countTimers()).to.equal(0);
      group.key('a').idle = true;
      expect(clock.countTimers()).to.equal(1);
      await clock.tickAsync(500);
      expect(clock.countTimers()).to.equal(0);
      group.key('b');
      expect(clock.countTimers()).to.equal(1);
    });

    it('waits as long as the timeout says, beyond what a timer can hold', async () => {
      const group = new TestGroup({ timeout: 2 ** 33 });
      const limiter = group.key('a');
      await clock.tickAsync(1000);
      expect(limiter.asked).to.deep.equal([]);
    });
  });
});
