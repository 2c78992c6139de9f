import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { runRound } from './round';

/**
 * Short rounds of random faults, of seeds that once found something. `npm run chaos -- --seed S --rounds 1 --length 5`
 * runs one of them again, and CHAOS_SEED tries another here.
 */
const SEEDS = process.env.CHAOS_SEED ? [Number(process.env.CHAOS_SEED)] : [101, 202];
const LENGTH_MS = 5000;

describe('a short run of random faults', function () {
  this.timeout(60_000);

  for (const seed of SEEDS) {
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
