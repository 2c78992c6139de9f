import { expect } from 'chai';
import { eventually } from '../../test/support/eventually';
import { Auditor } from './audit';
import { useFleet } from './use-fleet';

describe('the eight keys of a mixed fleet', () => {
  const fixture = useFleet();

  it('are at every instant what the scripts of Bottleneck take for granted', async function () {
    this.timeout(90_000);
    const { fleet, redis } = fixture;
    const auditor = new Auditor(redis.admin, redis.id());
    const settings = { maxConcurrent: 4, minTime: 1.5, reservoir: 1000, clientTimeout: 1500, heartbeatInterval: 400 };
    await fleet.compose('ORRO', settings);
    // Expirations are there to be seen, and must not pass: on a busy machine a process may not get to its job for long.
    const jobs = { weights: [1, 2, 0, 3], options: { expiration: 20_000 } };
    await fleet.runEverywhere(40, 10, jobs);
    await eventually(() => fleet.log.runs.length > 40);
    const [first, second] = fleet.members;
    await first!.call('updateSettings', { minTime: 0.7 });
    await second!.call('updateSettings', { minTime: 2 });
    await fleet.finished();
    // Idle for longer than clientTimeout: scripts of Bottleneck take out who has nothing to do.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await fleet.runEverywhere(40, 10, jobs);
    await eventually(() => fleet.log.runs.length > 200);
    await first!.kill();
    await second!.kill();
    for (const member of fleet.members.slice(2)) await member.finished();
    await fleet.join('ours', settings);
    await fleet.join('real', settings);
    await fleet.members[4]!.run(40, 10, jobs);
    await fleet.members[5]!.run(40, 10, jobs);
    for (const member of fleet.members.slice(2)) await member.finished();
    const isIdle = async () => (await redis.admin.hget(`b_${redis.id()}_settings`, 'running')) === '0';
    await eventually(isIdle, { within: 10_000, every: 50 });
    await auditor.stop();
    expect([...auditor.wrong]).to.deep.equal([]);
    expect(auditor.looks).to.be.above(200);
    expect(fleet.log.peak()).to.be.at.most(4);
  });

  it('are looked at closely enough to find a wrong one', async () => {
    const { fleet, redis } = fixture;
    await fleet.join('ours', { maxConcurrent: 4 });
    const base = `b_${redis.id()}`;
    await redis.admin.hset(`${base}_settings`, 'running', '0.0');
    await redis.admin.zadd(`${base}_client_running`, 1, 'stranger');
    const auditor = new Auditor(redis.admin, redis.id());
    await eventually(() => auditor.looks > 0);
    await auditor.stop();
    expect([...auditor.wrong].join())
      .to.match(/running is no integer/)
      .and.to.match(/without num_queued: stranger/);
  });
});
