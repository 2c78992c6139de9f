/**
 * npm run soak -- [--minutes N] [--workers N] [--under lib|dist|PATH]
 *
 * Constant load without faults. Heap, Redis memory and connections must be no higher at the end than after the first
 * tenth of the time, beyond a small allowance; the figures are printed.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { nextMessage } from '../support/worker-process';
import { Fleet } from './fleet';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    workers: { type: 'string', default: '3' },
    under: { type: 'string', default: 'lib' },
  },
});

const SAMPLES = 60;
/** A heap's lowest point in a tenth of the run still wanders a little. */
const ALLOWED_GROWTH = 1.15;

interface Sample {
  heap: number;
  redis: number;
  connections: number;
  jobs: number;
}

async function sample(fleet: Fleet): Promise<Sample> {
  const answers = await Promise.all(
    fleet.living.map(({ process }) => {
      const answer = nextMessage(process, 'memory');
      process.send({ type: 'memory' });
      return answer;
    }),
  );
  const client = fleet.server!.client();
  const info = await client.info();
  client.disconnect();
  const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);
  return {
    heap: Math.max(...answers.map(({ heap }) => Number(heap))),
    redis: field('used_memory'),
    connections: field('connected_clients'),
    jobs: answers.reduce((sum, { jobs }) => sum + Number(jobs), 0),
  };
}

function lowest(samples: Sample[], what: 'heap' | 'redis' | 'connections'): number {
  return Math.min(...samples.map((one) => one[what]));
}

async function main(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rebottle-soak-'));
  const fleet = await Fleet.start({
    folder,
    under: values.under!,
    client: 'ioredis',
    options: { id: 'soak', datastore: 'ioredis', maxConcurrent: 10, minTime: 1 },
    workload: {
      backlog: 30,
      jobs: 1e12,
      priorities: [1, 5, 9],
      weight: [1, 2],
      duration: [1, 20],
      failures: 0.02,
      retries: 0.5,
      expirations: 0.1,
    },
  });
  try {
    const seeds = Array.from({ length: Number(values.workers) }, (_, i) => i + 1);
    // A log of so many jobs would fill the disk.
    await fleet.addMany(seeds, { logFile: os.devNull });
    const samples: Sample[] = [];
    for (let i = 0; i < SAMPLES; i++) {
      await sleep((Number(values.minutes) * 60_000) / SAMPLES);
      samples.push(await sample(fleet));
    }
    const tenth = SAMPLES / 10;
    const before = samples.slice(tenth, 2 * tenth);
    const after = samples.slice(-tenth);
    console.log(`${samples.at(-1)!.jobs} jobs in ${values.minutes} minutes`);
    for (const what of ['heap', 'redis', 'connections'] as const) {
      const [from, to] = [lowest(before, what), lowest(after, what)];
      const grew = to > from * ALLOWED_GROWTH;
      if (grew) process.exitCode = 1;
      console.log(`${what.padEnd(12)} ${from} at first, ${to} at the end${grew ? '  GREW' : ''}`);
    }
    await fleet.drain(20_000);
    await fleet.close();
  } finally {
    await fleet.stop();
    fs.rmSync(folder, { recursive: true });
  }
}

void main();
