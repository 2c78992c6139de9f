/**
 * A fleet: four processes, one limit. They share it by its id on one Redis; nobody else has to know of anybody.
 *
 * REDIS_URL=redis://127.0.0.1:6379 node examples/fleet.mjs
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import Bottleneck from 'rebottle';

const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
const counter = 'example-fleet:running';

async function worker() {
  const redis = new Redis(url);
  const limiter = new Bottleneck({
    id: 'example-fleet',
    maxConcurrent: 5, // over all processes
    datastore: 'ioredis',
    clientOptions: { host: new URL(url).hostname, port: Number(new URL(url).port || 6379) },
    timeout: 60_000, // its keys go away a minute after the last job
  });
  limiter.on('error', (error) => console.error(error));

  let most = 0;
  await Promise.all(
    Array.from({ length: 25 }, () =>
      limiter.schedule(async () => {
        most = Math.max(most, await redis.incr(counter));
        await new Promise((resolve) => setTimeout(resolve, 10));
        await redis.decr(counter);
      }),
    ),
  );
  process.send?.(most);
  await limiter.disconnect();
  await redis.quit();
  process.disconnect();
}

async function parent() {
  const workers = Array.from({ length: 4 }, () => fork(fileURLToPath(import.meta.url), ['worker']));
  const seen = await Promise.all(workers.map(async (child) => Number((await once(child, 'message'))[0])));
  await Promise.all(workers.map((child) => child.exitCode ?? once(child, 'exit')));
  console.log(`${workers.length} processes ran 100 jobs`);
  console.log(`at most 5 at once: ${Math.max(...seen) <= 5}`);
  const redis = new Redis(url);
  await redis.del(counter);
  await redis.quit();
}

await (process.argv[2] === 'worker' ? worker() : parent());
