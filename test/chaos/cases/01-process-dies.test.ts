import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { CLIENT_TIMEOUT, expectClean, HEARTBEAT, runCase, startsOf } from './case';

describe('case 1: a process dies', function () {
  this.timeout(180_000);

  for (const expirations of [0, 0.5]) {
    it(`the others go on within the limits (${expirations ? 'with' : 'without'} expirations)`, async () => {
      const { verdict } = await runCase({ workload: { expirations } }, async (fleet) => {
        for (let i = 0; i < 3; i++) {
          await sleep(700);
          await fleet.kill(fleet.living[0]!);
          await fleet.addMany([100 + i]);
        }
        await sleep(CLIENT_TIMEOUT + HEARTBEAT);
      });
      expectClean(verdict);
    });
  }

  it('its slots return within clientTimeout plus a heartbeat, and its queued tickets neither start nor block', async () => {
    // The first worker holds every slot with jobs that do not end, and has more waiting at the best priority.
    const hog = {
      workload: { ...BASE, seed: 1, backlog: 30, priorities: [0], duration: [60_000, 60_000] as [number, number] },
    };
    const { history, verdict } = await runCase({ workers: 0 }, async (fleet) => {
      const [holder] = await fleet.addMany([1], hog);
      await sleep(300);
      await fleet.addMany([2]);
      await sleep(500);
      await fleet.kill(holder!);
      await sleep(CLIENT_TIMEOUT + HEARTBEAT + 1500);
    });
    expectClean(verdict);
    const killed = history.workers.get('w1')!.killed!;
    expect(startsOf(history, 'w1')).to.have.length(4);
    const first = startsOf(history, 'w2')[0]!;
    expect(first).to.be.greaterThan(killed);
    expect(first - killed).to.be.lessThan(CLIENT_TIMEOUT + HEARTBEAT + 300);
  });

  it('the reservoir is not given twice', async () => {
    const { history } = await runCase({ options: { reservoir: 40 }, workload: BASE, drains: false }, async (fleet) => {
      await sleep(250);
      await fleet.kill(fleet.living[0]!);
      await sleep(CLIENT_TIMEOUT + 2 * HEARTBEAT + 1000);
    });
    const starts = ['w1', 'w2', 'w3'].flatMap((worker) => startsOf(history, worker));
    // What the dead process was given and had not begun is gone.
    expect(starts.length).to.be.within(30, 40);
  });
});

const BASE = {
  backlog: 15,
  jobs: 1_000_000,
  priorities: [1, 5],
  weight: [1, 1] as [number, number],
  duration: [5, 30] as [number, number],
  failures: 0,
  retries: 0,
  expirations: 0,
};
