import { check, checkResults, JobLedger } from '../harness/checks.mjs';
import { startStopwatch } from '../harness/stopwatch.mjs';

async function runAll(limiter, count, maxConcurrent) {
  const ledger = new JobLedger(count, maxConcurrent);
  const jobs = ledger.jobs();
  const stop = startStopwatch();
  const results = await limiter.runAll(jobs);
  const took = stop();
  ledger.verify();
  checkResults(results);
  return took;
}

/** Again and again for `time` ms: a fast library does more in it, and all have their code optimised. */
async function warmUp(run, time) {
  const end = performance.now() + time;
  while (performance.now() < end) await run();
}

function batch(name, title, maxConcurrent, { jobs, libraries, targets }) {
  return {
    name,
    title,
    redis: true,
    libraries,
    sizes: { jobs, warmUp: { full: 2_000, quick: 200 } },
    figures: {
      jobsPerSecond: 'jobs/s',
      operations: 'Redis operations a job',
      roundTrips: 'script calls a job',
      redisCpu: 'us of Redis CPU a job',
      cpu: 'us of CPU a job here',
    },
    targets,
    chart: 'jobs a second through Redis, one process',
    async measure({ adapter, sizes, port, probe }) {
      const limiter = await adapter.redis({ port, id: name, maxConcurrent });
      await warmUp(() => runAll(limiter, Math.ceil(sizes.jobs / 10), maxConcurrent), sizes.warmUp);
      globalThis.gc();
      await probe.reset();
      const { seconds, cpuMicroseconds } = await runAll(limiter, sizes.jobs, maxConcurrent);
      const did = await probe.read();
      const running = (await limiter.running?.()) ?? 0;
      check(running === 0, `running() is ${running} after everything settled`);
      await limiter.close();
      return {
        jobsPerSecond: sizes.jobs / seconds,
        operations: did.operations / sizes.jobs,
        roundTrips: did.scriptCalls / sizes.jobs,
        redisCpu: did.cpuMicroseconds / sizes.jobs,
        cpu: cpuMicroseconds / sizes.jobs,
      };
    },
  };
}

const all = ['rebottle', 'bottleneck', 'bullmq', 'bee-queue', 'bare-redis'];
const batchTargets = [
  { figure: 'jobsPerSecond', versus: 'bottleneck', atLeast: 40, sane: 3 },
  { figure: 'jobsPerSecond', versus: 'bullmq', atLeast: 10, sane: 0.5 },
  { figure: 'jobsPerSecond', versus: 'bee-queue', atLeast: 5, sane: 0.3 },
  { figure: 'jobsPerSecond', versus: 'bare-redis', sane: 0.01 },
  { figure: 'operations', atMost: 5, sane: 60 },
  { figure: 'redisCpu', versus: 'bottleneck', atMost: 1 / 15, sane: 1 },
];
const jobs = { full: 10_000, quick: 1_000 };

export default [
  batch('redis-unlimited', 'Redis, no limits, all at once', undefined, { jobs, libraries: all, targets: batchTargets }),
  batch('redis-max-100', 'Redis, maxConcurrent 100, all at once', 100, { jobs, libraries: all, targets: batchTargets }),
  batch('redis-max-1', 'Redis, maxConcurrent 1, all at once', 1, {
    jobs: { full: 2_000, quick: 300 },
    libraries: ['rebottle', 'bottleneck', 'bullmq', 'bee-queue'],
    targets: [
      { figure: 'jobsPerSecond', versus: 'bottleneck', atLeast: 6, sane: 1 },
      { figure: 'roundTrips', atMost: 1.1, sane: 5 },
    ],
  }),
];
