import FakeTimers, { type Clock } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { turn } from '../../lib/scheduler/turn';

describe('turn', () => {
  let fake: Clock;

  beforeEach(() => {
    fake = FakeTimers.install();
    // Another limiter of this process may be amid a turn: begin one.
    turn.next(() => {});
    fake.tick(0);
  });

  afterEach(() => fake.uninstall());

  it('lets a bounded number of jobs begin', () => {
    let jobs = 0;
    while (turn.hasTime()) {
      turn.count();
      jobs++;
    }
    expect(jobs).to.equal(512);
  });

  it('begins anew when the event loop has turned', () => {
    while (turn.hasTime()) turn.count();
    const before = turn.current;
    fake.tick(0);
    expect(turn.current).to.equal(before + 1);
    expect(turn.hasTime()).to.equal(true);
  });

  it('ends when its jobs have taken too long', () => {
    const now = performance.now();
    let spent = 0;
    performance.now = () => now + spent;
    let jobs = 0;
    for (; turn.hasTime(); jobs++) {
      turn.count();
      spent += 2;
    }
    expect(jobs).to.equal(8);
  });

  it('runs what was put off in the next turn, in its order', () => {
    const order: number[] = [];
    for (const i of [1, 2, 3]) turn.next(() => order.push(i));
    expect(order).to.deep.equal([]);
    fake.tick(0);
    expect(order).to.deep.equal([1, 2, 3]);
  });

  it('puts off to a turn after that what is asked for meanwhile', () => {
    const order: string[] = [];
    turn.next(() => {
      order.push('first');
      turn.next(() => order.push('second'));
    });
    fake.next();
    expect(order).to.deep.equal(['first']);
    fake.next();
    expect(order).to.deep.equal(['first', 'second']);
  });

  it('asks again when the setImmediate that it asked was taken away', () => {
    let ran = 0;
    turn.next(() => ran++);
    fake.uninstall();
    fake = FakeTimers.install();
    turn.next(() => ran++);
    fake.tick(0);
    expect(ran).to.equal(2);
  });
});
