import { setTimeout as sleep } from 'node:timers/promises';
import { check, JobLedger } from '../harness/checks.mjs';

const JOBS_EACH = 51;
const MAX_CONCURRENT = 5;
const SAMPLE_INTERVAL = 20;
const MIB = 2 ** 20;

function heapInUse() {
  for (let round = 0; round < 4; round++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** Watches the heap and the timers, on a timer that `timers` does not count. */
function watch(timers, startInterval) {
  const peak = { heap: 0, timers: 0 };
  const sample = () => {
    peak.heap = Math.max(peak.heap, process.memoryUsage().heapUsed);
    peak.timers = Math.max(peak.timers, timers.live());
  };
  const interval = startInterval(sample, SAMPLE_INTERVAL);
  return { peak, stop: () => clearInterval(interval) };
}

async function runAll(limiters) {
  const ledgers = limiters.map(() => new JobLedger(JOBS_EACH, MAX_CONCURRENT));
  await Promise.all(limiters.flatMap((limiter, index) => ledgers[index].jobs().map((job) => limiter.schedule(job))));
  for (const ledger of ledgers) ledger.verify();
}

export default [
  {
    name: 'redis-many-limiters',
    title: `Redis, many limiters of one process on one pair of connections, ${JOBS_EACH} jobs each, maxConcurrent ${MAX_CONCURRENT}`,
    redis: true,
    libraries: ['rebottle', 'bottleneck'],
    rounds: 3,
    sizes: { limiters: { full: 1_000, quick: 40 } },
    figures: {
      seconds: 's',
      heapPeak: 'MiB above the start',
      heapKept: 'MiB after a collection',
      timersPeak: 'timers',
      timersLeft: 'timers afterwards',
      connections: 'connections',
      roundTrips: 'script calls a job',
    },
    jobsOf: ({ limiters }) => limiters * JOBS_EACH,
    targets: [
      { figure: 'seconds', versus: 'bottleneck', atMost: 1 / 15, sane: 1 },
      { figure: 'heapPeak', versus: 'bottleneck', atMost: 1 / 3, sane: 3 },
      { figure: 'heapKept', atMost: 10, sane: 100 },
      { figure: 'timersLeft', atMost: 1, sane: 100 },
      { figure: 'connections', atMost: 2, sane: 4 },
    ],
    countTimers: true,
    async measure({ adapter, sizes, port, probe, timers }) {
      const connection = adapter.connect(port);
      const create = (count, prefix) =>
        Array.from({ length: count }, (_, index) =>
          adapter.create({ id: `${prefix}-${index}`, datastore: 'ioredis', connection, maxConcurrent: MAX_CONCURRENT }),
        );
      await runAll(create(Math.ceil(sizes.limiters / 20), 'warm-up'));
      const connections = (await probe.connectedClients()) - 1;
      const before = heapInUse();
      const { peak, stop } = watch(timers, timers.untracked.setInterval);
      await probe.reset();
      const start = performance.now();
      const limiters = create(sizes.limiters, 'many');
      await runAll(limiters);
      const seconds = (performance.now() - start) / 1000;
      stop();
      const did = await probe.read();
      await sleep(1000);
      const heapKept = (heapInUse() - before) / MIB;
      const running = await Promise.all(limiters.map((limiter) => limiter.running()));
      check(
        running.every((weight) => weight === 0),
        'running() is 0 everywhere after everything settled',
      );
      return {
        seconds,
        heapPeak: (peak.heap - before) / MIB,
        heapKept,
        timersPeak: peak.timers,
        timersLeft: timers.live(),
        connections,
        roundTrips: did.scriptCalls / (limiters.length * JOBS_EACH),
      };
    },
  },
];
