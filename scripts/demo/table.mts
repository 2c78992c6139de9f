import Table from 'cli-table3';
import { doneBySurvivors, type FleetResult, urgentRanks } from './fleet.mjs';
import { JITTER_ALLOWANCE, MAX_CONCURRENT, MIN_TIME } from './strict-server.mjs';

type Row = [title: string, format: (result: FleetResult) => string];

const ROWS: Row[] = [
  ['requests done', ({ record }) => `${record.finished}`],
  [
    '- of the workers that lived',
    (r) => `${doneBySurvivors(r.record)} of ${r.survivorsJobs}${r.stuck ? ', stuck' : ''}`,
  ],
  [`violations: over ${MAX_CONCURRENT} at a time`, ({ record }) => `${record.tooMany} (peak ${record.peak})`],
  [
    `violations: under ${MIN_TIME} ms apart *`,
    ({ record }) => `${record.tooEarly} (shortest ${record.shortestGap.toFixed(1)} ms)`,
  ],
  ['slots lost to the killed worker', ({ slotsLost }) => `${slotsLost}`],
  ['mean rank of the urgent jobs', ({ record }) => meanRank(urgentRanks(record))],
  ['Redis commands a job', ({ commands, record }) => perJob(commands.sent + commands.inScripts, record.finished)],
  ['Redis round trips a job', ({ commands, record }) => perJob(commands.sent, record.finished)],
  ['seconds to the last request', ({ seconds }) => seconds.toFixed(1)],
];

function meanRank(ranks: number[]): string {
  const mean = ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
  return `${mean.toFixed(1)} (${ranks.length} jobs, at best ${((ranks.length + 1) / 2).toFixed(1)})`;
}

function perJob(count: number, jobs: number): string {
  return (count / jobs).toFixed(1);
}

/** One column for each package, one row for each figure. */
export function renderTable(results: FleetResult[]): string {
  const table = new Table({ head: ['', ...results.map(({ label }) => label)], style: { head: [], border: [] } });
  for (const [title, format] of ROWS) table.push([title, ...results.map(format)]);
  const note = `* ${JITTER_ALLOWANCE} ms are allowed for the jitter of timers and of the way from worker to server.`;
  const errors = results.flatMap(({ label, errors }) => [...errors].map(([text, n]) => `${label}: ${n} x ${text}`));
  return [table.toString(), note, ...errors].join('\n');
}
