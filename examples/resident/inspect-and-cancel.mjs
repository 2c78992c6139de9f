/**
 * What waits, what runs, where a job stands, and how to take one out: from any process.
 *
 * REDIS_URL=redis://127.0.0.1:6379 node examples/resident/inspect-and-cancel.mjs
 */
import { DistributedLimiter, JobCancelledError, WorkerPool } from 'rebottle';

const pool = await WorkerPool.create({ redis: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' });
const limiter = new DistributedLimiter({ id: 'example-inspect', maxConcurrent: 1, ttl: 60_000 });

/** @param {import('rebottle').JobContext} context */
const work = ({ signal }) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 60_000, 'finished');
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** @param {unknown} error */
const outcome = (error) => (error instanceof JobCancelledError ? 'cancelled' : String(error));
const started = new Promise((resolve) => limiter.once('executing', resolve));
const jobs = ['import', 'report', 'mail'].map((id) => limiter.schedule(work, { id }).catch(outcome));
jobs.push(limiter.schedule(work, { id: 'tomorrow', delay: 86_400_000 }).catch(outcome));
await started;

console.log(await limiter.getStats());
for (const state of /** @type {const} */ (['executing', 'ready', 'delayed'])) {
  const ids = (await limiter.getJobs(state)).map((job) => job.id);
  console.log(`${state}: ${ids.join()}`);
}
console.log(`before mail: ${await limiter.position('mail')}`);

for (const id of ['report', 'tomorrow', 'mail', 'import', 'nothing']) {
  console.log(`cancel ${id}: ${await limiter.cancel(id)}`);
}
console.log((await Promise.all(jobs)).join());

await pool.stop();
