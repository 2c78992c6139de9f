import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readmePromises } from '../readme-promises';
import { surface, testedElsewhere } from '../surface';
import { scenarios } from './all';
import { redisScenarios } from './redis/all';

const everyScenario = [...scenarios, ...redisScenarios];
const ids = new Set(everyScenario.map((scenario) => scenario.id));
const covered = new Set(everyScenario.flatMap((scenario) => scenario.covers));
/** Headings over nothing that is promised here. */
const WITHOUT_PROMISES = ['Step 1 of 3', 'Step 2 of 3', 'Step 3 of 3', 'Docs', 'Contributing'];
const root = join(__dirname, '../..');

describe('What the scenarios cover', () => {
  for (const [kind, names] of Object.entries(surface)) {
    it(`has all ${kind} in it`, () => {
      expect(names.filter((name) => !covered.has(name) && !(name in testedElsewhere))).to.deep.equal([]);
    });
  }

  it('names tests that exist for the rest', () => {
    expect(Object.values(testedElsewhere).filter((file) => !existsSync(join(root, file)))).to.deep.equal([]);
  });
});

describe("The promises of Bottleneck's README", () => {
  it('each name scenarios, or a test, that exist', () => {
    const broken = readmePromises.filter(({ scenarios: named = [], test }) => {
      const all = named.every((id) => ids.has(id)) && (test === undefined || existsSync(join(root, test)));
      return !all || (named.length === 0 && test === undefined);
    });
    expect(broken).to.deep.equal([]);
  });

  it('come from every section of it', () => {
    const readme = readFileSync(require.resolve('bottleneck/README.md'), 'utf8');
    const sections = [...readme.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading]) => heading as string);
    const told = new Set(readmePromises.map(({ section }) => section));
    expect(sections.filter((section) => !told.has(section) && !WITHOUT_PROMISES.includes(section))).to.deep.equal([]);
    const headings = [...readme.matchAll(/^#{2,4} (.+)$/gm)].map(([, heading]) => heading);
    expect([...told].filter((section) => !headings.includes(section))).to.deep.equal([]);
  });
});
