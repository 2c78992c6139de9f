import { expect } from 'chai';
import { eventually } from '../../test/support/eventually';
import type { Kind } from './protocol';
import { useFleet } from './use-fleet';

const BOTH: ReadonlyArray<[Kind, Kind]> = [
  ['real', 'ours'],
  ['ours', 'real'],
];
const PACKAGE = { real: 'Bottleneck', ours: 'rebottle' };

describe('Groups in a mixed fleet', () => {
  const fixture = useFleet();

  it('share the limits of each key, and see the same keys', async function () {
    this.timeout(60_000);
    const { fleet } = fixture;
    const real = await fleet.joinGroup('real', { maxConcurrent: 2 });
    const ours = await fleet.joinGroup('ours', { maxConcurrent: 2 });
    await Promise.all(fleet.members.map((member) => member.run(40, 10, { key: 'a' })));
    await fleet.finished();
    expect(fleet.log.runs).to.have.length(80);
    expect(fleet.log.peak()).to.equal(2);
    await real.run(1, 1, { key: 'b' });
    await ours.run(1, 1, { key: 'c_d:e' });
    await fleet.finished();
    for (const member of fleet.members) {
      const keys = (await member.do({ do: 'callGroup', method: 'clusterKeys', args: [] })) as string[];
      expect(keys.sort(), member.name).to.deep.equal(['a', 'b', 'c_d:e']);
    }
  });

  for (const [by, other] of BOTH) {
    it(`${PACKAGE[by]} deletes a key, and the key works again`, async function () {
      this.timeout(60_000);
      const { fleet, redis } = fixture;
      const deleting = await fleet.joinGroup(by, { maxConcurrent: 2 });
      const using = await fleet.joinGroup(other, { maxConcurrent: 2 });
      await Promise.all(fleet.members.map((member) => member.run(10, 10, { key: 'a' })));
      await fleet.finished();
      expect(await deleting.do({ do: 'callGroup', method: 'deleteKey', args: ['a'] })).to.equal(true);
      expect(await redis.admin.exists(`b_${redis.id()}-a_settings`)).to.equal(0);
      for (const member of fleet.members) {
        expect(await member.do({ do: 'callGroup', method: 'clusterKeys', args: [] })).to.deep.equal([]);
      }
      // Ours first: a Bottleneck process that still has the key finds no settings, and only ours can mend that.
      for (const member of [...fleet.ours, ...fleet.real]) {
        await member.run(10, 10, { key: 'a' });
        await member.finished();
        expect(member.failures, member.name).to.deep.equal([]);
      }
      expect(fleet.log.runs).to.have.length(40);
      expect(fleet.log.peak()).to.be.at.most(2);
      expect(await using.do({ do: 'callKey', key: 'a', method: 'running', args: [] })).to.equal(0);
    });
  }

  it('keys lapse after the timeout of both, whoever used them last', async function () {
    this.timeout(60_000);
    const { fleet, redis } = fixture;
    await fleet.joinGroup('real', { maxConcurrent: 2, timeout: 1500 });
    await fleet.joinGroup('ours', { maxConcurrent: 2, timeout: 1500 });
    await Promise.all(fleet.members.map((member) => member.run(10, 10, { key: 'a' })));
    await fleet.finished();
    const withoutEnd = async () => {
      const keys = await redis.admin.keys('*');
      const ttls = await Promise.all(keys.map((key) => redis.admin.pttl(key)));
      return keys.filter((_, i) => ttls[i] === -1);
    };
    expect(await withoutEnd()).to.deep.equal([]);
    await eventually(async () => (await redis.admin.keys('*')).length === 0, { within: 10_000, every: 100 });
  });
});
