/**
 * Measures what docs/MIXED-FLEET.md tells: shares, wake-ups and script calls of fleets of both kinds, deaths and pauses.
 *
 *     node --require tsx/cjs compat-tests/mixed/measure.ts            everything but the pauses
 *     node --require tsx/cjs compat-tests/mixed/measure.ts pause RROO RRRR   pauses, some minutes
 */
import type { Redis } from 'ioredis';
import { eventually } from '../../test/support/eventually';
import { startRedis } from '../../test/support/redis-server';
import { Fleet, type Member } from './fleet';
import type { Log, Run } from './log';
import type { Kind } from './protocol';

interface Plan {
  name: string;
  composition: string;
  settings: object;
  jobs: number;
  ms: number;
  /** Weights, taken in turn, where they are not all 1; one list for both kinds or one for each. */
  weights?: number[] | Record<Kind, number[]>;
}

const shares: Plan[] = [1, 3, 10].flatMap((maxConcurrent) =>
  ['RO', 'RROO', 'RRRO', 'ROOO', 'RR', 'OO'].map((composition) => ({
    name: `maxConcurrent ${maxConcurrent}`,
    composition,
    settings: { maxConcurrent },
    jobs: 30 * Math.min(maxConcurrent, 5),
    ms: 10,
  })),
);
const minTimes: Plan[] = ['RO', 'RROO', 'RRRO', 'ROOO'].map((composition) => ({
  name: 'minTime 20',
  composition,
  settings: { minTime: 20 },
  jobs: 40,
  ms: 1,
}));
const weights: Plan[] = [
  { name: 'weights 0, 1, 2 of 3', weights: [0, 1, 2] },
  { name: "Bottleneck's jobs 3 of 3, ours 1", weights: { real: [3], ours: [1] } },
  { name: 'all jobs 3 of 3', weights: [3] },
].map((plan) => ({ ...plan, composition: 'RO', settings: { maxConcurrent: 3 }, jobs: 300, ms: 10 }));
const reservoir: Plan = {
  name: 'reservoir 20 every 500 ms',
  composition: 'RO',
  settings: { reservoir: 20, reservoirRefreshAmount: 20, reservoirRefreshInterval: 500 },
  jobs: 60,
  ms: 1,
};
const plans = [...shares, ...minTimes, ...weights, reservoir];

function weightsOf({ weights }: Plan, kind: Kind): number[] | undefined {
  return Array.isArray(weights) ? weights : weights?.[kind];
}

async function scriptCalls(admin: Redis): Promise<number> {
  const stats = String(await admin.info('commandstats'));
  return [...stats.matchAll(/cmdstat_evalsha?:calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);
}

/** ms from the end of a job to the next start, by the kinds of both, where one slot is handed on. */
function wakeUps(log: Log): Record<string, number[]> {
  const runs = [...log.runs].sort((a, b) => a.start - b.start);
  const found: Record<string, number[]> = {};
  runs.slice(1).forEach((run, i) => {
    const before = runs[i] as Run;
    const pair = `${before.kind} to ${run.kind}`;
    found[pair] = [...(found[pair] ?? []), run.start - before.end];
  });
  return found;
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function measure(plan: Plan): Promise<void> {
  const server = await startRedis();
  const admin = server.client();
  const fleet = new Fleet({ port: server.port, clusterNodes: null }, 'measured');
  await fleet.compose(plan.composition, plan.settings);
  const calls = await scriptCalls(admin);
  await Promise.all(
    fleet.members.map((member) => member.run(plan.jobs, plan.ms, { weights: weightsOf(plan, member.kind) })),
  );
  await fleet.finished(120_000);
  const { log } = fleet;
  const perJob = ((await scriptCalls(admin)) - calls) / log.runs.length;
  const { real, ours } = log.shares();
  const parts = [`${plan.name}, ${plan.composition}: real ${real}, ours ${ours}`];
  parts.push(`peak ${log.peak()}`, `longest gap ${log.longestGap()} ms`, `${perJob.toFixed(1)} scripts a job`);
  const errors = fleet.members.flatMap((member) => member.errors);
  if (errors.length > 0) parts.push(`errors: ${errors.join()}`);
  console.log(parts.join('; '));
  if (plan.name === 'maxConcurrent 1') {
    for (const [pair, spans] of Object.entries(wakeUps(log))) {
      console.log(`    ${pair}: median ${median(spans)} ms, most ${Math.max(...spans)} ms (${spans.length} times)`);
    }
  }
  await fleet.end();
  await server.stop();
}

/** How long a slot of a dead process stays taken: the first member dies with both, the second waits. */
async function measureDeath(name: string, kinds: [dying: Kind, waiting: Kind, ...others: Kind[]]): Promise<void> {
  const server = await startRedis();
  const fleet = new Fleet({ port: server.port, clusterNodes: null }, 'measured');
  const settings = { maxConcurrent: 2, clientTimeout: 2000, heartbeatInterval: 500 };
  for (const kind of kinds) await fleet.join(kind, settings);
  const [dying, waiting] = fleet.members as [Member, Member];
  await dying.run(2, 60_000);
  await eventually(() => fleet.log.runs.length === 2);
  await waiting.run(4, 10);
  // Long enough for leases to be renewed.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await dying.kill();
  const died = Date.now();
  await waiting.finished();
  console.log(`${name}: ${fleet.log.starts()[2]! - died} ms (clientTimeout 2000 ms, heartbeats every 500 ms)`);
  await fleet.end();
  await server.stop();
}

const PAUSES = 10;

/** What Bottleneck reports when one of its processes does not react for 3 s amid its work, again and again. */
async function measurePauses(composition: string): Promise<void> {
  const server = await startRedis();
  const seen = { errors: 0, stuck: 0, most: 0 };
  for (let round = 0; round < PAUSES; round++) {
    const fleet = new Fleet({ port: server.port, clusterNodes: null }, `paused ${round}`);
    await fleet.compose(composition, { maxConcurrent: 8, clientTimeout: 10_000, heartbeatInterval: 500 });
    await fleet.runEverywhere(80, 40);
    await eventually(() => fleet.log.runs.length >= 40);
    const paused = fleet.real[0]!;
    paused.pause();
    await new Promise((resolve) => setTimeout(resolve, 3000));
    paused.resume();
    const isStuck = await fleet.finished(10_000).then(
      () => false,
      () => true,
    );
    if (isStuck) seen.stuck++;
    const errors = fleet.members.flatMap((member) => member.errors).length;
    if (errors > 0) seen.errors++;
    seen.most = Math.max(seen.most, errors);
    await fleet.end();
  }
  console.log(
    `${composition}, a Bottleneck process paused ${PAUSES} times: ${seen.errors} times with errors, at most ${seen.most}; ${seen.stuck} times stuck`,
  );
  await server.stop();
}

async function main(): Promise<void> {
  const wanted = process.argv[2] ?? '';
  if (wanted === 'pause') for (const composition of process.argv.slice(3)) await measurePauses(composition);
  if ('death'.includes(wanted)) {
    await measureDeath('Bottleneck dies, ours wait', ['real', 'ours']);
    await measureDeath('Bottleneck dies, Bottleneck waits, one of ours is idle', ['real', 'real', 'ours']);
    await measureDeath('one of ours dies, ours wait', ['ours', 'ours', 'real']);
    await measureDeath('one of ours dies, only Bottleneck is left', ['ours', 'real']);
  }
  for (const plan of plans) if (`${plan.name}, ${plan.composition}`.includes(wanted)) await measure(plan);
}

void main();
