// Puts what `npm run bench -- --json FILE` measured into a Markdown document: node report.mjs DOCUMENT.md FILE ...
// The tables stand between the comments `<!-- bench:begin -->` and `<!-- bench:end -->` of the document.
import { readFile, writeFile } from 'node:fs/promises';
import { readReport } from './harness/report.mjs';
import { formatNumber } from './harness/table.mjs';

const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';

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
const document = await readFile(output, 'utf8');
const begin = document.indexOf(BEGIN);
const end = document.indexOf(END);
if (begin < 0 || end < begin) throw new Error(`${output} has no ${BEGIN} before a ${END}`);
const before = document.slice(0, begin + BEGIN.length);
await writeFile(output, `${before}\n${tables(await readReport(files))}\n${document.slice(end)}`);
console.log(`the tables of ${output} were written from ${files.join(', ')}`);
