/** The figures of the README are those of docs/PERFORMANCE.md: both are written by bench/report.mjs, from one record. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const ROOT = join(__dirname, '../..');
const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

function part(page: string, name: string): string {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const found = text.split(`<!-- ${name}:begin -->`)[1]?.split(`<!-- ${name}:end -->`)[0];
  if (found === undefined) throw new Error(`${page} has no part ${name}`);
  return found.trim();
}

describe('figures of the README', () => {
  const all = part('docs/PERFORMANCE.md', 'bench');
  const summary = part('README.md', 'bench:summary').split('\n');
  const [head, , ...rows] = summary.filter((line) => line.startsWith('|')).map(cellsOf);

  it('name the machine and the rounds of the record', () => {
    expect(summary.at(-1)).to.equal(all.split('\n')[0]);
  });

  it('are there', () => {
    expect(head).to.deep.equal(['jobs a second', 'rebottle', 'Bottleneck', 'others']);
    expect(rows).to.have.length.of.at.least(2);
  });

  for (const [title, rebottle, bottleneck, others] of rows) {
    it(`of "${title}" are those of the record`, () => {
      const [names, , figures] = all.split(`\n${title}:\n\n`)[1]!.split('\n').map(cellsOf);
      expect(figures![0]).to.match(/^jobsPerSecond/);
      const values = Object.fromEntries(names!.map((name, index) => [name, figures![index]!]).slice(1));
      // A floor is no library that anybody could use.
      const { rebottle: ours, bottleneck: theirs, 'bare-redis': _, ...rest } = values;
      const inWords = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
      expect([rebottle, bottleneck, others]).to.deep.equal([ours, theirs, inWords.join(', ')]);
    });
  }
});
