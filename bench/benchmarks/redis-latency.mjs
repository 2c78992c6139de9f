import { check, JobLedger } from '../harness/checks.mjs';
import { median } from '../harness/statistics.mjs';

/** Each job is awaited before the next is scheduled. */
async function oneAfterAnother(limiter, count) {
  const ledger = new JobLedger(count);
  const took = [];
  for (const job of ledger.jobs()) {
    const start = performance.now();
    await limiter.schedule(job);
    took.push(performance.now() - start);
  }
  ledger.verify();
  return took;
}

export default [
  {
    name: 'redis-awaited',
    title: 'Redis, each job awaited before the next',
    redis: true,
    libraries: ['rebottle', 'bottleneck', 'commands-alone', 'bare-redis'],
    sizes: { jobs: { full: 2_000, quick: 200 } },
    figures: { p50: 'ms a job', scriptCalls: 'script calls a job' },
    targets: [
      { figure: 'p50', versus: 'bare-redis', atMost: 2, sane: 20 },
      { figure: 'p50', versus: 'bottleneck', sane: 10 },
      { figure: 'p50', versus: 'commands-alone', sane: 20 },
      { figure: 'scriptCalls', atMost: 2, sane: 6 },
    ],
    async measure({ adapter, sizes, port, probe }) {
      const limiter = await adapter.redis({ port, id: 'redis-awaited' });
      await oneAfterAnother(limiter, Math.ceil(sizes.jobs / 4));
      await probe.reset();
      const took = await oneAfterAnother(limiter, sizes.jobs);
      const did = await probe.read();
      const running = await limiter.running();
      check(running === 0, `running() is ${running} after everything settled`);
      await limiter.close();
      return { p50: median(took), scriptCalls: did.scriptCalls / sizes.jobs };
    },
  },
];
