/**
 * The conformance kit: what the scheduler relies on in every store, through the seam alone. A new store, or a new client
 * library under the Redis store, is tested by one call of `describeStore`.
 */
import { expect } from 'chai';
import type { Store, StoreSettings } from '../../lib/store/store';
import { eventually } from '../support/eventually';
import { inWords, StoreDriver, TestTicket, tickets, UNLIMITED } from './store-driver';

export interface StoreRequest {
  settings: StoreSettings;
  /** ms of idleness after which the limiter may be let go, or null for never. */
  timeout: number | null;
}

/** Makes a store of a limiter of its own. Called within a test; what it opens is closed by the store's `disconnect`. */
export type MakeStore = (request: StoreRequest) => Store;

/** Waits are told in whole microseconds by Redis, and its clock goes on between two steps. */
const CLOSE = 25;

export function describeStore(name: string, makeStore: MakeStore): void {
  describe(`conformance: ${name}`, () => {
    let drivers: StoreDriver[] = [];

    async function limiter(settings: Partial<StoreSettings> = {}, timeout: number | null = null): Promise<StoreDriver> {
      const driver = new StoreDriver(makeStore({ settings: { ...UNLIMITED, ...settings }, timeout }));
      drivers.push(driver);
      await driver.store.ready;
      return driver;
    }

    afterEach('disconnect', async () => {
      await Promise.all(drivers.map((driver) => driver.end()));
      drivers = [];
    });

    describe('starting', () => {
      it('starts at once when no limit holds a ticket back', async () => {
        const driver = await limiter();
        const a = new TestTicket('a');
        const { effects, nextIn } = await driver.submit(a);
        expect(effects.map(inWords)).to.deep.equal(['queued a', 'started a']);
        expect(driver.startsOf(a)[0]).to.include({ wait: 0, reservoir: null });
        expect(nextIn).to.equal(null);
      });

      it('answers an empty step with nothing', async () => {
        const driver = await limiter();
        expect(await driver.step()).to.deep.equal({ effects: [], nextIn: null });
      });

      it('starts the most important first, and equals in the order of arrival', async () => {
        const driver = await limiter({ maxConcurrent: 1 });
        const first = new TestTicket('first');
        await driver.submit(
          first,
          ...tickets('ab'),
          new TestTicket('c', { priority: 9 }),
          new TestTicket('d', { priority: 0 }),
        );
        await driver.submit(new TestTicket('e', { priority: 0 }), ...tickets('f'));
        let running: TestTicket | undefined = first;
        for (let i = 0; i < 6; i++) {
          await driver.complete(running!);
          running = driver.startsOf().at(-1)?.ticket as TestTicket;
        }
        expect(driver.startsOf().map(({ ticket }) => (ticket as TestTicket).name)).to.deep.equal([
          'first',
          'd',
          'e',
          'a',
          'b',
          'f',
          'c',
        ]);
      });

      it('tells what happened in the order in which it happened', async () => {
        const driver = await limiter({ maxConcurrent: 1 });
        const [a, b, c] = tickets('abc') as [TestTicket, TestTicket, TestTicket];
        await driver.submit(a, b);
        const { effects } = await driver.step({ completed: [a], submitted: [c] });
        expect(effects.map(inWords)).to.deep.equal(['completed a 0', 'started b', 'queued c']);
      });

      it('tells the weight running after each completion of a step', async () => {
        const driver = await limiter();
        const [a, b, c] = tickets('abc', { weight: 2 }) as [TestTicket, TestTicket, TestTicket];
        await driver.submit(a, b, c);
        const { effects } = await driver.complete(a, b, c);
        expect(effects.map(inWords)).to.deep.equal(['completed a 4', 'completed b 2', 'completed c 0']);
      });

      it('takes the largest batch in one step', async () => {
        const driver = await limiter({ maxConcurrent: 100 });
        const many = Array.from({ length: driver.store.maxBatch }, (_, i) => new TestTicket(String(i)));
        await driver.submit(...many);
        expect(driver.startsOf()).to.have.length(100);
        expect(await driver.store.queued()).to.equal(many.length - 100);
        await driver.complete(...many.slice(0, 100));
        expect(driver.startsOf().map(({ ticket }) => ticket)).to.deep.equal(many.slice(0, 200));
      });
    });

    describe('maxConcurrent', () => {
      it('counts weights, and lets nothing overtake a heavy head', async () => {
        const driver = await limiter({ maxConcurrent: 3 });
        const [light, heavy, last] = [
          new TestTicket('light'),
          new TestTicket('heavy', { weight: 3 }),
          new TestTicket('last'),
        ];
        await driver.submit(light, heavy, last);
        expect(driver.words).to.deep.equal(['queued light', 'started light', 'queued heavy', 'queued last']);
        await driver.complete(light);
        expect(driver.words.slice(4)).to.deep.equal(['completed light 0', 'started heavy']);
        await driver.complete(heavy);
        expect(driver.has('started last')).to.equal(true);
      });

      it('refuses what could never start, and tells the limit', async () => {
        const driver = await limiter({ maxConcurrent: 2.5 });
        await driver.submit(new TestTicket('a', { weight: 3 }), new TestTicket('b', { weight: 2.5 }));
        expect(driver.words).to.deep.equal(['overweight a 2.5', 'queued b', 'started b']);
        expect(await driver.store.running()).to.equal(2.5);
      });

      it('starts tickets without weight beside a full house', async () => {
        const driver = await limiter({ maxConcurrent: 1 });
        await driver.submit(new TestTicket('a'), new TestTicket('free', { weight: 0 }));
        expect(driver.has('started free')).to.equal(true);
      });

      it('comes back to exactly 0 with fractional weights', async () => {
        const driver = await limiter({ maxConcurrent: 1 });
        const parts = [0.1, 0.2, 0.3, 1 / 3].map((weight, i) => new TestTicket(String(i), { weight }));
        await driver.submit(...parts);
        expect(driver.startsOf()).to.have.length(4);
        await driver.complete(...parts);
        expect(await driver.store.running()).to.equal(0);
      });
    });

    describe('leaving', () => {
      it('frees the slot of a completed ticket and counts it as done', async () => {
        const driver = await limiter({ maxConcurrent: 2 });
        const a = new TestTicket('a', { weight: 2 });
        await driver.submit(a, new TestTicket('b'));
        expect([await driver.store.running(), await driver.store.done(), await driver.store.queued()]).to.deep.equal([
          2, 0, 1,
        ]);
        await driver.complete(a);
        expect([await driver.store.running(), await driver.store.done(), await driver.store.queued()]).to.deep.equal([
          1, 2, 0,
        ]);
      });

      it('takes back a queued ticket, a started one, which is not done, and a delayed one', async () => {
        const driver = await limiter({ maxConcurrent: 1 });
        const [a, b, c] = tickets('abc') as [TestTicket, TestTicket, TestTicket];
        const late = new TestTicket('late', { delay: 60_000 });
        await driver.submit(a, b, c, late);
        await driver.step({ withdrawn: [b, late] });
        await driver.step({ withdrawn: [a] });
        expect(driver.words.slice(-1)).to.deep.equal(['started c']);
        expect(await driver.store.done()).to.equal(0);
        const { delayed, queued, running } = await driver.store.inspect();
        expect({ delayed, queued, running }).to.deep.equal({ delayed: 0, queued: 0, running: 1 });
      });

      it('takes a ticket back and in again in one step: a retry that queues anew', async () => {
        const driver = await limiter({ maxConcurrent: 1 });
        const [a, b] = tickets('ab') as [TestTicket, TestTicket];
        await driver.submit(a, b);
        const { effects } = await driver.step({ withdrawn: [a], submitted: [a] });
        expect(effects.map(inWords)).to.deep.equal(['started b', 'queued a']);
        await driver.complete(b);
        expect(driver.words.at(-1)).to.equal('started a');
        await driver.complete(a);
        expect([await driver.store.running(), await driver.store.done()]).to.deep.equal([0, 2]);
      });

      it('tells of a completion whose slot was given up before, and frees nothing twice', async () => {
        const driver = await limiter({ maxConcurrent: 2 });
        const [a, b] = tickets('ab') as [TestTicket, TestTicket];
        await driver.submit(a, b);
        await driver.step({ withdrawn: [a] });
        await driver.complete(a, b);
        expect(await driver.store.running()).to.equal(0);
        expect(await driver.store.done()).to.equal(1);
      });
    });

    describe('minTime', () => {
      it('gives slots at once, each later than the one before', async () => {
        const driver = await limiter({ minTime: 1000 });
        await driver.submit(...tickets('abc'));
        expect(driver.startsOf().map(({ wait }) => wait)).to.deep.equal([0, 1000, 2000]);
        expect(await driver.store.running()).to.equal(3);
      });

      it('keeps fractions of a ms', async () => {
        const driver = await limiter({ minTime: 1000 / 15 });
        await driver.submit(...tickets('abcd'));
        expect(driver.startsOf()[3]!.wait).to.be.closeTo(200, 0.01);
      });

      it('keeps tickets in the queue until they may start, when dispatched just in time', async () => {
        const driver = await limiter({ minTime: 60, dispatch: 'just-in-time' });
        const { nextIn } = await driver.submit(...tickets('ab'), new TestTicket('urgent', { priority: 0 }));
        expect(driver.words).to.deep.equal(['queued a', 'started a', 'queued b', 'queued urgent']);
        expect(nextIn).to.be.within(1, 60);
        await driver.told('started b');
        expect(driver.startsOf().map(({ ticket, wait }) => [(ticket as TestTicket).name, wait])).to.deep.equal([
          ['a', 0],
          ['urgent', 0],
          ['b', 0],
        ]);
      });
    });

    describe('window and bucket', () => {
      it('starts no more than windowMax in any windowDuration', async () => {
        const driver = await limiter({ windowMax: 2, windowDuration: 1000 });
        const { nextIn } = await driver.submit(...tickets('abc'));
        expect(driver.startsOf()).to.have.length(2);
        expect(nextIn).to.be.within(1000 - CLOSE, 1000);
      });

      it('starts as many as the bucket pays for, and more as it fills', async () => {
        const driver = await limiter({ bucketCapacity: 2, bucketRefillPerSecond: 20 });
        const { nextIn } = await driver.submit(...tickets('abc'));
        expect(driver.startsOf()).to.have.length(2);
        expect(nextIn).to.be.within(1, 50);
        await driver.told('started c');
      });
    });

    describe('highWater', () => {
      const full = { maxConcurrent: 1, highWater: 2 };

      it('LEAK drops the oldest of the least important', async () => {
        const driver = await limiter({ ...full, strategy: 1 });
        await driver.submit(
          ...tickets('abc'),
          new TestTicket('urgent', { priority: 1 }),
          new TestTicket('idle', { priority: 9 }),
        );
        expect(driver.words.slice(4)).to.deep.equal(['dropped b shed', 'queued urgent full', 'dropped idle shed']);
        expect(await driver.store.queued()).to.equal(2);
      });

      it('OVERFLOW drops the newcomer', async () => {
        const driver = await limiter({ ...full, strategy: 2 });
        await driver.submit(...tickets('abc'), new TestTicket('urgent', { priority: 1 }));
        expect(driver.words.slice(4)).to.deep.equal(['dropped urgent shed']);
      });

      it('OVERFLOW_PRIORITY drops one that is less important than the newcomer, or the newcomer', async () => {
        const driver = await limiter({ ...full, strategy: 4 });
        await driver.submit(...tickets('abcd'), new TestTicket('urgent', { priority: 1 }));
        expect(driver.words.slice(4)).to.deep.equal(['dropped d shed', 'dropped b shed', 'queued urgent full']);
      });

      it('BLOCK drops everything that waits and all that comes during the penalty', async () => {
        const driver = await limiter({ ...full, strategy: 3, penalty: 60 });
        await driver.submit(...tickets('abc'));
        await driver.submit(new TestTicket('d'), new TestTicket('e'));
        expect(driver.words.slice(4)).to.deep.equal([
          'dropped b blocked',
          'dropped c blocked',
          'dropped d blocked',
          'dropped e blocked',
        ]);
        const { unblockTime, now, nextRequest } = await driver.store.inspect();
        expect(unblockTime - now).to.be.within(60 - CLOSE, 61);
        expect(nextRequest).to.equal(unblockTime);
        await eventually(async () => (await driver.store.inspect()).now > unblockTime);
        await driver.submit(new TestTicket('f'));
        expect(driver.words.at(-1)).to.equal('queued f');
      });

      it('a highWater of 0 lets only in what starts at once', async () => {
        const driver = await limiter({ maxConcurrent: 1, highWater: 0, strategy: 2 });
        await driver.submit(...tickets('ab'));
        expect(driver.words).to.deep.equal(['queued a', 'started a', 'dropped b shed']);
      });
    });

    describe('reservoir', () => {
      it('goes down with each start and tells how much is left', async () => {
        const driver = await limiter({ reservoir: 3 });
        await driver.submit(new TestTicket('a', { weight: 2 }), ...tickets('bc'));
        expect(driver.startsOf().map(({ reservoir }) => reservoir)).to.deep.equal([1, 0]);
        expect(await driver.store.reservoir()).to.equal(0);
        expect((await driver.step()).nextIn).to.equal(null);
      });

      it('starts waiting tickets when it is incremented, and gives the sum', async () => {
        const driver = await limiter({ reservoir: 0 });
        await driver.submit(...tickets('abc'));
        expect(await driver.store.incrementReservoir(2)).to.equal(2);
        await driver.told('started b');
        expect(driver.has('started c')).to.equal(false);
        expect(await driver.store.reservoir()).to.equal(0);
      });

      it('counts from 0 when there was none', async () => {
        const driver = await limiter();
        expect(await driver.store.reservoir()).to.equal(null);
        expect(await driver.store.incrementReservoir(3)).to.equal(3);
        expect(await driver.store.reservoir()).to.equal(3);
      });

      it('is refreshed on time, though nothing else happens', async () => {
        const driver = await limiter({ reservoir: 1, reservoirRefreshInterval: 80, reservoirRefreshAmount: 2 });
        const { nextIn } = await driver.submit(...tickets('abc'));
        expect(nextIn).to.be.within(1, 80);
        await driver.told('started c');
        expect(driver.startsOf().map(({ reservoir }) => reservoir)).to.deep.equal([0, 1, 0]);
      });

      it('is increased up to the maximum', async () => {
        const driver = await limiter({
          reservoir: 0,
          reservoirIncreaseInterval: 20,
          reservoirIncreaseAmount: 2,
          reservoirIncreaseMaximum: 3,
        });
        await eventually(async () => (await driver.store.reservoir()) === 3);
        await driver.submit(...tickets('abcd'));
        await driver.told('started d');
      });

      it('wakes for an interval that a change of settings brings', async () => {
        const driver = await limiter({ reservoir: 0 });
        await driver.submit(new TestTicket('a'));
        await driver.store.updateSettings({ reservoirRefreshInterval: 300, reservoirRefreshAmount: 1 });
        await driver.told('started a', 1500);
      });
    });

    describe('delay', () => {
      it('lets a ticket join the queue when it is due', async () => {
        const driver = await limiter();
        const { effects, nextIn } = await driver.submit(new TestTicket('late', { delay: 50 }));
        expect(effects.map(inWords)).to.deep.equal(['queued late']);
        expect(nextIn).to.be.within(50 - CLOSE, 50);
        expect((await driver.store.inspect()).delayed).to.equal(1);
        await driver.told('started late');
        expect((await driver.store.inspect()).delayed).to.equal(0);
      });

      it('keeps the order of tickets that are due at one moment', async () => {
        const driver = await limiter();
        const many = Array.from({ length: 120 }, (_, i) => new TestTicket(String(i), { delay: 30 }));
        await driver.submit(...many);
        await driver.told('started 119');
        expect(driver.startsOf().map(({ ticket }) => ticket)).to.deep.equal(many);
      });
    });

    describe('settings', () => {
      it('are in force at once, for what waits too', async () => {
        const driver = await limiter({ maxConcurrent: 1 });
        await driver.submit(...tickets('abcd'));
        await driver.store.updateSettings({ maxConcurrent: 3 });
        await driver.told('started c');
        expect(driver.has('started d')).to.equal(false);
        expect(driver.store.currentSettings.maxConcurrent).to.equal(3);
        expect((await driver.store.inspect()).settings).to.include({ maxConcurrent: 3, minTime: 0 });
      });

      it('take null for unlimited', async () => {
        const driver = await limiter({ maxConcurrent: 1, reservoir: 1 });
        await driver.submit(...tickets('abc'));
        await driver.store.updateSettings({ maxConcurrent: null, reservoir: null });
        await driver.told('started c');
        expect(await driver.store.reservoir()).to.equal(null);
      });

      it('are told in full', async () => {
        const settings: StoreSettings = {
          maxConcurrent: 2.5,
          minTime: 12.5,
          highWater: 7,
          strategy: 4,
          penalty: 10,
          reservoir: 5,
          reservoirRefreshInterval: 60_000,
          reservoirRefreshAmount: 5,
          reservoirIncreaseInterval: 61_000,
          reservoirIncreaseAmount: 0.5,
          reservoirIncreaseMaximum: 9,
          dispatch: 'just-in-time',
          windowMax: 3,
          windowDuration: 100,
          bucketCapacity: 4,
          bucketRefillPerSecond: 0.5,
        };
        const driver = await limiter(settings);
        expect((await driver.store.inspect()).settings).to.deep.equal(settings);
      });
    });

    describe('check', () => {
      it('tells whether a weight would start at once', async () => {
        const driver = await limiter({ maxConcurrent: 2, reservoir: 5 });
        await driver.submit(new TestTicket('a'));
        expect([await driver.store.check(1), await driver.store.check(2), await driver.store.check(0)]).to.deep.equal([
          true,
          false,
          true,
        ]);
      });

      it('counts the time that minTime still takes', async () => {
        const driver = await limiter({ minTime: 60_000 });
        expect(await driver.store.check(1)).to.equal(true);
        await driver.submit(new TestTicket('a'));
        expect(await driver.store.check(1)).to.equal(false);
      });
    });

    describe('expiration', () => {
      it('may be endless, and above what a timer can hold', async () => {
        const endless = [Number.POSITIVE_INFINITY, 2 ** 33, 1e20, 1e300];
        const driver = await limiter({ maxConcurrent: endless.length });
        await driver.submit(...endless.map((expiration) => new TestTicket(String(expiration), { expiration })));
        await driver.submit(new TestTicket('c'));
        await driver.step();
        expect(driver.has('started c')).to.equal(false);
        expect(await driver.store.running()).to.equal(endless.length);
      });
    });

    describe('life', () => {
      it('passes messages on, whatever is in them', async () => {
        const driver = await limiter();
        for (const message of ['hello', '', 'with: colons: and "quotes"', 'žluťoučký 🐎'])
          await driver.store.publish(message);
        await eventually(() => driver.messages.length === 4);
        expect(driver.messages).to.deep.equal(['hello', '', 'with: colons: and "quotes"', 'žluťoučký 🐎']);
      });

      it('is expired when nothing was done for its timeout', async () => {
        const driver = await limiter({}, 100);
        const a = new TestTicket('a');
        await driver.submit(a);
        await driver.complete(a);
        expect(await driver.store.isExpired(Date.now())).to.equal(false);
        await eventually(() => driver.store.isExpired(Date.now()));
      });

      it('never expires without a timeout', async () => {
        const driver = await limiter();
        expect(await driver.store.isExpired(Date.now() + 1e9)).to.equal(false);
      });

      it('has a name, and can be left twice', async () => {
        const driver = await limiter();
        expect(driver.store.clientId).to.match(/^[0-9a-zA-Z.]+$/);
        await driver.store.disconnect(true);
        await driver.store.disconnect(false);
      });

      it('tells of nothing that went wrong', async () => {
        const driver = await limiter({ maxConcurrent: 1 });
        await driver.submit(...tickets('ab'));
        expect(driver.errors).to.deep.equal([]);
        expect(driver.others).to.deep.equal([]);
      });
    });
  });
}
