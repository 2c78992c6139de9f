/**
 * A pool, a limiter, priorities, and a job that fails twice before it succeeds.
 *
 * REDIS_URL=redis://127.0.0.1:6379 node examples/resident/first-steps.mjs
 */
import { DistributedLimiter, WorkerPool } from 'rebottle';

// Once in each process, where it starts.
const pool = await WorkerPool.create({ redis: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' });

// Wherever it is needed: all limiters of one id, in all processes, are one.
const limiter = new DistributedLimiter({
  id: 'example-first-steps',
  maxConcurrent: 1,
  backoff: { initialMs: 50 },
  ttl: 60_000,
});
limiter.on('retry', ({ id, attempt, delay }) => console.log(`${id}: attempt ${attempt} in ${delay} ms`));

/** @type {string[]} */
const order = [];
await Promise.all([
  limiter.schedule(() => new Promise((resolve) => setTimeout(resolve, 50))),
  limiter.schedule(() => order.push('whenever'), { priority: 99 }),
  limiter.schedule(() => order.push('soon'), { priority: 10 }),
  limiter.schedule(() => order.push('first'), { priority: 0 }),
]);
console.log(order.join());

const result = await limiter.schedule(
  ({ attempt }) => {
    if (attempt < 3) throw new Error('not yet');
    return `done at attempt ${attempt}`;
  },
  { id: 'flaky' },
);
console.log(result);

await pool.stop();
