import { expect } from 'chai';
import { useFleet } from './use-fleet';

describe('clocks in a mixed fleet', () => {
  const fixture = useFleet();

  for (const clockAhead of [3000, 6000]) {
    it(`a Bottleneck process ${clockAhead} ms ahead stalls nobody and breaks no limit`, async function () {
      this.timeout(60_000);
      const { fleet } = fixture;
      const settings = { maxConcurrent: 2 };
      await fleet.join('ours', settings);
      await fleet.join('real', settings, { clockAhead });
      const before = Date.now();
      await fleet.runEverywhere(60, 20);
      await fleet.finished();
      // Ideal: 1.2 s. One stall would be the whole difference of the clocks.
      expect(Date.now() - before).to.be.below(1200 + clockAhead);
      expect(fleet.log.longestGap()).to.be.below(clockAhead / 2);
      expect(fleet.log.runs).to.have.length(120);
      expect(fleet.log.peak()).to.be.at.most(2);
      expect(fleet.ours[0]!.debug.join()).to.match(/clock of a Bottleneck process is \d+ ms ahead/);
    });
  }

  it('minTime holds beside a Bottleneck process 3000 ms ahead', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    const settings = { minTime: 20 };
    await fleet.join('real', settings, { clockAhead: 3000 });
    await fleet.join('ours', settings);
    await fleet.runEverywhere(1, 1);
    await fleet.finished();
    const before = Date.now();
    await fleet.runEverywhere(40, 1);
    await fleet.finished();
    const starts = fleet.log.starts().filter((start) => start >= before);
    starts.forEach((start, i) => {
      expect(start - before, `start ${i}`).to.be.at.least(i * 20 - 25);
    });
    expect(starts.at(-1)! - before).to.be.below(80 * 20 + 1500);
  });

  it('the clock of a process of ours does not matter', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    const settings = { maxConcurrent: 2, minTime: 5 };
    await fleet.join('real', settings);
    await fleet.join('ours', settings, { clockAhead: 5000 });
    await fleet.join('ours', settings, { clockAhead: -5000 });
    const before = Date.now();
    await fleet.runEverywhere(40, 10);
    await fleet.finished();
    expect(Date.now() - before).to.be.below(4000);
    expect(fleet.log.peak()).to.be.at.most(2);
    expect(fleet.log.runs).to.have.length(120);
  });

  it('a Bottleneck process 3000 ms behind is slow, but breaks no limit', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    const settings = { maxConcurrent: 2 };
    await fleet.join('real', settings, { clockAhead: -3000 });
    await fleet.join('ours', settings);
    await fleet.real[0]!.run(3, 10);
    await fleet.ours[0]!.run(100, 10);
    await fleet.finished();
    expect(fleet.log.peak()).to.be.at.most(2);
    expect(fleet.log.runs).to.have.length(103);
  });
});
