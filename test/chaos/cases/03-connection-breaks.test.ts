import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { expectClean, repeatFault, runCase } from './case';

describe('case 3: the connection breaks', function () {
  this.timeout(180_000);

  for (const [fault, times] of [
    ['cut', 8],
    ['half-close', 8],
    ['drop-reply', 8],
    ['delay', 3],
    ['throttle', 3],
    ['refuse', 4],
    ['freeze', 4],
    ['kill-connections', 6],
    ['pause-redis', 3],
  ] as const) {
    it(`${fault}: no job runs twice, none is lost, work resumes by itself`, async () => {
      const { verdict, history } = await runCase({}, (fleet) => repeatFault(fleet, fault, times));
      expectClean(verdict);
      expect(history.faults.length).to.be.greaterThan(0);
    });
  }

  it('error events tell of a Redis that cannot be reached', async () => {
    const { history } = await runCase({ workers: 1 }, async (fleet) => {
      const [member] = fleet.living;
      await fleet.noted('refuse', member, async () => {
        member!.proxy!.refuse();
        await sleep(700);
        member!.proxy!.accept();
      });
    });
    const { from } = history.faults[0]!;
    expect(history.errors.filter(({ t }) => t >= from)).not.to.have.length(0);
  });
});
