import { expect } from 'chai';
import { ours, upstream } from '../harness/subjects';
import { differences } from '../harness/trace';
import { knownDifferences } from '../known-differences';
import { scenarios } from './all';
import { perform } from './perform';

const verdicts = new Map(knownDifferences.map((difference) => [difference.id, difference.verdict]));

describe('Scenarios on Bottleneck and on ours', () => {
  for (const scenario of scenarios) {
    const verdict = scenario.difference === undefined ? undefined : verdicts.get(scenario.difference);
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

describe('The list of known differences', () => {
  it('has each id once', () => {
    expect(knownDifferences.map((difference) => difference.id)).to.deep.equal([...verdicts.keys()]);
  });

  for (const difference of knownDifferences) {
    it(`shows both sides of ${difference.id} in its scenarios, and in no other`, () => {
      const using = scenarios
        .filter((scenario) => scenario.difference === difference.id)
        .map((scenario) => scenario.id);
      expect(using).to.have.members(difference.scenarios).and.not.be.empty;
    });
  }

  it('knows every difference that a scenario names', () => {
    const named = scenarios.flatMap((scenario) => scenario.difference ?? []);
    expect(named.filter((id) => !verdicts.has(id))).to.deep.equal([]);
  });
});
