import { expect } from 'chai';
import { ours, upstream } from '../harness/subjects';
import { knownDifferences } from '../known-differences';
import { ruleIds } from './classify';
import { compare } from './compare';
import { fuzz, report } from './fuzz';
import { keptScenarios } from './kept';

/** Enough to meet every option many times within half a minute; `npm run fuzz` compares as many as you like. */
const SCENARIOS = 500;
const SEED = 1;

describe('Differential fuzz', () => {
  for (const scenario of keptScenarios()) {
    it(`agrees on the kept scenario of seed ${scenario.seed}`, async () => {
      const comparison = await compare(scenario, upstream(), ours());
      expect(comparison.outcome, JSON.stringify(comparison)).to.not.equal('diverges');
    });
  }

  it(`finds no unknown divergence in ${SCENARIOS} random scenarios`, async () => {
    const tally = await fuzz({ scenarios: SCENARIOS, seed: SEED, upstream: upstream(), ours: ours() });
    expect(tally.divergences, report(tally)).to.be.empty;
  });

  it('finds nothing between Bottleneck and itself', async () => {
    const tally = await fuzz({ scenarios: 100, seed: SEED, upstream: upstream(), ours: upstream() });
    expect(tally.equal).to.equal(100);
  });

  it('explains divergences by nothing but known differences', () => {
    const known = knownDifferences.map((difference) => difference.id);
    expect(ruleIds().filter((id) => !known.includes(id))).to.deep.equal([]);
  });
});
