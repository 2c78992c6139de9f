import { check } from '../harness/checks.mjs';
import { quantile } from '../harness/statistics.mjs';

/** A gap that is shorter than asked by more than this, in ms, counts as too early. */
const EARLY_BY = 0.5;

/** When each of `count` jobs began that are all scheduled at once. */
async function startTimes(limiter, count) {
  const starts = [];
  const job = () => {
    starts.push(performance.now());
  };
  await Promise.all(Array.from({ length: count }, () => limiter.schedule(job)));
  check(starts.length === count, `${starts.length} of ${count} jobs ran`);
  return starts;
}

function accuracy(name, minTime, targets) {
  return {
    name,
    title: `local, minTime ${minTime} ms`,
    libraries: ['rebottle', 'bottleneck', 'p-queue', 'p-throttle'],
    sizes: { jobs: { full: 300, quick: 50 } },
    figures: { rate: 'of the asked rate', drift: '% off the asked rate', errorP99: 'ms', early: 'gaps too early' },
    targets,
    async measure({ adapter, sizes }) {
      await startTimes(adapter.local({ minTime }), 20);
      const starts = await startTimes(adapter.local({ minTime }), sizes.jobs);
      const gaps = starts.slice(1).map((start, index) => start - starts[index]);
      const rate = (gaps.length * minTime) / (starts.at(-1) - starts[0]);
      return {
        rate,
        drift: Math.abs(1 / rate - 1) * 100,
        errorP99: quantile(
          gaps.map((gap) => Math.abs(gap - minTime)),
          0.99,
        ),
        early: gaps.filter((gap) => gap < minTime - EARLY_BY).length,
      };
    },
  };
}

export default [
  accuracy('min-time-10', 10, [
    { figure: 'drift', atMost: 0.5, sane: 30 },
    { figure: 'errorP99', versus: 'bottleneck', atMost: 1, sane: 20 },
  ]),
  accuracy('min-time-1', 1, [
    { figure: 'rate', atLeast: 0.85, sane: 0.1 },
    { figure: 'errorP99', versus: 'bottleneck', atMost: 1, sane: 20 },
  ]),
];
