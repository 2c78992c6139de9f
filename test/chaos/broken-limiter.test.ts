import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { BREAKS, type Break } from './broken-limiter';
import { Fleet } from './fleet';
import { judge, type Verdict } from './judge';
import type { Invariant, Rules } from './rules';

/** What the judge must call each fault; others may follow from it. */
const CAUGHT_AS: Record<Break, Invariant> = {
  'over-limit': 'maxConcurrent',
  'too-soon': 'minTime',
  'reservoir-twice': 'reservoir',
  'runs-twice': 'once',
  'loses-a-job': 'settled',
  'wrong-value': 'settled',
  rejects: 'settled',
  uncaught: 'settled',
  'last-come-first-served': 'order',
  'no-priorities': 'order',
  'leaks-a-slot': 'rest',
  sleeps: 'capacity',
};

const LIMITS: Partial<Record<Break, Partial<Pick<Rules, 'minTime' | 'reservoir'>>>> = {
  'too-soon': { minTime: 40 },
  'reservoir-twice': { reservoir: { amount: 10, interval: 300 } },
};

async function run(broken: Break | undefined, folder: string): Promise<Verdict> {
  const { minTime = 0, reservoir = null } = (broken && LIMITS[broken]) ?? {};
  const rules: Rules = {
    maxConcurrent: 3,
    minTime,
    reservoir,
    clientTimeout: 1500,
    heartbeatInterval: 300,
    fleetOrder: true,
    keysAllowed: /./,
  };
  const limits = reservoir && { reservoir: reservoir.amount, reservoirRefreshInterval: reservoir.interval };
  const fleet = await Fleet.start({
    folder,
    under: 'broken',
    client: undefined,
    options: { maxConcurrent: rules.maxConcurrent, minTime, ...limits, ...(broken ? { broken } : {}) },
    workload: {
      // Long enough a queue for its order to show.
      backlog: 150,
      jobs: 10_000,
      priorities: [1, 5],
      weight: [1, 1],
      duration: [1, 15],
      failures: 0,
      retries: 0,
      expirations: 0,
    },
  });
  try {
    await fleet.addMany([7]);
    await sleep(broken === 'sleeps' ? 3500 : 1200);
    if (await fleet.drain(broken === 'leaks-a-slot' || broken === 'loses-a-job' ? 500 : 15_000)) await fleet.look();
    await fleet.close();
    return judge(fleet.history(), rules);
  } finally {
    await fleet.stop();
  }
}

describe('the judge and a limiter that breaks a rule', function () {
  this.timeout(40_000);
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rebottle-broken-'));
  });

  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it('finds nothing when it breaks none', async () => {
    expect((await run(undefined, folder)).violations).to.deep.equal([]);
  });

  for (const [name, meaning] of Object.entries(BREAKS) as Array<[Break, string]>) {
    it(`catches ${meaning}`, async () => {
      const { violations } = await run(name, folder);
      expect(violations.map(({ invariant }) => invariant)).to.include(CAUGHT_AS[name]);
    });
  }
});
