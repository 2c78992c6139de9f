import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { expectClean, runCase } from './case';

describe('case 11: ordinary endings', function () {
  this.timeout(180_000);

  it('SIGTERM in the middle: running jobs finish, the waiting are withdrawn, the process ends by itself', async () => {
    const { history, verdict } = await runCase({}, async (fleet) => {
      await sleep(500);
      const [member] = fleet.living;
      member!.gone = true;
      member!.process.signal('SIGTERM');
      const exit = await Promise.race([member!.process.exited, sleep(10_000, undefined)]);
      expect(exit).to.deep.equal({ code: 0, signal: null });
      await sleep(500);
    });
    expectClean(verdict);
    const left = [...history.jobs.values()].filter(({ worker }) => worker.name === 'w1');
    const withdrawn = left.filter(({ settlements }) => /stopped/.test(settlements[0]?.error?.message ?? ''));
    expect(withdrawn).not.to.have.length(0);
    const cutOff = left.filter(({ executions }) => executions.some(({ end }) => end === undefined));
    expect(cutOff).to.deep.equal([]);
  });

  it('half the fleet leaves and comes back under load', async () => {
    const { history, verdict } = await runCase({ workers: 6 }, async (fleet) => {
      for (let i = 0; i < 2; i++) {
        await sleep(500);
        const half = fleet.living.slice(0, 3);
        const ended = await Promise.all(half.map((member) => fleet.dismiss(member)));
        expect(ended).to.deep.equal([true, true, true]);
        await sleep(500);
        await fleet.addMany([10 * i + 11, 10 * i + 12, 10 * i + 13]);
      }
      await sleep(500);
    });
    expectClean(verdict);
    expect(history.workers.size).to.equal(12);
  });
});
