import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { SentinelSetup } from '../../support/sentinel';
import { executionsOf } from '../history';
import { expectClean, runCase } from './case';

describe('case 6: failover with Sentinels', function () {
  this.timeout(120_000);
  let setup: SentinelSetup;

  beforeEach(async () => {
    setup = await SentinelSetup.start();
  });

  afterEach(() => setup.stop());

  it('the primary is killed, a replica promoted: everything runs exactly once, and work resumes by itself', async () => {
    const { verdict, history } = await runCase(
      { connection: { clientOptions: setup.clientOptions } },
      async (fleet) => {
        await sleep(1000);
        await fleet.noted('failover', undefined, () => setup.failover());
        await sleep(3000);
      },
    );
    expectClean(verdict);
    const { from, until } = history.faults[0]!;
    const starts = executionsOf(history).map(({ start }) => start);
    const resumed = starts.find((start) => start > until);
    expect(resumed, 'a start after the promotion').to.be.a('number');
    // Measured: the pause is the Sentinels' time to decide, and the client's to reconnect.
    console.log(
      `      failover took ${(until - from).toFixed(0)} ms; the next start came ${(resumed! - until).toFixed(0)} ms after it`,
    );
    expect(resumed! - until).to.be.lessThan(5000);
  });

  it('writes that the replica never got are lost: the same', async () => {
    const { verdict } = await runCase({ connection: { clientOptions: setup.clientOptions } }, async (fleet) => {
      await sleep(500);
      const [replica] = setup.servers.filter((server) => server !== setup.servers[0]);
      await fleet.noted('failover', undefined, async () => {
        // The replica stands still: the primary goes on without it, and dies.
        replica!.pause();
        await sleep(300);
        await setup.servers[0]!.kill();
        replica!.resume();
        await setup.failover({ alreadyDead: true });
      });
      await sleep(3000);
    });
    expectClean(verdict);
  });
});
