import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { check } from '../harness/checks.mjs';

/** Queues synchronous jobs behind one that waits, lets it go, and watches the event loop while they drain. */
async function drain(adapter, count) {
  const limiter = adapter.local({ maxConcurrent: 1 });
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  let ran = 0;
  const job = () => {
    ran++;
  };
  const promises = [limiter.schedule(() => gate)];
  for (let index = 0; index < count; index++) promises.push(limiter.schedule(job));
  while (limiter.queued() < count) await sleep(5);
  // Made before the clock starts: with so many promises it is a long turn of its own.
  const drained = Promise.all(promises);
  globalThis.gc();
  await sleep(20);

  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await sleep(5);
  release();
  await drained;
  // A long turn is only seen by the timer that comes after it.
  await sleep(5);
  delay.disable();
  check(ran === count, `${ran} of ${count} jobs ran`);
  return { p99: delay.percentile(99) / 1e6, longest: delay.max / 1e6 };
}

export default [
  {
    name: 'local-event-loop',
    title: 'local, event-loop delay while synchronous jobs drain',
    libraries: ['rebottle', 'bottleneck', 'p-limit', 'p-queue'],
    sizes: { jobs: { full: 100_000, quick: 20_000 }, jobsOfBottleneck: { full: 2_000, quick: 300 } },
    figures: { p99: 'ms', longest: 'ms' },
    targets: [{ figure: 'p99', atMost: 20, sane: 1000 }],
    async measure({ adapter, sizes }) {
      const count = adapter.name === 'bottleneck' ? sizes.jobsOfBottleneck : sizes.jobs;
      await drain(adapter, Math.ceil(count / 10));
      return drain(adapter, count);
    },
  },
];
