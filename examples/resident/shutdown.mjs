/**
 * A process that is told to end: it takes nothing more, gives the jobs that wait back to whoever asked for them, and
 * finishes what runs.
 *
 * REDIS_URL=redis://127.0.0.1:6379 node examples/resident/shutdown.mjs
 */
import { DistributedLimiter, OrphanedJobError, WorkerPool } from 'rebottle';

const pool = await WorkerPool.create({ redis: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' });
const limiter = new DistributedLimiter({ id: 'example-shutdown', maxConcurrent: 2, ttl: 60_000 });

process.once('SIGTERM', async () => {
  console.log('asked to end');
  await pool.stop({ deadlineMs: 10_000 });
  console.log('ended');
});

limiter.once('executing', () => process.kill(process.pid, 'SIGTERM'));

const results = await Promise.allSettled(
  Array.from({ length: 5 }, (_, i) =>
    limiter.schedule(async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return i;
    }),
  ),
);
const finished = results.filter(({ status }) => status === 'fulfilled').length;
const returned = results.filter((one) => one.status === 'rejected' && one.reason instanceof OrphanedJobError).length;
console.log(`${finished} finished, ${returned} to be done elsewhere`);
