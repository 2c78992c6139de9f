import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { check, JobLedger } from '../harness/checks.mjs';

const DEAD_PEER = fileURLToPath(new URL('../harness/dead-clients.mjs', import.meta.url));
const MAX_CONCURRENT = 100;

/** What still waits when the measurement is over is dropped with its limiter. */
const ignoreDisconnect = () => {};

/**
 * Jobs a second while `waiting` others always wait: every job that ends schedules one more.
 * The clock starts when the queue has that length.
 */
async function rateWith(limiter, waiting, measured, onStart = async () => {}) {
  let open;
  const gate = new Promise((resolve) => {
    open = resolve;
  });
  const holders = Array.from({ length: MAX_CONCURRENT }, () => limiter.schedule(() => gate));
  const ledger = new JobLedger(waiting + measured, MAX_CONCURRENT);
  const jobs = ledger.jobs();
  let next = 0;
  let done = 0;
  let finish;
  const finished = new Promise((resolve) => {
    finish = resolve;
  });
  const scheduleNext = () => {
    const job = jobs[next++];
    limiter.schedule(job).then(() => {
      if (++done === measured) finish();
      if (next < jobs.length) scheduleNext();
    }, ignoreDisconnect);
  };
  while (next < waiting) scheduleNext();
  while ((await limiter.clusterQueued()) < waiting) await sleep(20);
  await onStart();
  const start = performance.now();
  open();
  await finished;
  const seconds = (performance.now() - start) / 1000;
  await Promise.all(holders);
  check(ledger.peak <= MAX_CONCURRENT, `${ledger.peak} jobs ran at a time`);
  check(
    ledger.runs.every((runs) => runs <= 1),
    'no job ran twice',
  );
  return measured / seconds;
}

const waitingJobs = { full: 100_000, quick: 10_000 };
const measuredJobs = { full: 20_000, quick: 2_000 };

const localGrowth = {
  name: 'growth-local',
  title: 'local, many waiting jobs against 1 000',
  libraries: ['rebottle'],
  sizes: { waiting: waitingJobs, measured: measuredJobs },
  figures: { few: 'jobs/s', many: 'jobs/s', kept: 'of the rate with few' },
  targets: [{ figure: 'kept', atLeast: 0.7, sane: 0.1 }],
  async measure({ adapter, sizes }) {
    const rate = (waiting) => rateWith(adapter.create({ maxConcurrent: MAX_CONCURRENT }), waiting, sizes.measured);
    await rate(1_000);
    const few = await rate(1_000);
    const many = await rate(sizes.waiting);
    return { few, many, kept: many / few };
  },
};

const redisGrowth = {
  name: 'growth-redis',
  title: 'Redis, many waiting tickets against 1 000',
  redis: true,
  libraries: ['rebottle'],
  sizes: { waiting: waitingJobs, measured: measuredJobs },
  figures: { few: 'jobs/s', many: 'jobs/s', kept: 'of the rate with few', scriptTime: "of a script's time with few" },
  targets: [
    { figure: 'kept', atLeast: 0.7, sane: 0.1 },
    { figure: 'scriptTime', atMost: 1.3, sane: 10 },
  ],
  async measure({ adapter, sizes, port, probe }) {
    const run = async (id, waiting) => {
      const limiter = adapter.createOnRedis({ port, id, maxConcurrent: MAX_CONCURRENT });
      await limiter.ready();
      const rate = await rateWith(limiter, waiting, sizes.measured, () => probe.reset());
      const { microsecondsPerScript } = await probe.read();
      await limiter.disconnect(false);
      return { rate, microsecondsPerScript };
    };
    await run('warm-up', 1_000);
    const few = await run('few', 1_000);
    const many = await run('many', sizes.waiting);
    return {
      few: few.rate,
      many: many.rate,
      kept: many.rate / few.rate,
      scriptTime: many.microsecondsPerScript / few.microsecondsPerScript,
    };
  },
};

/** Clients of one limiter that die while each has jobs waiting. */
async function makeDeadClients(library, port, id, clients) {
  const child = fork(DEAD_PEER, [JSON.stringify({ library, port, id, clients, maxConcurrent: MAX_CONCURRENT })]);
  const exited = once(child, 'exit');
  const [message] = await Promise.race([once(child, 'message'), exited]);
  check(message === 'ready', `the process that was to die ended by itself: exit code ${message}`);
  child.kill('SIGKILL');
  await exited;
}

const deadClients = {
  name: 'growth-dead-clients',
  title: 'Redis, many dead clients on the same limiter against none',
  redis: true,
  libraries: ['rebottle'],
  rounds: 3,
  sizes: { clients: { full: 2_000, quick: 100 }, measured: measuredJobs },
  figures: { none: 'jobs/s', dead: 'jobs/s', kept: 'of the rate without', scriptTime: "of a script's time without" },
  targets: [
    { figure: 'kept', atLeast: 0.7, sane: 0.05 },
    { figure: 'scriptTime', atMost: 1.3, sane: 20 },
  ],
  async measure({ adapter, sizes, port, probe }) {
    const run = async (id, clients) => {
      if (clients > 0) await makeDeadClients(adapter.name, port, id, clients);
      const limiter = adapter.createOnRedis({ port, id, maxConcurrent: MAX_CONCURRENT });
      await limiter.ready();
      await probe.reset();
      const jobs = new JobLedger(sizes.measured, MAX_CONCURRENT);
      const start = performance.now();
      await Promise.all(jobs.jobs().map((job) => limiter.schedule(job)));
      const rate = sizes.measured / ((performance.now() - start) / 1000);
      jobs.verify();
      const { microsecondsPerScript } = await probe.read();
      await limiter.disconnect();
      return { rate, microsecondsPerScript };
    };
    await run('warm-up', 0);
    const none = await run('none', 0);
    const dead = await run('dead', sizes.clients);
    return {
      none: none.rate,
      dead: dead.rate,
      kept: dead.rate / none.rate,
      scriptTime: dead.microsecondsPerScript / none.microsecondsPerScript,
    };
  },
};

export default [localGrowth, redisGrowth, deadClients];
