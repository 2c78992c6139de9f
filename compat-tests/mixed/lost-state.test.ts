import { expect } from 'chai';
import { eventually } from '../../test/support/eventually';
import { useFleet } from './use-fleet';

describe('a mixed fleet whose state is lost', () => {
  // Bottleneck reports what it meets before ours have mended it, once for each call that was under way.
  const fixture = useFleet(/SETTINGS_KEY_NOT_FOUND|UNKNOWN_CLIENT/);
  const settings = { maxConcurrent: 3, clientTimeout: 2000, heartbeatInterval: 500 };

  it('goes on after FLUSHALL amid the work of both', async function () {
    this.timeout(60_000);
    const { fleet, redis } = fixture;
    await fleet.compose('RO', settings);
    const real = fleet.real[0]!;
    await fleet.runEverywhere(100, 40);
    // Bottleneck submits one job after another, and what it submits while nothing is there is rejected.
    await eventually(async () => Number(await real.call('queued')) + fleet.log.count('real') >= 100);
    await redis.admin.flushall();
    await fleet.finished();
    const ours = fleet.ours[0]!;
    expect(fleet.log.starts((run) => run.kind === 'ours')).to.have.length(100);
    expect(ours.errors).to.deep.equal([]);
    expect(real.failures).to.deep.equal([]);
    expect(fleet.log.count('real')).to.equal(100);
    expect(fleet.log.longestGap()).to.be.below(1500);
    // What Bottleneck had running when it was forgotten runs beside the limit.
    expect(fleet.log.peak()).to.be.at.most(6);
    await eventually(async () => (await ours.call('running')) === 0);
  });

  it('an idle process of ours mends it for Bottleneck', async function () {
    this.timeout(60_000);
    const { fleet, redis } = fixture;
    const real = await fleet.join('real', settings);
    const ours = await fleet.join('ours', settings);
    await ours.run(1, 1);
    await real.run(100, 40);
    await eventually(async () => Number(await real.call('queued')) + fleet.log.count('real') >= 100);
    await redis.admin.flushall();
    await real.finished();
    expect(real.failures).to.deep.equal([]);
    expect(fleet.log.count('real')).to.equal(100);
    expect(fleet.log.longestGap()).to.be.below(2500);
  });

  it('goes on when its keys are deleted, and tells Bottleneck again who it is', async function () {
    this.timeout(60_000);
    const { fleet, redis } = fixture;
    const real = await fleet.join('real', settings);
    const ours = await fleet.join('ours', settings);
    await ours.run(4, 300);
    await eventually(() => fleet.log.runs.length === 3);
    const eight = (await redis.admin.keys('b_*')).filter((key) => !key.includes('_rb_'));
    await redis.admin.del(...eight);
    await eventually(async () => (await redis.admin.zrange(`b_${redis.id()}_client_last_seen`, 0, '-1')).length === 2, {
      that: 'both are registered',
    });
    await fleet.runEverywhere(20, 10);
    await fleet.finished();
    expect(real.failures).to.deep.equal([]);
    expect(fleet.log.runs).to.have.length(44);
    expect(await ours.call('running')).to.equal(0);
  });

  for (const kind of ['real', 'ours'] as const) {
    it(`goes on when a new ${kind === 'real' ? 'Bottleneck process' : 'process of ours'} clears the datastore`, async function () {
      this.timeout(60_000);
      const { fleet } = fixture;
      await fleet.compose('RO', settings);
      const real = fleet.real[0]!;
      await fleet.runEverywhere(100, 40);
      await eventually(async () => Number(await real.call('queued')) + fleet.log.count('real') >= 100);
      const clearing = await fleet.join(kind, { ...settings, maxConcurrent: 4, clearDatastore: true });
      await clearing.run(20, 10);
      await fleet.finished();
      expect(fleet.log.starts((run) => run.member === fleet.ours[0]!.name)).to.have.length(100);
      expect(real.failures).to.deep.equal([]);
      expect(clearing.failures).to.deep.equal([]);
      await eventually(async () => (await clearing.call('running')) === 0);
    });
  }
});
