import { expect } from 'chai';
import { eventually } from '../../test/support/eventually';
import type { Kind } from './protocol';
import { useFleet } from './use-fleet';

const BOTH: ReadonlyArray<[Kind, Kind]> = [
  ['real', 'ours'],
  ['ours', 'real'],
];
const PACKAGE = { real: 'Bottleneck', ours: 'rebottle' };

describe('changes in a mixed fleet', () => {
  const fixture = useFleet();

  for (const [by, other] of BOTH) {
    it(`${PACKAGE[by]} changes maxConcurrent for both at once`, async function () {
      this.timeout(60_000);
      const { fleet } = fixture;
      const changer = await fleet.join(by, { maxConcurrent: 2 });
      await fleet.join(other, { maxConcurrent: 2 });
      await fleet.runEverywhere(60, 20);
      await eventually(() => fleet.log.runs.length >= 20);
      expect(fleet.log.peak()).to.equal(2);
      await changer.call('updateSettings', { maxConcurrent: 6 });
      await fleet.finished();
      expect(fleet.log.runs).to.have.length(120);
      expect(fleet.log.peak()).to.equal(6);
    });

    it(`${PACKAGE[by]} lets the waiting jobs of ${PACKAGE[other]} go on`, async function () {
      this.timeout(60_000);
      const { fleet } = fixture;
      const changer = await fleet.join(by, { reservoir: 0 });
      const waiting = await fleet.join(other, { reservoir: 0 });
      await waiting.run(5, 1);
      await eventually(async () => (await changer.call('clusterQueued').catch(() => 5)) !== 0);
      expect(fleet.log.runs).to.have.length(0);
      const before = Date.now();
      expect(await changer.call('incrementReservoir', 2)).to.be.oneOf([2, 0]);
      await eventually(() => fleet.log.runs.length === 2);
      await changer.call('updateSettings', { reservoir: 3 });
      await waiting.finished();
      // Without a message they would wait for a heartbeat, 5 s.
      expect(Date.now() - before).to.be.below(2000);
      expect(fleet.log.runs).to.have.length(5);
      expect(await changer.call('currentReservoir')).to.equal(0);
    });

    it(`${PACKAGE[by]} publishes to both`, async function () {
      this.timeout(60_000);
      const { fleet } = fixture;
      const publisher = await fleet.join(by, {});
      await fleet.join(other, {});
      await publisher.call('publish', 'a:b, 1:2');
      for (const member of fleet.members) await eventually(() => member.heard.includes('a:b, 1:2'));
    });

    it(`${PACKAGE[by]} begins blocked mode: what waits is dropped on both sides`, async function () {
      this.timeout(60_000);
      const { fleet } = fixture;
      const settings = { maxConcurrent: 1, highWater: 3, strategy: 3, penalty: 1500 };
      const blocker = await fleet.join(by, settings);
      const waiting = await fleet.join(other, settings);
      await waiting.run(1, 600);
      await eventually(() => fleet.log.runs.length === 1);
      await waiting.run(2, 1);
      await eventually(async () => Number(await waiting.call('queued')) === 2);
      await blocker.run(8, 1);
      const before = Date.now();
      await blocker.finished();
      await eventually(() => waiting.failures.length === 2, { that: 'the other side dropped its jobs' });
      expect(Date.now() - before).to.be.below(1000);
      expect(blocker.failures).to.have.length(8);
      expect(blocker.failures[0]).to.equal('This job has been dropped by Bottleneck');
      await waiting.finished();
      expect(fleet.log.runs).to.have.length(1);
      // Once the penalty is over, both go on.
      await eventually(async () => await blocker.call('check'), { within: 5000, every: 50 });
      await fleet.runEverywhere(1, 1);
      await fleet.finished();
      expect(fleet.log.runs).to.have.length(3);
    });
  }

  it('both tell the same of the fleet', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    const real = await fleet.join('real', { maxConcurrent: 4 });
    const ours = await fleet.join('ours', { maxConcurrent: 4 });
    await real.run(3, 800);
    await eventually(() => fleet.log.runs.length === 3);
    await ours.run(4, 800);
    await eventually(() => fleet.log.runs.length === 4);
    for (const method of ['running', 'clusterQueued', 'done', 'check']) {
      const expected = { running: 4, clusterQueued: 3, done: 0, check: false }[method];
      await eventually(async () => {
        expect(await real.call(method), `Bottleneck's ${method}`).to.equal(expected);
        expect(await ours.call(method), `rebottle's ${method}`).to.equal(expected);
        return true;
      });
    }
    await fleet.finished();
    expect(await real.call('done')).to.equal(7);
    expect(await ours.call('done')).to.equal(7);
    expect(await real.call('running')).to.equal(0);
  });

  it('expirations free slots whoever has them', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    await fleet.compose('RO', { maxConcurrent: 1 });
    await fleet.runEverywhere(3, 400, { options: { expiration: 100 } });
    const before = Date.now();
    await fleet.finished();
    expect(Date.now() - before).to.be.below(3000);
    expect(fleet.log.runs).to.have.length(6);
    for (const member of fleet.members) expect(member.failures).to.have.length(3);
  });

  it('a process of ours leaves, and the real one goes on', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    const real = await fleet.join('real', { maxConcurrent: 2 });
    const ours = await fleet.join('ours', { maxConcurrent: 2 });
    await real.run(100, 10);
    await ours.run(20, 10);
    await ours.finished();
    await ours.end();
    const before = Date.now();
    await real.finished();
    expect(Date.now() - before).to.be.below(3000);
    expect(fleet.log.peak()).to.equal(2);
  });

  it('the real process leaves, and ours are a fleet of their own again', async function () {
    this.timeout(60_000);
    const { fleet, redis } = fixture;
    const settings = { maxConcurrent: 2, clientTimeout: 1000 };
    const ours = await fleet.join('ours', settings);
    const real = await fleet.join('real', settings);
    await ours.run(1, 4000);
    await ours.run(150, 10);
    await real.run(20, 10);
    await real.finished();
    await eventually(async () => await redis.admin.hget(`b_${redis.id()}_settings`, 'rb_mixed'), { that: 'mixed' });
    await eventually(async () => (await redis.admin.zcard(`b_${redis.id()}_job_expirations`)) > 0, { that: 'leases' });
    await real.end();
    const isAlone = async () => (await redis.admin.hget(`b_${redis.id()}_settings`, 'rb_mixed')) === '';
    await eventually(isAlone, { within: 5000, that: 'alone' });
    // Their slots stay theirs without a lease, for as long as they need.
    await eventually(async () => (await redis.admin.zcard(`b_${redis.id()}_job_expirations`)) === 0, {
      that: 'no lease',
    });
    await ours.finished();
    expect(fleet.log.peak()).to.equal(2);
    expect(await ours.call('running')).to.equal(0);
  });

  it('a process of ours that Bottleneck took out while it was idle knows that it is not alone', async function () {
    this.timeout(60_000);
    const { fleet, redis } = fixture;
    const settings = { maxConcurrent: 2, clientTimeout: 1000, heartbeatInterval: 300 };
    const ours = await fleet.join('ours', settings);
    await new Promise((resolve) => setTimeout(resolve, 1300));
    await fleet.join('real', settings);
    await ours.run(1, 2500);
    // The first Bottleneck client took the place of ours: there are as many clients as before.
    const isLeased = async () => (await redis.admin.zcard(`b_${redis.id()}_job_expirations`)) === 1;
    await eventually(isLeased, { within: 2000, that: 'the slot of ours is leased' });
    await ours.finished();
  });
});
