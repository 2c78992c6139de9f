// Writes what `npm run bench -- --json FILE` measured as Markdown tables: node report.mjs FILE
import { readFile } from 'node:fs/promises';
import { formatNumber } from './harness/table.mjs';

const [input] = process.argv.slice(2);
if (!input) throw new Error('usage: node report.mjs FILE, as written by npm run bench -- --json FILE');
const report = JSON.parse(await readFile(input, 'utf8'));

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

console.log(`${report.machine.text}; medians of up to ${report.rounds} interleaved rounds\n`);
const head = ['benchmark', 'figure', 'median', 'rounds', 'target', ''];
console.log(`${table(head, report.benchmarks.flatMap(targets))}\n`);
for (const benchmark of report.benchmarks) console.log(`${benchmark.title}\n\n${figures(benchmark)}\n`);
