import { writeFile } from 'node:fs/promises';
import { describeMachine } from './machine.mjs';
import { readOptions } from './options.mjs';
import { profile } from './profile.mjs';
import { runRounds } from './rounds.mjs';
import { renderFigures, renderVerdicts } from './table.mjs';
import { summaries, verdicts } from './verdicts.mjs';

/**
 * Runs the benchmarks that the command line names. The exit code is 1 when one could not be measured, when a library
 * broke a limit or lost a job, or when a ratio is absurd; a missed target alone is no failure.
 */
export async function main(args) {
  const options = readOptions(args);
  if (options.text) {
    console.log(options.text);
    return 0;
  }
  if (options.profiled) {
    console.log(await profile(options.profiled, options));
    return 0;
  }
  const report = { machine: await describeMachine(), quick: options.quick, rounds: 0, benchmarks: [] };
  console.log(`${report.machine.text}\n`);
  const failures = [];
  for (const benchmark of options.chosen) {
    try {
      const one = await runOne(benchmark, options);
      report.benchmarks.push(one);
      report.rounds = Math.max(report.rounds, ...Object.values(one.rounds).map(({ length }) => length));
      // After each, so that a long run that is stopped has not been for nothing.
      if (options.json) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
    } catch (error) {
      failures.push(error.message);
      console.error(`${benchmark.name} failed: ${error.message}\n`);
    }
  }
  const rows = report.benchmarks.flatMap((one) => one.verdicts);
  if (rows.length > 0) console.log(renderVerdicts(rows));
  for (const { benchmark, figure, versus } of rows.filter(({ absurd }) => absurd)) {
    failures.push(`${benchmark}: ${figure}${versus ? ` against ${versus}` : ''} is absurd`);
  }
  for (const failure of failures) console.error(`FAILED ${failure.split('\n')[0]}`);
  return failures.length > 0 ? 1 : 0;
}

async function runOne(benchmark, options) {
  const onProgress = (text) => process.stderr.isTTY && process.stderr.write(`\r\x1b[2K${text}`);
  const rounds = await runRounds(benchmark, { ...options, onProgress });
  onProgress('');
  const summary = summaries(benchmark, rounds);
  console.log(`${renderFigures(benchmark, summary)}\n`);
  const { name, title, figures, chart } = benchmark;
  return { name, title, figures, chart, rounds, summary, verdicts: verdicts(benchmark, rounds) };
}
