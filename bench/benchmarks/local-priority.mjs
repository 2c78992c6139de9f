import { setTimeout as sleep } from 'node:timers/promises';
import { check, checkResults, JobLedger } from '../harness/checks.mjs';
import { seededRandom } from '../harness/random.mjs';
import { startStopwatch } from '../harness/stopwatch.mjs';

const MAX_CONCURRENT = 10;
const SEED = 20;
const VERIFIED_JOBS = 100;

/** Jobs with a random priority each, and the order in which they started. */
function makeJobs(count) {
  const ledger = new JobLedger(count, MAX_CONCURRENT);
  const random = seededRandom(SEED);
  const started = [];
  const jobs = Array.from({ length: count }, (_, index) => {
    const run = ledger.job(index);
    const priority = Math.floor(random() * 10);
    const job = () => {
      started.push(priority);
      return run();
    };
    return { priority, job };
  });
  return { ledger, started, jobs };
}

async function runAll(limiter, count) {
  const { ledger, jobs } = makeJobs(count);
  const stop = startStopwatch();
  const results = await Promise.all(jobs.map(({ priority, job }) => limiter.schedulePriority(priority, job)));
  const { seconds, cpuMicroseconds } = stop();
  ledger.verify();
  checkResults(results);
  return { jobsPerSecond: count / seconds, cpu: cpuMicroseconds / count };
}

/** With every slot held until all jobs are queued, they must start in the order of their priorities. */
async function verifyOrder(limiter, count) {
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  const holders = Array.from({ length: MAX_CONCURRENT }, () => limiter.schedule(() => gate));
  await sleep(100);
  const { ledger, jobs, started } = makeJobs(count);
  const promises = jobs.map(({ priority, job }) => limiter.schedulePriority(priority, job));
  while (limiter.queued() < count) await sleep(5);
  release();
  await Promise.all([...holders, ...promises]);
  ledger.verify();
  const wrong = started.findIndex((priority, index) => index > 0 && priority < started[index - 1]);
  check(wrong === -1, `a job of priority ${started[wrong]} started after one of ${started[wrong - 1]}`);
}

export default [
  {
    name: 'local-priority',
    title: 'local, maxConcurrent 10, priorities 0 to 9 at random',
    libraries: ['rebottle', 'bottleneck', 'p-queue'],
    sizes: { jobs: { full: 100_000, quick: 20_000 }, jobsOfBottleneck: { full: 2_000, quick: 300 } },
    figures: { jobsPerSecond: 'jobs/s', cpu: 'us of CPU a job' },
    targets: [
      { figure: 'jobsPerSecond', versus: 'p-queue', atLeast: 5, sane: 0.3 },
      { figure: 'cpu', versus: 'p-queue', sane: 10 },
      { figure: 'jobsPerSecond', versus: 'bottleneck', sane: 20 },
    ],
    chart: 'local jobs a second',
    async measure({ adapter, sizes }) {
      const count = adapter.name === 'bottleneck' ? sizes.jobsOfBottleneck : sizes.jobs;
      const limiter = () => adapter.local({ maxConcurrent: MAX_CONCURRENT });
      await verifyOrder(limiter(), VERIFIED_JOBS);
      const warmUp = Math.ceil(count / 4);
      for (let round = 0; round < 3; round++) await runAll(limiter(), warmUp);
      globalThis.gc();
      return runAll(limiter(), count);
    },
  },
];
