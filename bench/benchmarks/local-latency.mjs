import { setImmediate as nextTurn } from 'node:timers/promises';
import { quantile } from '../harness/statistics.mjs';

/** From `schedule()` on an idle limiter to the first line of the job, in microseconds. */
async function latencies(limiter, count) {
  const measured = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    await limiter.schedule(async () => {
      measured.push((performance.now() - start) * 1000);
    });
    // The limiter has nothing left to do when the next job comes.
    await nextTurn();
    await nextTurn();
  }
  return measured;
}

export default [
  {
    name: 'local-idle-latency',
    title: 'local, idle limiter: schedule() to first line',
    libraries: ['rebottle', 'bottleneck', 'p-limit', 'p-queue'],
    sizes: { jobs: { full: 2_000, quick: 300 }, jobsOfBottleneck: { full: 500, quick: 100 } },
    figures: { p50: 'us', p99: 'us' },
    targets: [
      { figure: 'p50', versus: 'p-limit', atMost: 3, sane: 100 },
      { figure: 'p50', versus: 'bottleneck', sane: 1 },
    ],
    async measure({ adapter, sizes }) {
      const count = adapter.name === 'bottleneck' ? sizes.jobsOfBottleneck : sizes.jobs;
      const limiter = adapter.local({});
      await latencies(limiter, count);
      const measured = await latencies(limiter, count);
      return { p50: quantile(measured, 0.5), p99: quantile(measured, 0.99) };
    },
  },
];
