import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until Redis has taken in all that was sent to it, and gives what it uses then, in bytes. */
async function settledMemory(probe) {
  let last = await probe.usedMemory();
  for (let quiet = 0; quiet < 5; ) {
    await sleep(50);
    const now = await probe.usedMemory();
    quiet = Math.abs(now - last) < 4096 ? quiet + 1 : 0;
    last = now;
  }
  return last;
}

/** A limiter's queue behind a job that holds the only slot. */
async function fillLimiter(adapter, { port, id, count }) {
  const limiter = adapter.createOnRedis({ port, id, maxConcurrent: 1 });
  await limiter.ready();
  let started;
  const running = new Promise((resolve) => {
    started = resolve;
  });
  limiter.schedule(() => {
    started();
    return new Promise(() => {});
  });
  await running;
  for (let index = 0; index < count; index++) limiter.schedule(async () => index);
  while ((await limiter.clusterQueued()) < count) await sleep(20);
}

export default [
  {
    name: 'redis-bytes-job',
    title: 'Redis, memory of the server a queued job (Bottleneck keeps none there)',
    redis: true,
    libraries: ['rebottle', 'bullmq', 'bee-queue'],
    sizes: { jobs: { full: 20_000, quick: 2_000 } },
    figures: { bytes: 'bytes' },
    targets: [{ figure: 'bytes', atMost: 130, sane: 1000 }],
    async measure({ adapter, sizes, port, probe }) {
      const fill = adapter.fill ?? ((options) => fillLimiter(adapter, options));
      // An empty queue's keys, scripts and buffers are no part of a job.
      await fill({ port, id: 'warm-up', count: 1 });
      const before = await settledMemory(probe);
      await fill({ port, id: 'memory', count: sizes.jobs });
      return { bytes: ((await settledMemory(probe)) - before) / sizes.jobs };
    },
  },
];
