import FakeTimers, { type Clock } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { WakeupTimer } from '../../lib/scheduler/wakeup-timer';

const DAY = 86_400_000;

describe('WakeupTimer', () => {
  let fake: Clock;
  let woken: number[];
  let timer: WakeupTimer;

  beforeEach(() => {
    fake = FakeTimers.install({ now: 0 });
    woken = [];
    timer = new WakeupTimer(Date.now, (due) => woken.push(due));
  });

  afterEach(() => fake.uninstall());

  it('wakes once, at the time it was set for', () => {
    timer.wakeAt(100);
    expect(timer.armed).to.equal(true);
    fake.tick(99);
    expect(woken).to.deep.equal([]);
    fake.tick(1);
    expect(woken).to.deep.equal([100]);
    expect(timer.armed).to.equal(false);
  });

  it('moves earlier, and never later', () => {
    timer.wakeAt(100);
    timer.wakeAt(200);
    timer.wakeAt(50);
    timer.wakeAt(70);
    expect(fake.countTimers()).to.equal(1);
    fake.tick(300);
    expect(woken).to.deep.equal([50]);
  });

  it('can be set again for what comes after', () => {
    timer.wakeAt(50);
    fake.tick(50);
    timer.wakeAt(80);
    fake.tick(30);
    expect(woken).to.deep.equal([50, 80]);
  });

  it('wakes at once for a time that has passed', () => {
    fake.tick(500);
    timer.wakeAt(100);
    fake.tick(0);
    expect(woken).to.deep.equal([500]);
  });

  it('wakes not a moment before fractions of a ms are over', () => {
    timer.wakeAt(10.25);
    fake.tick(10);
    expect(woken).to.deep.equal([]);
    fake.tick(1);
    expect(woken).to.deep.equal([11]);
  });

  it('waits longer than setTimeout can', () => {
    timer.wakeAt(2 ** 31 + 5 * DAY);
    fake.tick(2 ** 31 + 5 * DAY - 1);
    expect(woken).to.deep.equal([]);
    fake.tick(1);
    expect(woken).to.have.length(1);
  });

  it('is cancelled', () => {
    timer.wakeAt(100);
    timer.cancel();
    expect([timer.armed, fake.countTimers()]).to.deep.equal([false, 0]);
    timer.wakeAt(200);
    fake.tick(200);
    expect(woken).to.deep.equal([200]);
  });

  it('sets itself again when a real timer fires a little early', () => {
    let now = 0;
    const early = new WakeupTimer(
      () => now,
      (due) => woken.push(due),
    );
    early.wakeAt(100);
    now = 99;
    fake.tick(100);
    expect(woken).to.deep.equal([]);
    now = 100;
    fake.tick(1);
    expect(woken).to.deep.equal([100]);
  });

  it('takes its time as reached when only setTimeout is faked and Date stands still', () => {
    const still = new WakeupTimer(
      () => 0,
      (due) => woken.push(due),
    );
    still.wakeAt(5000);
    fake.tick(5000);
    expect(woken).to.deep.equal([5000]);
  });

  it('moves to fake timers that were installed since it was set', () => {
    fake.uninstall();
    const real = new WakeupTimer(Date.now, (due) => woken.push(due));
    const begin = Date.now();
    real.wakeAt(begin + 3_600_000);
    fake = FakeTimers.install({ now: begin });
    // It is set to this time already, but by a setTimeout that is not in force any more.
    real.wakeAt(begin + 3_600_000);
    fake.tick(3_600_000);
    expect(woken).to.deep.equal([begin + 3_600_000]);
  });

  it('moves back to real timers when the fake ones are gone', async () => {
    timer.wakeAt(100);
    fake.uninstall();
    const asked = new Promise<void>((resolve) => {
      const real = new WakeupTimer(Date.now, () => resolve());
      real.wakeAt(Date.now() + 1);
    });
    await asked;
    timer.wakeAt(100);
    expect(fake.countTimers()).to.equal(0);
    timer.cancel();
  });
});
