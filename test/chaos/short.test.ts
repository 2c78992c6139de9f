import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { runRound } from './round';

/** A few short rounds of random faults. The seed is in the test's title: `npm run chaos -- --seed S --rounds 1`. */
const ROUNDS = 3;
const LENGTH_MS = 15_000;

describe('a short run of random faults', function () {
  this.timeout(120_000);

  for (let round = 0; round < ROUNDS; round++) {
    const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 1e9)) + round;

    it(`seed ${seed}: no violation`, async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rebottle-chaos-'));
      const result = await runRound({ seed, length: LENGTH_MS, folder, under: 'lib', client: 'ioredis' });
      const { violations } = result.verdict;
      expect(
        violations.map(({ invariant, what }) => `${invariant}: ${what}`),
        `logs in ${folder}`,
      ).to.deep.equal([]);
      fs.rmSync(folder, { recursive: true });
    });
  }
});
