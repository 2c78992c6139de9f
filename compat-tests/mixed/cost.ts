/**
 * What a fleet of ours alone pays for being able to share with Bottleneck: the same jobs with the scripts as they are and with
 * scripts that know nothing of it, in turns on one server.
 *
 *     node --require tsx/cjs compat-tests/mixed/cost.ts [batches]
 */
import type { Redis } from 'ioredis';
import Rebottle from '../../lib/index';
import { startRedis } from '../../test/support/redis-server';
import { use, withFeature, withoutFeature } from './feature-off';

const JOBS = 100;
const kinds = { with: withFeature, without: withoutFeature };

interface Spent {
  /** us of Redis CPU in scripts, a job. */
  cpu: number;
  scripts: number;
  /** ms a job, seen from here. */
  time: number;
}

async function spentOn(admin: Redis, work: () => Promise<void>): Promise<Spent> {
  await admin.call('CONFIG', 'RESETSTAT');
  const began = performance.now();
  await work();
  const time = performance.now() - began;
  const stats = String(await admin.info('commandstats'));
  const [, calls, cpu] = /cmdstat_evalsha:calls=(\d+),usec=(\d+)/.exec(stats) ?? [];
  return { cpu: Number(cpu) / JOBS, scripts: Number(calls) / JOBS, time: time / JOBS };
}

/** The value below which the given part of them lies. */
function quantile(values: number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}

async function measure(title: string, batches: number, work: (limiter: Rebottle) => Promise<unknown>): Promise<void> {
  const server = await startRedis();
  const admin = server.client();
  const clientOptions = { port: server.port };
  const limiter = new Rebottle({ id: 'alone', datastore: 'ioredis', clientOptions, maxConcurrent: 10 });
  const batch = async (): Promise<void> => {
    await work(limiter);
    // What the last jobs give back belongs to them.
    while ((await limiter.running()) > 0);
  };
  for (const scripts of Object.values(kinds)) {
    use(scripts);
    await batch();
  }
  const spent: Record<string, Spent[]> = { with: [], without: [] };
  for (let i = 0; i < batches; i++) {
    for (const [name, scripts] of Object.entries(kinds)) {
      use(scripts);
      spent[name]?.push(await spentOn(admin, batch));
    }
  }
  for (const [name, all] of Object.entries(spent)) {
    const of = (key: keyof Spent): string =>
      [0.05, 0.5]
        .map((part) =>
          quantile(
            all.map((one) => one[key]),
            part,
          ).toFixed(2),
        )
        .join(' / ');
    console.log(`${title}, ${name}: ${of('cpu')} us of Redis CPU, ${of('scripts')} scripts, ${of('time')} ms a job`);
  }
  await limiter.disconnect();
  await server.stop();
}

async function main(): Promise<void> {
  const batches = Number(process.argv[2] ?? 100);
  console.log(`5th percentile / median of ${batches} batches of ${JOBS} jobs each`);
  await measure('one job after another', batches, async (limiter) => {
    for (let i = 0; i < JOBS; i++) await limiter.schedule(async () => i);
  });
  await measure('all jobs at once', batches, (limiter) =>
    Promise.all(Array.from({ length: JOBS }, (_, i) => limiter.schedule(async () => i))),
  );
}

void main();
