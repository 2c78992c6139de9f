import { expect } from 'chai';
import { eventually } from '../../test/support/eventually';
import type { Fleet } from './fleet';
import { useFleet } from './use-fleet';

const CLIENT_TIMEOUT = 2500;
const HEARTBEAT = 500;
const LONG = 60_000;

describe('deaths in a mixed fleet', () => {
  const fixture = useFleet();
  const settings = { maxConcurrent: 2, clientTimeout: CLIENT_TIMEOUT, heartbeatInterval: HEARTBEAT };

  /** ms until the first start after now. */
  async function nextStart(fleet: Fleet): Promise<number> {
    const before = Date.now();
    const count = fleet.log.runs.length;
    await eventually(() => fleet.log.runs.length > count, { within: 15_000, that: 'the next start' });
    return fleet.log.starts().at(-1)! - before;
  }

  it('ours get back what a dead Bottleneck process held, after clientTimeout', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    const real = await fleet.join('real', settings);
    const ours = await fleet.join('ours', settings);
    await real.run(2, LONG);
    await eventually(() => fleet.log.runs.length === 2);
    await ours.run(6, 10);
    await real.kill();
    expect(await nextStart(fleet)).to.be.within(CLIENT_TIMEOUT - 10, CLIENT_TIMEOUT + HEARTBEAT + 1000);
    await ours.finished();
    expect(fleet.log.peak()).to.equal(2);
    expect(await ours.call('running')).to.equal(0);
  });

  it('Bottleneck gets back what a dead Bottleneck process held, where one of ours lives', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    const dying = await fleet.join('real', settings);
    const waiting = await fleet.join('real', settings);
    await fleet.join('ours', settings);
    await dying.run(2, LONG);
    await eventually(() => fleet.log.runs.length === 2);
    await waiting.run(6, 10);
    await dying.kill();
    expect(await nextStart(fleet)).to.be.within(CLIENT_TIMEOUT - 10, CLIENT_TIMEOUT + 2 * HEARTBEAT + 1000);
    await waiting.finished();
    expect(fleet.log.peak()).to.equal(2);
  });

  it('Bottleneck gets back what a dead process of ours held, where another of ours lives', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    const dying = await fleet.join('ours', settings);
    const waiting = await fleet.join('real', settings);
    const living = await fleet.join('ours', settings);
    await dying.run(2, LONG);
    await eventually(() => fleet.log.runs.length === 2);
    await waiting.run(6, 10);
    await living.run(6, 10);
    await dying.kill();
    expect(await nextStart(fleet)).to.be.within(CLIENT_TIMEOUT / 2, CLIENT_TIMEOUT + HEARTBEAT + 1000);
    await waiting.finished();
    await living.finished();
    expect(fleet.log.peak()).to.equal(2);
    expect(await living.call('running')).to.equal(0);
  });

  it('where only Bottleneck is left, the leases of a dead process of ours run out', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    const dying = await fleet.join('ours', settings);
    const waiting = await fleet.join('real', settings);
    await dying.run(2, LONG);
    await eventually(() => fleet.log.runs.length === 2);
    await waiting.run(6, 10);
    // Longer than a lease: they are renewed while the process lives.
    await new Promise((resolve) => setTimeout(resolve, 2.5 * CLIENT_TIMEOUT));
    expect(fleet.log.runs).to.have.length(2);
    await dying.kill();
    expect(await nextStart(fleet)).to.be.within(CLIENT_TIMEOUT, 2 * CLIENT_TIMEOUT + HEARTBEAT + 1000);
    await waiting.finished();
    expect(fleet.log.peak()).to.equal(2);
    expect(await waiting.call('running')).to.equal(0);
  });

  it('all go on when one of each dies amid its work', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    await fleet.compose('RROO', settings);
    await fleet.runEverywhere(100, 10);
    const [real, living, ours, other] = fleet.members as [never, never, never, never] as typeof fleet.members;
    await eventually(() => fleet.log.runs.length >= 40);
    await real!.kill();
    await eventually(() => fleet.log.runs.length >= 80, { within: 10_000 });
    await ours!.kill();
    await living!.finished();
    await other!.finished();
    expect(fleet.log.peak()).to.be.at.most(2);
    await eventually(async () => (await other!.call('running')) === 0, { within: 10_000, every: 100 });
  });
});

/** The most that may happen to a Bottleneck process which others of Bottleneck took out while it did not react. */
const TAKEN_OUT = /UNKNOWN_CLIENT/;

// Whoever does not answer within a second is taken out by the scripts of Bottleneck, when nothing of it runs. Ours register
// it again, but it may call before they do. Without ours it stays out: see `measure.ts pause`.
describe('a process in a mixed fleet that does not react', () => {
  const fixture = useFleet(TAKEN_OUT);

  for (const kind of ['real', 'ours'] as const) {
    it(`is passed over, and comes back: ${kind === 'real' ? 'a Bottleneck process' : 'a process of ours'}`, async function () {
      this.timeout(60_000);
      const { fleet } = fixture;
      // More than the paused process can hold.
      await fleet.compose('RROO', {
        maxConcurrent: 8,
        clientTimeout: 10_000,
        heartbeatInterval: HEARTBEAT,
      });
      await fleet.runEverywhere(80, 40);
      await eventually(() => fleet.log.runs.length >= 40);
      const member = (kind === 'real' ? fleet.real : fleet.ours)[0]!;
      member.pause();
      const paused = Date.now();
      await new Promise((resolve) => setTimeout(resolve, 3000));
      member.resume();
      const resumed = Date.now();
      await fleet.finished(40_000);
      const meanwhile = fleet.log.starts((run) => run.start > paused && run.start < resumed);
      expect(meanwhile.length, 'starts of the others').to.be.above(20);
      const rejected = fleet.real.flatMap((real) => real.failures);
      expect(rejected.filter((message) => !TAKEN_OUT.test(message))).to.deep.equal([]);
      expect(fleet.log.runs.length + rejected.length).to.equal(320);
      expect(fleet.log.peak()).to.be.at.most(8);
      // It works again, whatever happened to it.
      await member.run(5, 1);
      await member.finished();
      expect(fleet.log.runs.length + rejected.length).to.equal(325);
      expect(fleet.ours.flatMap((ours) => [...ours.errors, ...ours.failures])).to.deep.equal([]);
    });
  }
});
