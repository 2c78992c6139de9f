import FakeTimers, { type Clock } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { afterTurn, inMicrotask, MonotonicClock, startTimer } from '../../lib/clock';

const DAY = 86_400_000;

describe('clock', () => {
  let fake: Clock;

  beforeEach(() => {
    fake = FakeTimers.install({ now: 10 * DAY });
  });

  afterEach(() => fake.uninstall());

  describe('MonotonicClock', () => {
    it('is Date.now() as long as that goes on', () => {
      const clock = new MonotonicClock();
      expect(clock.now()).to.equal(10 * DAY);
      fake.tick(1234);
      expect(clock.now()).to.equal(10 * DAY + 1234);
    });

    it('follows a clock that is set forward', () => {
      const clock = new MonotonicClock();
      clock.now();
      fake.setSystemTime(11 * DAY);
      expect(clock.now()).to.equal(11 * DAY);
    });

    it('goes on from where it was when the clock is set back, as fast as before', () => {
      const clock = new MonotonicClock();
      clock.now();
      fake.setSystemTime(9 * DAY);
      const start = clock.now();
      expect(start).to.be.at.least(10 * DAY);
      fake.tick(500);
      expect(clock.now()).to.equal(start + 500);
      fake.setSystemTime(DAY);
      expect(clock.now()).to.be.at.least(start + 500);
    });

    it('counts what passed between the last reading and a clock set back', () => {
      const clock = new MonotonicClock();
      clock.now();
      fake.tick(700);
      fake.setSystemTime(9 * DAY);
      expect(clock.now()).to.equal(10 * DAY + 700);
    });

    it('is at least what was reached', () => {
      const clock = new MonotonicClock();
      clock.reach(10 * DAY + 50);
      clock.reach(10 * DAY + 20);
      expect(clock.now()).to.equal(10 * DAY + 50);
      fake.tick(80);
      expect(clock.now()).to.equal(10 * DAY + 80);
    });
  });

  describe('startTimer', () => {
    function fired(delay: number): () => number {
      let times = 0;
      startTimer(delay, () => times++);
      return () => times;
    }

    it('fires once, when its time has come', () => {
      const times = fired(100);
      fake.tick(99);
      expect(times()).to.equal(0);
      fake.tick(1);
      expect(times()).to.equal(1);
      fake.tick(DAY);
      expect(times()).to.equal(1);
    });

    it('takes a time that has passed as now', () => {
      const times = fired(-5);
      fake.tick(0);
      expect(times()).to.equal(1);
    });

    it('can wait longer than setTimeout can', () => {
      const times = fired(100 * DAY);
      fake.tick(100 * DAY - 1);
      expect(times()).to.equal(0);
      fake.tick(1);
      expect(times()).to.equal(1);
    });

    it('waits for ever for Infinity', () => {
      const times = fired(Number.POSITIVE_INFINITY);
      fake.tick(1000 * DAY);
      expect(times()).to.equal(0);
    });

    it('is cancelled, more than once if need be, and in the middle of a long wait', () => {
      let times = 0;
      const timer = startTimer(60 * DAY, () => times++);
      fake.tick(50 * DAY);
      timer.cancel();
      timer.cancel();
      fake.tick(DAY * 50);
      expect([times, fake.countTimers()]).to.deep.equal([0, 0]);
    });

    it('is cancelled by the functions that set it, although others are in force now', () => {
      let times = 0;
      const timer = startTimer(100, () => times++);
      fake.uninstall();
      timer.cancel();
      fake.tick(200);
      expect(times).to.equal(0);
    });

    it('stays unreferenced over all its pieces', () => {
      const timer = startTimer(60 * DAY, () => {});
      timer.unref();
      const handles: Array<{ hasRef(): boolean }> = [];
      const { setTimeout } = globalThis;
      globalThis.setTimeout = ((...args: Parameters<typeof setTimeout>) => {
        const handle = setTimeout(...args);
        handles.push(handle);
        return handle;
      }) as typeof setTimeout;
      fake.tick(30 * DAY);
      globalThis.setTimeout = setTimeout;
      expect(handles.map((handle) => handle.hasRef())).to.deep.equal([false]);
    });
  });

  it('runs a function after the event loop had a turn', () => {
    const order: string[] = [];
    afterTurn(() => order.push('later'));
    order.push('now');
    fake.tick(0);
    expect(order).to.deep.equal(['now', 'later']);
  });

  it('ends a turn by setTimeout where that is faked and setImmediate is not', () => {
    fake.uninstall();
    fake = FakeTimers.install({ toFake: ['setTimeout'] });
    let ran = false;
    afterTurn(() => (ran = true));
    fake.tick(0);
    expect(ran).to.equal(true);
  });

  it('runs a function as a microtask, whatever is faked', async () => {
    let ran = false;
    inMicrotask(() => (ran = true));
    expect(ran).to.equal(false);
    await Promise.resolve();
    expect(ran).to.equal(true);
  });
});
