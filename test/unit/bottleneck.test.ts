/** The facade: that it passes on what it is told, in the forms that Bottleneck has. */
import { expect } from 'chai';
import { Bottleneck } from '../../lib/bottleneck';
import { BottleneckError } from '../../lib/errors';

type Limiter = InstanceType<typeof Bottleneck>;

function rejection(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => {
      throw new Error('it did not reject');
    },
    (error) => error,
  );
}

function gate(): { opened: Promise<void>; open: () => void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('Bottleneck', () => {
  describe('constructor', () => {
    it('takes one object, or nothing', () => {
      expect(new Bottleneck()).to.be.instanceOf(Bottleneck);
      for (const args of [[5], [null], ['x'], [{}, 5]]) {
        expect(() => new (Bottleneck as never as new (...args: unknown[]) => Limiter)(...args)).to.throw(
          BottleneckError,
          'Bottleneck v2 takes a single object argument',
        );
      }
    });

    it('refuses what makes no sense', () => {
      expect(() => new Bottleneck({ minTime: -1 })).to.throw(
        BottleneckError,
        'Invalid minTime: expected a number of 0 or more, got -1',
      );
      expect(() => new Bottleneck({ datastore: 'paper' }).schedule(() => 1)).to.throw(
        BottleneckError,
        'Invalid datastore type: paper',
      );
      expect(() => new Bottleneck({ retryMode: 'later' })).to.throw(BottleneckError, 'Invalid retryMode');
    });

    it('has the statics of Bottleneck, on instances too', () => {
      expect(Bottleneck.default).to.equal(Bottleneck);
      expect(Bottleneck.strategy).to.deep.equal({ LEAK: 1, OVERFLOW: 2, BLOCK: 3, OVERFLOW_PRIORITY: 4 });
      const limiter = new Bottleneck() as unknown as Record<string, unknown>;
      for (const name of ['version', 'strategy', 'BottleneckError', 'Group', 'Batcher'] as const)
        expect(limiter[name]).to.equal(Bottleneck[name]);
    });

    it('can be extended', async () => {
      class Mine extends Bottleneck {
        twice(n: number): Promise<number> {
          return this.schedule(() => 2 * n);
        }
      }
      expect(await new Mine({ maxConcurrent: 1 }).twice(4)).to.equal(8);
    });
  });

  describe('schedule', () => {
    it('passes arguments, with options and without', async () => {
      const limiter = new Bottleneck();
      const add = (a: number, b: number) => a + b;
      expect(await limiter.schedule(add, 1, 2)).to.equal(3);
      expect(await limiter.schedule({ priority: 1 }, add, 3, 4)).to.equal(7);
    });

    it('rejects, and does not throw, for options that make no sense, or no function', async () => {
      const limiter = new Bottleneck();
      expect(await rejection(limiter.schedule({ weight: -1 }, () => 1))).to.be.instanceOf(BottleneckError);
      expect(await rejection(limiter.schedule('nothing'))).to.be.instanceOf(BottleneckError);
      expect(limiter.counts()).to.deep.equal({ RECEIVED: 0, QUEUED: 0, RUNNING: 0, EXECUTING: 0 });
    });

    it('refuses an id that is in use', async () => {
      const limiter = new Bottleneck();
      const first = limiter.schedule({ id: 'a' }, () => 1);
      expect((await rejection(limiter.schedule({ id: 'a' }, () => 2))).message).to.equal(
        'A job with the same id already exists (id=a)',
      );
      expect(await first).to.equal(1);
      expect(await limiter.schedule({ id: 'a' }, () => 3)).to.equal(3);
    });

    it('gives promises of the class that was asked for', () => {
      class MyPromise<T> extends Promise<T> {}
      const limiter = new Bottleneck({ Promise: MyPromise });
      for (const promise of [
        limiter.schedule(() => 1),
        limiter.running(),
        limiter.check(),
        limiter.updateSettings({}),
      ]) {
        expect(promise).to.be.instanceOf(MyPromise);
      }
    });

    it('passes jobs on to a chained limiter, until it is unchained', async () => {
      const [first, second] = [new Bottleneck(), new Bottleneck({ maxConcurrent: 1 })];
      first.chain(second);
      expect(await first.schedule(() => second.counts().EXECUTING)).to.equal(1);
      first.chain(null);
      expect(await first.schedule(() => second.counts().EXECUTING)).to.equal(0);
    });
  });

  describe('wrap', () => {
    it('gives a function that keeps this and arguments', async () => {
      const limiter = new Bottleneck();
      const counter = {
        base: 10,
        add: limiter.wrap(function (this: { base: number }, n: number) {
          return this.base + n;
        }),
      };
      expect(await counter.add(5)).to.equal(15);
    });

    it('takes options for one call', async () => {
      const limiter = new Bottleneck();
      const wrapped = limiter.wrap((n: number) => n + 1);
      expect(await wrapped.withOptions({ id: 'x', priority: 2 }, 1)).to.equal(2);
    });
  });

  describe('submit', () => {
    type Callback = (error: unknown, ...results: unknown[]) => void;

    it('calls back with what the function gives', async () => {
      const limiter = new Bottleneck();
      const results = await new Promise((resolve) => {
        limiter.submit(
          (a: number, b: number, callback: Callback) => callback(null, a + b, 'more'),
          1,
          2,
          (...args: unknown[]) => resolve(args),
        );
      });
      expect(results).to.deep.equal([null, 3, 'more']);
    });

    it('calls back with an error, also one that the limiter has', async () => {
      const limiter = new Bottleneck({ maxConcurrent: 1 });
      const errors = await Promise.all([
        new Promise((resolve) => limiter.submit((callback: Callback) => callback('bad'), resolve)),
        new Promise((resolve) => limiter.submit({ weight: 2 }, (callback: Callback) => callback(null), resolve)),
        new Promise((resolve) => limiter.submit({ weight: -2 }, (callback: Callback) => callback(null), resolve)),
      ]);
      expect(errors[0]).to.equal('bad');
      expect(errors[1]).to.be.instanceOf(BottleneckError);
      expect(errors[2]).to.be.instanceOf(BottleneckError);
    });

    it('takes null for a callback, and resolves to whether the queue was full', async () => {
      const limiter = new Bottleneck({
        maxConcurrent: 1,
        highWater: 1,
        strategy: Bottleneck.strategy.LEAK,
        rejectOnDrop: false,
      });
      const { opened, open } = gate();
      const wait = (callback: Callback) => void opened.then(() => callback(null));
      const full = [
        await limiter.submit(wait, null),
        await limiter.submit(wait, null),
        await limiter.submit(wait, null),
      ];
      open();
      expect(full).to.deep.equal([false, false, true]);
    });
  });

  describe('looking', () => {
    let limiter: Limiter;
    let release: () => void;

    beforeEach(async () => {
      limiter = new Bottleneck({ maxConcurrent: 2, trackDoneStatus: true });
      await limiter.schedule({ id: 'done' }, () => 1);
      const { opened, open } = gate();
      release = open;
      for (const [id, priority] of [
        ['first', 5],
        ['second', 5],
        ['third', 5],
        ['urgent', 0],
      ] as const) {
        void limiter.schedule({ id, priority }, () => opened);
      }
      await limiter.running();
    });

    afterEach(() => release());

    it('counts by state and priority', async () => {
      expect(limiter.counts()).to.deep.equal({ RECEIVED: 0, QUEUED: 2, RUNNING: 0, EXECUTING: 2, DONE: 1 });
      expect([limiter.queued(), limiter.queued(0), limiter.queued(5), limiter.queued(7)]).to.deep.equal([2, 1, 1, 0]);
      expect(limiter.empty()).to.equal(false);
      expect([await limiter.running(), await limiter.done(), await limiter.clusterQueued()]).to.deep.equal([2, 1, 2]);
    });

    it('tells the state of a job, and the jobs of a state', () => {
      expect(['done', 'first', 'urgent', 'nobody'].map((id) => limiter.jobStatus(id))).to.deep.equal([
        'DONE',
        'EXECUTING',
        'QUEUED',
        null,
      ]);
      expect(limiter.jobs('QUEUED')).to.have.members(['third', 'urgent']);
      expect(limiter.jobs()).to.have.length(5);
      expect(() => limiter.jobs('LATE')).to.throw(
        BottleneckError,
        'status must be one of RECEIVED, QUEUED, RUNNING, EXECUTING, DONE',
      );
    });

    it('checks a weight, 1 unless told otherwise', async () => {
      expect([await limiter.check(), await limiter.check(0)]).to.deep.equal([false, true]);
    });
  });

  describe('settings', () => {
    it('are changed for what waits too, and the limiter is given back', async () => {
      const limiter = new Bottleneck({ maxConcurrent: 1 });
      const { opened, open } = gate();
      const both = [limiter.schedule(() => opened), limiter.schedule(() => 'second')];
      expect(await limiter.updateSettings({ maxConcurrent: 2 })).to.equal(limiter);
      expect(await both[1]).to.equal('second');
      open();
      await both[0];
    });

    it('may be members of the limiter itself', async () => {
      const limiter = new Bottleneck();
      await limiter.updateSettings({ id: 'new', rejectOnDrop: false });
      expect(limiter).to.include({ id: 'new', rejectOnDrop: false });
    });

    it('are refused as at first, by a rejection', async () => {
      expect(await rejection(new Bottleneck().updateSettings({ highWater: -1 }))).to.be.instanceOf(BottleneckError);
    });

    it('the reservoir is read and incremented', async () => {
      const limiter = new Bottleneck({ reservoir: 2 });
      expect(await limiter.currentReservoir()).to.equal(2);
      expect(await limiter.incrementReservoir(3)).to.equal(5);
      expect(await rejection(limiter.incrementReservoir(Number.NaN))).to.be.instanceOf(BottleneckError);
      expect(await new Bottleneck().currentReservoir()).to.equal(null);
    });
  });

  describe('the rest', () => {
    it('a local limiter is ready at once, without clients, and hears itself', async () => {
      const limiter = new Bottleneck({ id: 'me' });
      expect(await limiter.ready()).to.deep.equal({});
      expect(limiter.clients()).to.deep.equal({});
      expect(limiter.channel()).to.equal('b_me');
      const heard: unknown[] = [];
      limiter.on('message', (message: unknown) => heard.push(message));
      await limiter.publish(5);
      expect(heard).to.deep.equal(['5']);
    });

    it('a local limiter goes on after disconnect', async () => {
      const limiter = new Bottleneck();
      await limiter.disconnect();
      expect(await limiter.schedule(() => 'still here')).to.equal('still here');
    });

    it('a dropped job stays pending when it is not to be rejected', async () => {
      const limiter = new Bottleneck({
        maxConcurrent: 1,
        highWater: 0,
        strategy: Bottleneck.strategy.OVERFLOW,
        rejectOnDrop: false,
      });
      const { opened, open } = gate();
      void limiter.schedule(() => opened);
      let settled = false;
      const dropped = limiter.schedule({ id: 'b' }, () => 1);
      const settle = () => (settled = true);
      dropped.then(settle, settle);
      const ids = await new Promise((resolve) =>
        limiter.on('dropped', (job: { options: { id: string } }) => resolve(job.options.id)),
      );
      open();
      await limiter.running();
      expect([ids, settled]).to.deep.equal(['b', false]);
    });
  });
});
