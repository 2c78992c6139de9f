// Puts what `npm run bench -- --json FILE` measured into a Markdown document: node report.mjs DOCUMENT.md FILE ...
// The tables stand between the comments `<!-- bench:begin -->` and `<!-- bench:end -->` of the document; between
// `<!-- bench:summary:begin -->` and `<!-- bench:summary:end -->` jobs a second alone. A document has either or both.
import { readFile, writeFile } from 'node:fs/promises';
import { readReport } from './harness/report.mjs';
import { formatNumber } from './harness/table.mjs';

const FIGURE = 'jobsPerSecond';
/** Floors, not libraries: for those who read the targets. */
const FLOORS = new Set(['bare-redis', 'commands-alone']);

const row = (cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

function bound({ atLeast, atMost }) {
  if (atLeast !== undefined) return `≥ ${formatNumber(atLeast)}`;
  return atMost === undefined ? '' : `≤ ${formatNumber(atMost)}`;
}

function outcome({ met }) {
  if (met === undefined) return '';
  return met ? 'met' : '**missed**';
}

function targets({ verdicts }) {
  return verdicts.map((one) => [
    one.benchmark,
    one.versus ? `${one.figure} / ${one.versus}` : one.figure,
    formatNumber(one.median),
    `${formatNumber(one.min)} … ${formatNumber(one.max)}`,
    bound(one),
    outcome(one),
  ]);
}

function figures({ name, figures: units, summary }) {
  const libraries = Object.keys(summary);
  const rows = Object.entries(units).map(([figure, unit]) => [
    `${figure} (${unit})`,
    ...libraries.map((library) => (summary[library][figure] ? formatNumber(summary[library][figure].median) : '')),
  ]);
  return table([name, ...libraries], rows);
}

/** Jobs a second, a line for each benchmark that has them. */
function summary(report) {
  const value = (figures) => (figures?.[FIGURE] ? formatNumber(figures[FIGURE].median) : '');
  const rows = report.benchmarks
    .filter(({ figures }) => FIGURE in figures)
    .map(({ title, summary: { rebottle, bottleneck, ...rest } }) => [
      title,
      value(rebottle),
      value(bottleneck),
      Object.entries(rest)
        .filter(([name]) => !FLOORS.has(name))
        .map(([name, figures]) => `${name} ${value(figures)}`)
        .join(', '),
    ]);
  return [
    table(['jobs a second', 'rebottle', 'Bottleneck', 'others'], rows),
    `${report.machine.text}; medians of up to ${report.rounds} interleaved rounds.`,
  ].join('\n\n');
}

function tables(report) {
  const head = ['benchmark', 'figure', 'median', 'rounds', 'target', ''];
  return [
    `${report.machine.text}; medians of up to ${report.rounds} interleaved rounds.`,
    '### Against the targets',
    table(head, report.benchmarks.flatMap(targets)),
    '### Every figure',
    ...report.benchmarks.flatMap((benchmark) => [`${benchmark.title}:`, figures(benchmark)]),
  ].join('\n\n');
}

const [output, ...files] = process.argv.slice(2);
if (files.length === 0)
  throw new Error('usage: node report.mjs DOCUMENT.md FILE ..., FILE as written by npm run bench');
const report = await readReport(files);
let document = await readFile(output, 'utf8');
let written = 0;
for (const [name, make] of Object.entries({ bench: tables, 'bench:summary': summary })) {
  const begin = `<!-- ${name}:begin -->`;
  const [before, rest] = document.split(begin);
  const after = rest?.split(`<!-- ${name}:end -->`)[1];
  if (after === undefined) continue;
  document = `${before}${begin}\n${make(report)}\n<!-- ${name}:end -->${after}`;
  written++;
}
if (written === 0) throw new Error(`${output} has no place for tables: <!-- bench:begin --> and <!-- bench:end -->`);
await writeFile(output, document);
console.log(`the tables of ${output} were written from ${files.join(', ')}`);
