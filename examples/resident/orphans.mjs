/**
 * A process dies in the middle of its work. What it had is reported to the others, and one of them does it again: `data`
 * tells what there is to do, since functions cannot travel.
 *
 * REDIS_URL=redis://127.0.0.1:6379 node examples/resident/orphans.mjs
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DistributedLimiter, WorkerPool } from 'rebottle';

const pool = await WorkerPool.create({
  redis: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
  visibilityTimeoutMs: 1000, // a process that is silent for a second counts as dead
});
const limiter = new DistributedLimiter({ id: 'example-orphans', maxConcurrent: 2, ttl: 60_000 });

/** @param {{ order: number }} data */
const ship = (data, die = false) =>
  limiter.schedule(
    async () => {
      if (die) process.kill(process.pid, 'SIGKILL');
      return `order ${data.order} is on its way`;
    },
    { id: `ship-${data.order}`, data },
  );

if (process.argv[2] === 'child') {
  await ship({ order: 7 }, true);
} else {
  await limiter.ready();
  const again = new Promise((resolve) => {
    limiter.on('orphaned', (job) => {
      // Every process hears of it; only in one of them this is true.
      if (!job.reportedHere) return;
      console.log(`${job.id} was left ${job.state} by a process that died`);
      resolve(ship(/** @type {{ order: number }} */ (job.data)));
    });
  });
  const child = fork(fileURLToPath(import.meta.url), ['child']);
  await once(child, 'exit');
  console.log('the other process is gone');
  console.log(await again);
  await pool.stop();
}
