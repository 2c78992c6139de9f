import { setTimeout as sleep } from 'node:timers/promises';
import { check } from '../harness/checks.mjs';

/** Heap in use after full collections, in bytes. */
function heapInUse() {
  for (let round = 0; round < 4; round++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}

async function untilQueued(limiter, count) {
  while (limiter.queued() < count) await sleep(5);
  check(limiter.queued() === count, `${limiter.queued()} jobs are queued, ${count} were scheduled`);
}

/** A limiter that is held up by one job, with `count` jobs behind it. */
async function fill(adapter, count) {
  const limiter = adapter.local({ maxConcurrent: 1 });
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  let ran = 0;
  const job = async () => {
    ran++;
  };
  const promises = new Array(count + 1);
  promises[0] = limiter.schedule(() => gate);
  await sleep(20);
  const before = heapInUse();
  for (let index = 1; index <= count; index++) promises[index] = limiter.schedule(job);
  await untilQueued(limiter, count);
  const bytes = (heapInUse() - before) / count;
  release();
  await Promise.all(promises);
  check(ran === count, `${ran} of ${count} jobs ran`);
  return bytes;
}

export default [
  {
    name: 'local-heap-job',
    title: 'local, heap a queued job (with its promise)',
    libraries: ['rebottle', 'bottleneck', 'p-limit', 'p-queue'],
    sizes: { jobs: { full: 20_000, quick: 5_000 }, jobsOfBottleneck: { full: 2_000, quick: 300 } },
    figures: { bytes: 'bytes' },
    targets: [{ figure: 'bytes', versus: 'bottleneck', atMost: 0.5, sane: 3 }],
    async measure({ adapter, sizes }) {
      const count = adapter.name === 'bottleneck' ? sizes.jobsOfBottleneck : sizes.jobs;
      await fill(adapter, Math.ceil(count / 5));
      return { bytes: await fill(adapter, count) };
    },
  },
  {
    name: 'local-heap-limiter',
    title: 'local, heap an idle limiter',
    libraries: ['rebottle', 'bottleneck', 'p-limit', 'p-queue'],
    sizes: { limiters: { full: 10_000, quick: 1_000 } },
    figures: { bytes: 'bytes' },
    targets: [
      { figure: 'bytes', atMost: 1000, sane: 20_000 },
      { figure: 'bytes', versus: 'bottleneck', sane: 3 },
    ],
    async measure({ adapter, sizes }) {
      const create = (count) => Array.from({ length: count }, () => adapter.bare({ maxConcurrent: 1 }));
      create(sizes.limiters / 10);
      await sleep(20);
      const before = heapInUse();
      const limiters = create(sizes.limiters);
      await sleep(20);
      const bytes = (heapInUse() - before) / sizes.limiters;
      check(limiters.length === sizes.limiters, 'the limiters are still there');
      return { bytes };
    },
  },
];
