/**
 * node --require tsx/cjs test/chaos/show.ts FOLDER [--around T] [--span MS] [--job ID]
 *
 * Prints a round's log around a moment, or all lines about one job; faults always. Times are relative to T.
 */
import { parseArgs } from 'node:util';
import { type Entry, readLogs } from './log';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    around: { type: 'string' },
    span: { type: 'string', default: '200' },
    job: { type: 'string', multiple: true },
  },
});

const entries = readLogs(positionals[0]!);
const t0 = Number(values.around ?? entries[0]?.t ?? 0);
const span = Number(values.span);

function isNear({ t }: Entry): boolean {
  return values.around === undefined || Math.abs(t - t0) <= span;
}

function isWanted(entry: Entry): boolean {
  if (entry.k === 'fault' || entry.k === 'kill') return values.around === undefined || Math.abs(entry.t - t0) <= 10_000;
  if (values.job) return 'job' in entry && values.job.includes(entry.job);
  return isNear(entry);
}

for (const entry of entries.filter(isWanted)) {
  const { t, by, k, ...rest } = entry;
  const fields = 'until' in rest ? { ...rest, until: (rest.until - t0).toFixed(1) } : rest;
  console.log(`${(t - t0).toFixed(1).padStart(9)} ${by.padEnd(6)} ${k.padEnd(13)} ${JSON.stringify(fields)}`);
}
