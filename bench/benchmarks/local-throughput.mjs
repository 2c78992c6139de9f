import { checkResults, JobLedger } from '../harness/checks.mjs';
import { startStopwatch } from '../harness/stopwatch.mjs';

/** All jobs are scheduled at once; the clock stops when the last promise has settled. */
async function runAll(limiter, count, maxConcurrent) {
  const ledger = new JobLedger(count, maxConcurrent);
  const jobs = ledger.jobs();
  const stop = startStopwatch();
  const results = await Promise.all(jobs.map((job) => limiter.schedule(job)));
  const { seconds, cpuMicroseconds } = stop();
  ledger.verify();
  checkResults(results);
  return { jobsPerSecond: count / seconds, cpu: cpuMicroseconds / count };
}

function throughput(name, title, maxConcurrent) {
  return {
    name,
    title,
    libraries: ['rebottle', 'bottleneck', 'p-limit', 'p-queue'],
    // Bottleneck does a few hundred a second: a rate needs no more of them.
    sizes: { jobs: { full: 100_000, quick: 20_000 }, jobsOfBottleneck: { full: 2_000, quick: 300 } },
    figures: { jobsPerSecond: 'jobs/s', cpu: 'us of CPU a job' },
    targets: [
      { figure: 'jobsPerSecond', versus: 'bottleneck', atLeast: 300, sane: 20 },
      { figure: 'jobsPerSecond', versus: 'p-limit', atLeast: 1, sane: 0.1 },
      { figure: 'cpu', versus: 'p-limit', sane: 10 },
    ],
    chart: 'local jobs a second',
    async measure({ adapter, sizes }) {
      const count = adapter.name === 'bottleneck' ? sizes.jobsOfBottleneck : sizes.jobs;
      const limiter = () => adapter.local({ maxConcurrent });
      const warmUp = Math.ceil(count / 4);
      for (let round = 0; round < 3; round++) await runAll(limiter(), warmUp, maxConcurrent ?? Infinity);
      globalThis.gc();
      return runAll(limiter(), count, maxConcurrent ?? Infinity);
    },
  };
}

export default [
  throughput('local-unlimited', 'local, no limits', undefined),
  throughput('local-max-1', 'local, maxConcurrent 1', 1),
  throughput('local-max-10', 'local, maxConcurrent 10', 10),
];
