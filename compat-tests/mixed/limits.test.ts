import { expect } from 'chai';
import { eventually } from '../../test/support/eventually';
import type { Fleet } from './fleet';
import { useFleet } from './use-fleet';

/** ms by which the timers of a busy machine may shift a start. */
const JITTER = 25;

/** The smaller side's part of the starts, in proportion to its part of the processes: 1 for exactly its due. */
function fairness(fleet: Fleet): number {
  const { real, ours } = fleet.log.shares();
  const due = (processes: number): number => processes / fleet.members.length;
  const part = (starts: number): number => starts / (real + ours);
  return Math.min(part(real) / due(fleet.real.length), part(ours) / due(fleet.ours.length));
}

// Where both kinds have as many processes this means: at least 30 % of the starts for each.
const FAIR = 0.6;

describe('limits of a mixed fleet', () => {
  const fixture = useFleet();

  for (const composition of ['RO', 'RROO', 'RRRO', 'ROOO', 'ORRO']) {
    for (const maxConcurrent of [1, 3]) {
      it(`${composition} keep maxConcurrent ${maxConcurrent}, and neither kind starves`, async function () {
        this.timeout(60_000);
        const { fleet } = fixture;
        await fleet.compose(composition, { maxConcurrent });
        await fleet.runEverywhere(60, 10);
        await fleet.finished();
        expect(fleet.log.runs).to.have.length(60 * composition.length);
        expect(fleet.log.peak()).to.equal(maxConcurrent);
        expect(fairness(fleet)).to.be.above(FAIR);
      });
    }
  }

  for (const composition of ['RO', 'RROO', 'RRRO', 'ROOO']) {
    it(`${composition} keep minTime, and neither kind starves`, async function () {
      this.timeout(60_000);
      const { fleet } = fixture;
      // Ours pace their bookings by those of the others in steps of 10 ms, in which a quick machine lets a Bottleneck process
      // book 40 starts: there must be many more than that.
      const [minTime, count] = [8, 120];
      await fleet.compose(composition, { minTime });
      const before = Date.now();
      await fleet.runEverywhere(count, 1);
      await fleet.finished();
      const starts = fleet.log.starts();
      expect(starts).to.have.length(count * composition.length);
      // A timer can only be late, and one late start followed by one in time says nothing against the limit. But the
      // n-th start cannot be earlier than the n-th slot.
      const late = Math.max(100, ...(await Promise.all(fleet.members.map((member) => member.lateness()))));
      starts.forEach((start, i) => {
        expect(start - before, `start ${i}`).to.be.at.least(i * minTime - 2);
        if (i >= 50) expect(start - starts[i - 50]!, `50 after start ${i - 50}`).to.be.at.least(50 * minTime - late);
      });
      expect(fairness(fleet)).to.be.above(FAIR);
    });
  }

  for (const composition of ['RO', 'RROO']) {
    it(`${composition} keep the reservoir and its refresh`, async function () {
      this.timeout(60_000);
      const { fleet } = fixture;
      const interval = 1000;
      const amount = 20;
      const settings = { reservoir: amount, reservoirRefreshAmount: amount, reservoirRefreshInterval: interval };
      await fleet.compose(composition, settings);
      await fleet.runEverywhere(100 / composition.length, 1);
      await fleet.finished();
      expect(fleet.log.runs).to.have.length(100);
      // A window may begin anywhere: it can hold the end of one refill and the whole next one.
      expect(fleet.log.mostStartsWithin(interval - JITTER)).to.be.at.most(2 * amount);
      expect(fleet.log.mostStartsWithin(3 * interval - JITTER)).to.be.at.most(4 * amount);
      expect(fleet.log.longestGap()).to.be.below(1.5 * interval);
      expect(fairness(fleet)).to.be.above(FAIR);
    });
  }

  it('keep a reservoir that grows', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    const growth = { reservoirIncreaseAmount: 10, reservoirIncreaseInterval: 500, reservoirIncreaseMaximum: 20 };
    await fleet.compose('RO', { reservoir: 10, ...growth });
    const before = Date.now();
    await fleet.runEverywhere(30, 1);
    await fleet.finished();
    // 10 at once, 50 in five steps.
    expect(fleet.log.starts().at(-1)! - before).to.be.within(1500, 4500);
    expect(fleet.log.mostStartsWithin(500 - JITTER)).to.be.at.most(20 + 10);
    expect(fairness(fleet)).to.be.above(FAIR);
  });

  it('share where weights differ', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    await fleet.compose('RO', { maxConcurrent: 3 });
    await fleet.runEverywhere(60, 10, { weights: [0, 1, 2] });
    await fleet.finished();
    expect(fleet.log.runs).to.have.length(120);
    expect(fleet.log.peak()).to.be.at.most(3);
    expect(fairness(fleet)).to.be.above(FAIR);
  });

  it('keep maxConcurrent and minTime together', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    await fleet.compose('RROO', { maxConcurrent: 2, minTime: 10 });
    await fleet.runEverywhere(25, 30);
    await fleet.finished();
    expect(fleet.log.runs).to.have.length(100);
    expect(fleet.log.peak()).to.be.at.most(2);
    expect(fleet.log.mostStartsWithin(100)).to.be.at.most(10 + 1 + Math.ceil(JITTER / 10));
    expect(fairness(fleet)).to.be.above(FAIR);
  });

  const drivers: Array<[real: string, ours: string]> = [
    ['ioredis4', 'ioredis'],
    ['redis3', 'redis'],
    ['redis2', 'ioredis5'],
  ];
  for (const [real, ours] of drivers) {
    it(`Bottleneck on ${real} shares with rebottle on ${ours}`, async function () {
      this.timeout(60_000);
      const { fleet } = fixture;
      const settings = { maxConcurrent: 3 };
      await fleet.join('real', settings, { driver: real });
      await fleet.join('ours', settings, { driver: ours });
      await fleet.runEverywhere(60, 10);
      await fleet.finished();
      expect(fleet.log.runs).to.have.length(120);
      expect(fleet.log.peak()).to.equal(3);
      expect(fairness(fleet)).to.be.above(FAIR);
    });
  }

  it('a new process joins while old ones work', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    const joiner = await fleet.start('ours');
    const old = await fleet.join('real', { maxConcurrent: 3 });
    await old.run(300, 10);
    await eventually(() => fleet.log.runs.length > 0);
    await fleet.enter(joiner, { maxConcurrent: 99 });
    await joiner.run(100, 10);
    await fleet.finished();
    expect(fleet.log.runs).to.have.length(400);
    expect(fleet.log.peak()).to.equal(3);
    const first = fleet.log.starts((run) => run.kind === 'ours')[0]!;
    const last = fleet.log.starts((run) => run.kind === 'ours').at(-1)!;
    const between = fleet.log.starts((run) => run.kind === 'real' && run.start >= first && run.start <= last).length;
    expect(between, 'of the old one beside 100 of the new one').to.be.within(43, 234);
  });

  it('an old process joins while new ones work', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    const joiner = await fleet.start('real');
    const old = await fleet.join('ours', { maxConcurrent: 3 });
    await old.run(300, 10);
    await eventually(() => fleet.log.runs.length > 0);
    await fleet.enter(joiner, { maxConcurrent: 99 });
    await joiner.run(60, 10);
    await fleet.finished();
    expect(fleet.log.runs).to.have.length(360);
    expect(fleet.log.peak()).to.equal(3);
    const first = fleet.log.starts((run) => run.kind === 'real')[0]!;
    const last = fleet.log.starts((run) => run.kind === 'real').at(-1)!;
    const between = fleet.log.starts((run) => run.kind === 'ours' && run.start >= first && run.start <= last).length;
    expect(between, 'of the old one beside 60 of the new one').to.be.at.most(140);
  });
});
