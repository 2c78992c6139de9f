import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Fleet, Member } from '../fleet';
import { CLIENT_TIMEOUT, expectClean, runCase, startsOf } from './case';

const SILENCES: Record<string, (fleet: Fleet, member: Member, ms: number) => Promise<void>> = {
  pause: (fleet, member, ms) =>
    fleet.noted('pause', member, async () => {
      member.process.pause();
      await sleep(ms);
      member.process.resume();
    }),
  block: (fleet, member, ms) =>
    fleet.noted('block', member, async () => {
      member.process.send({ type: 'block', ms });
      await sleep(ms);
    }),
};

describe('case 2: a process pauses', function () {
  this.timeout(180_000);

  for (const [name, silence] of Object.entries(SILENCES)) {
    it(`${name} for less than clientTimeout: nothing is lost, nothing exceeds the limits`, async () => {
      const { verdict } = await runCase({}, async (fleet) => {
        for (const member of fleet.living) await silence(fleet, member, CLIENT_TIMEOUT / 2);
      });
      expectClean(verdict);
    });

    it(`${name} for longer: it finds out, its tickets go back, every promise settles`, async () => {
      const { history, verdict } = await runCase({}, async (fleet) => {
        await sleep(500);
        await silence(fleet, fleet.living[0]!, 2 * CLIENT_TIMEOUT);
        await sleep(1000);
      });
      expectClean(verdict);
      const { until } = history.faults.find(({ kind }) => kind === name)!;
      expect(startsOf(history, 'w1').some((start) => start > until)).to.equal(true);
      const waiting = [...history.jobs.values()].filter(
        ({ worker, queued, executions }) =>
          worker.name === 'w1' && queued! < until && (executions[0]?.start ?? 0) > until,
      );
      expect(waiting, 'tickets from before that ran afterwards').not.to.have.length(0);
    });

    it(`${name} over and over, under minTime`, async () => {
      const { verdict } = await runCase({ options: { minTime: 20 } }, async (fleet) => {
        for (let i = 0; i < 3; i++) {
          for (const member of fleet.living) await silence(fleet, member, i === 1 ? 1.5 * CLIENT_TIMEOUT : 200);
        }
      });
      expectClean(verdict);
    });
  }
});
