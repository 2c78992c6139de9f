import FakeTimers, { type Clock } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { NoticeOrder } from '../../../lib/store/redis/notice-order';
import { type AdvanceReply, Code, EffectKind, type RawEffect } from '../../../lib/store/redis/replies';

const PATIENCE = 250;

function started(seq: number): RawEffect {
  return { kind: EffectKind.Started, seq, count: 1, a: 0, b: '' };
}

function message(firstNotice: number, ...seqs: number[]) {
  return { client: 'c', firstNotice, effects: seqs.map(started) };
}

function reply(firstNotice: number, notices: number, ...seqs: number[]): AdvanceReply {
  const numbers = { nextIn: null, running: 0, queuedHere: 0, runningHere: 0, mixed: false };
  return { code: Code.Ok, epoch: '1', firstNotice, notices, effects: seqs.map(started), ...numbers };
}

describe('NoticeOrder', () => {
  let clock: Clock;
  let order: NoticeOrder;
  /** Numbers of the tickets in the order in which they were told; `lost` where a message was missed. */
  let told: Array<number | string>;

  beforeEach(() => {
    clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'Date'] });
    told = [];
    order = new NoticeOrder(
      (effects) => told.push(...effects.map(({ seq }) => seq)),
      PATIENCE,
      () => told.push('lost'),
    );
  });

  afterEach(() => {
    order.stop();
    clock.tick(0);
    expect(clock.countTimers()).to.equal(0);
    clock.uninstall();
  });

  async function take(given: AdvanceReply, restarted = false): Promise<void> {
    await order.takeReply(given, restarted);
    // The store and the scheduler pass them on through promises of their own.
    for (let i = 0; i < 5; i++) await undefined;
    told.push(...given.effects.map(({ seq }) => seq));
  }

  it('delivers messages as they come', () => {
    order.takeMessage(message(1, 11));
    order.takeMessage(message(2, 12, 13));
    expect(told).to.deep.equal([11, 12, 13]);
    expect(order).to.include({ heard: 3, isWaiting: false });
  });

  it('delivers nothing twice', () => {
    order.takeMessage(message(1, 11, 12));
    order.takeMessage(message(1, 11, 12));
    order.takeMessage(message(2, 12, 13));
    expect(told).to.deep.equal([11, 12, 13]);
  });

  it('keeps a message that comes too early until those before it are there', () => {
    order.takeMessage(message(3, 13));
    order.takeMessage(message(2, 12));
    expect(told).to.deep.equal([]);
    expect(order.isWaiting).to.equal(true);
    order.takeMessage(message(1, 11));
    expect(told).to.deep.equal([11, 12, 13]);
    expect(order.isWaiting).to.equal(false);
  });

  it('lets a reply wait for the messages before it', async () => {
    const taken = take(reply(3, 3, 13));
    order.takeMessage(message(1, 11));
    order.takeMessage(message(2, 12));
    await taken;
    expect(told).to.deep.equal([11, 12, 13]);
    expect(order.heard).to.equal(3);
  });

  it('delivers what came early only after the reply before it was passed on', async () => {
    order.takeMessage(message(2, 12));
    const taken = take(reply(1, 2, 11));
    await taken;
    clock.tick(1);
    expect(told).to.deep.equal([11, 12]);
  });

  it('tells of a message that never comes, and lets the reply go on', async () => {
    const taken = take(reply(2, 2, 12));
    await Promise.resolve();
    clock.tick(PATIENCE);
    await taken;
    expect(told).to.deep.equal(['lost', 12]);
  });

  it('notices a lost message by the count in a reply without effects', async () => {
    await take(reply(0, 1));
    expect(order.isWaiting).to.equal(true);
    clock.tick(PATIENCE - 1);
    expect(told).to.deep.equal([]);
    clock.tick(1);
    expect(told).to.deep.equal(['lost']);
  });

  it('is not alarmed by a message that is only slower than the reply', async () => {
    await take(reply(0, 1));
    order.takeMessage(message(1, 11));
    clock.tick(10 * PATIENCE);
    expect(told).to.deep.equal([11]);
  });

  it('counts every ticket of a run', async () => {
    const { effects, ...rest } = reply(1, 3, 11);
    await take({ ...rest, effects: [{ ...effects[0]!, count: 3 }] });
    expect(order.heard).to.equal(3);
    order.takeMessage(message(4, 14));
    expect(told).to.deep.equal([11, 14]);
  });

  it('counts only what changes something told before', async () => {
    const { effects, ...rest } = reply(1, 1, 12);
    const queued: RawEffect = { kind: EffectKind.Queued, seq: 11, count: 1, a: 0, b: '5' };
    const refused: RawEffect = { kind: EffectKind.Dropped, seq: 10, count: 1, a: 0, b: '0' };
    await take({ ...rest, effects: [queued, refused, ...effects] });
    expect(order.heard).to.equal(1);
    order.takeMessage(message(2, 13));
    expect(told).to.deep.equal([11, 10, 12, 13]);
  });

  it('begins to count anew with a client that had been forgotten', async () => {
    order.takeMessage(message(1, 1, 2, 3));
    await take(reply(1, 1, 4), true);
    expect(order.heard).to.equal(1);
    order.takeMessage(message(2, 5));
    expect(told).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('goes on from where a reconciliation says', () => {
    order.takeMessage(message(3, 13));
    order.takeMessage(message(5, 15));
    order.restart(4);
    expect(told).to.deep.equal([15]);
    expect(order).to.include({ heard: 5, isWaiting: false });
  });

  it('lets go of everything when it is stopped', async () => {
    const taken = take(reply(2, 2, 12));
    order.takeMessage(message(4, 14));
    order.stop();
    await taken;
    clock.tick(10 * PATIENCE);
    expect(told).to.deep.equal([12]);
  });
});
