/**
 * npm run chaos -- [--minutes N] [--seed S] [--rounds N] [--length SECONDS] [--under lib|dist|bottleneck|PATH]
 *                  [--client MODULE] [--faults a,b] [--folder DIR] [--keep]
 *
 * Round after round of random faults; each has a seed of its own, which runs that round again: `--seed S --rounds 1`.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from './random';
import { type RoundResult, runRound } from './round';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    rounds: { type: 'string' },
    length: { type: 'string', default: '20' },
    under: { type: 'string', default: 'lib' },
    client: { type: 'string' },
    faults: { type: 'string' },
    folder: { type: 'string' },
    keep: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const folder = values.folder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'rebottle-chaos-'));
const end = performance.now() + Number(values.minutes) * 60_000;
const totals = { rounds: 0, jobs: 0, executions: 0, kills: 0, violations: 0, tolerated: 0 };
const kinds: Record<string, number> = {};
const broken: Record<string, number> = {};

function add(into: Record<string, number>, name: string, count = 1): void {
  into[name] = (into[name] ?? 0) + count;
}

function table(counts: Record<string, number>): string {
  return Object.entries(counts)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

/** The three commonest error texts; numbers in them do not tell them apart. */
function commonest(messages: string[]): Array<[string, number]> {
  const counts: Record<string, number> = {};
  for (const message of messages) add(counts, message.replace(/[0-9]+/g, 'N'));
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3);
}

function report({ seed, plan, history, verdict, faults, stuck }: RoundResult, logs: string): void {
  const executions = [...history.jobs.values()].reduce((sum, job) => sum + job.executions.length, 0);
  totals.rounds += 1;
  totals.jobs += history.jobs.size;
  totals.executions += executions;
  totals.violations += verdict.violations.length;
  totals.tolerated += verdict.tolerated.length;
  for (const [name, count] of Object.entries(faults)) add(kinds, name, count);
  for (const { invariant } of verdict.violations) add(broken, invariant);

  const { maxConcurrent, minTime, reservoir } = plan.rules;
  const limits = `max ${maxConcurrent}, minTime ${minTime}, reservoir ${reservoir ? `${reservoir.amount}/${reservoir.interval}` : '-'}`;
  console.log(
    `seed ${seed}: ${limits}, ${plan.options.dispatch ?? 'default'}, ${plan.storage}, ${plan.workers} workers; ${history.jobs.size} jobs, ` +
      `${history.errors.length} error events; violations ${verdict.violations.length}, tolerated ${verdict.tolerated.length}`,
  );
  console.log(`  faults: ${table(faults)}`);
  for (const [message, count] of commonest(history.errors.map((error) => error.message))) {
    console.log(`  error event, ${count} times: ${message.slice(0, 200)}`);
  }
  const shown = values.verbose ? verdict.violations : verdict.violations.slice(0, 10);
  for (const { invariant, t, what } of shown) console.log(`  VIOLATION ${invariant} at ${t.toFixed(0)}: ${what}`);
  if (shown.length < verdict.violations.length)
    console.log(`  ... and ${verdict.violations.length - shown.length} more`);
  if (stuck) console.log(`  stuck: ${JSON.stringify(stuck).slice(0, 3000)}`);
  if (values.verbose) {
    for (const { after, invariant, what } of verdict.tolerated)
      console.log(`  tolerated after ${after}: ${invariant}: ${what}`);
  }
  fs.writeFileSync(path.join(logs, 'verdict.json'), JSON.stringify({ seed, plan, faults, stuck, verdict }, null, 1));
}

async function main(): Promise<void> {
  const client = values.client ?? (values.under === 'bottleneck' ? 'ioredis4' : 'ioredis');
  console.log(`chaos: seed ${seed}, package ${values.under}, client ${client}, logs in ${folder}`);
  const seeds = new Random(seed);
  const rounds = values.rounds === undefined ? Number.POSITIVE_INFINITY : Number(values.rounds);
  for (let round = 0; round < rounds && performance.now() < end; round++) {
    const roundSeed = round === 0 ? seed : seeds.between(1, 1e9);
    const logs = path.join(folder, `round-${roundSeed}`);
    const left = end - performance.now();
    const length = Math.min(Number(values.length) * 1000, left);
    const result = await runRound({
      seed: roundSeed,
      length,
      folder: logs,
      under: values.under!,
      client,
      faults: values.faults?.split(','),
      ...(values.verbose ? { tell: (line: string) => console.log(line) } : {}),
    });
    report(result, logs);
    if (result.verdict.violations.length === 0 && !values.keep) fs.rmSync(logs, { recursive: true });
  }
  console.log(`\nfaults injected: ${table(kinds)}`);
  console.log(`violations by invariant: ${table(broken) || 'none'}`);
  const { rounds: done, jobs, executions, violations, tolerated } = totals;
  console.log(
    `${done} rounds, ${jobs} jobs, ${executions} executions, ${violations} violations, ${tolerated} tolerated`,
  );
  process.exitCode = violations > 0 ? 1 : 0;
}

void main();
