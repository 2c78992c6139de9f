import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { linesWithoutPromise, readmePromises } from '../readme-promises';
import { surface, testedElsewhere } from '../surface';
import { scenarios } from './all';
import { redisScenarios } from './redis/all';

const everyScenario = [...scenarios, ...redisScenarios];
const ids = new Set(everyScenario.map((scenario) => scenario.id));
const covered = new Set(everyScenario.flatMap((scenario) => scenario.covers));
/** Headings over nothing that is promised here. */
const WITHOUT_PROMISES = ['Step 1 of 3', 'Step 2 of 3', 'Step 3 of 3', 'Docs', 'Contributing'];
const root = join(__dirname, '../..');
const readme = readFileSync(require.resolve('bottleneck/README.md'), 'utf8');

/** Numbers of the lines that say something: no code, headings, lists of links or heads of tables. */
function proseOf(markdown: string): number[] {
  let isCode = false;
  return markdown.split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) isCode = !isCode;
    const isProse = !isCode && !/^(```|#|\[|<!--|\| Option |\|--| *[-*] \[)/.test(line) && line.trim() !== '';
    return isProse ? [index + 1] : [];
  });
}

describe('What the scenarios cover', () => {
  for (const [kind, names] of Object.entries(surface)) {
    it(`has in it ${kind}`, () => {
      expect(names).to.not.be.empty;
      expect(names.filter((name) => !covered.has(name) && !(name in testedElsewhere))).to.deep.equal([]);
    });
  }

  it('exists', () => {
    const known = ['constructor', ...Object.values(surface).flat()];
    expect([...covered].filter((name) => !known.includes(name))).to.deep.equal([]);
  });

  it('leaves to other tests what these are about', () => {
    const isIn = (file: string, name: string): boolean =>
      existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8').includes(name.replace('()', ''));
    expect(Object.entries(testedElsewhere).filter(([name, file]) => !isIn(file, name))).to.deep.equal([]);
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

  it('come from every line of it', () => {
    const told = [...readmePromises.flatMap(({ lines }) => lines), ...linesWithoutPromise];
    expect(proseOf(readme).filter((line) => !told.includes(line))).to.deep.equal([]);
    expect(told.filter((line) => !proseOf(readme).includes(line))).to.deep.equal([]);
  });

  it('come from every section of it', () => {
    const sections = [...readme.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading]) => heading as string);
    const told = new Set(readmePromises.map(({ section }) => section));
    expect(sections.filter((section) => !told.has(section) && !WITHOUT_PROMISES.includes(section))).to.deep.equal([]);
    const headings = [...readme.matchAll(/^#{2,4} (.+)$/gm)].map(([, heading]) => heading);
    expect([...told].filter((section) => !headings.includes(section))).to.deep.equal([]);
  });
});
