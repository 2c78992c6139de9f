import { expect } from 'chai';
import { knownDifferences } from '../known-differences';
import { ruleIds } from './classify';

/** The fuzz itself runs as a program of its own, `npm run fuzz`; see scripts/test-parts.mjs. */
describe('Differential fuzz', () => {
  it('explains divergences by nothing but known differences', () => {
    const known = knownDifferences.map((difference) => difference.id);
    expect(ruleIds().filter((id) => !known.includes(id))).to.deep.equal([]);
  });
});
