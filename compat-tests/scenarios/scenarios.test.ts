import { expect } from 'chai';
import { ours, upstream } from '../harness/subjects';
import { differences } from '../harness/trace';
import { knownDifferences } from '../known-differences';
import { scenarios } from './all';
import { perform } from './perform';
import { redisScenarios } from './redis/all';
import { verdictOf } from './verdicts';

const everyScenario = [...scenarios, ...redisScenarios];

describe('Scenarios on Bottleneck and on ours', () => {
  for (const scenario of scenarios) {
    const verdict = verdictOf(scenario.difference);
    const differs = verdict === 'fixed' || verdict === 'by design';

    it(`${scenario.id}: ${scenario.title}`, async () => {
      const actual = await perform(scenario, ours());
      scenario.holds(actual.result);
      const expected = await perform(scenario, upstream());
      if (differs) {
        expect(() => scenario.holds(expected.result), 'Bottleneck was expected to break this promise').to.throw();
        return;
      }
      scenario.holds(expected.result);
      expect(differences(expected.trace, actual.trace)).to.deep.equal([]);
    });
  }
});

describe('The scenarios', () => {
  it('have each id once', () => {
    const ids = everyScenario.map((scenario) => scenario.id);
    expect(ids).to.deep.equal([...new Set(ids)]);
  });
});

describe('The list of known differences', () => {
  it('has each id once', () => {
    const ids = knownDifferences.map((difference) => difference.id);
    expect(ids).to.deep.equal([...new Set(ids)]);
  });

  for (const difference of knownDifferences) {
    it(`shows both sides of ${difference.id} in its scenarios, and in no other`, () => {
      const using = everyScenario.filter((scenario) => scenario.difference === difference.id);
      expect(using.map((scenario) => scenario.id)).to.have.members(difference.scenarios).and.not.be.empty;
    });
  }

  it('knows every difference that a scenario names', () => {
    const named = everyScenario.flatMap((scenario) => scenario.difference ?? []);
    expect(named.filter((id) => verdictOf(id) === undefined)).to.deep.equal([]);
  });
});
