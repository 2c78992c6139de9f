import { summarise } from './statistics.mjs';

const OURS = 'rebottle';

/** Median, least and greatest of each figure of each library. */
export function summaries(benchmark, results) {
  return Object.fromEntries(
    Object.entries(results).map(([library, rounds]) => [
      library,
      Object.fromEntries(
        Object.keys(benchmark.figures)
          .filter((figure) => rounds[0]?.[figure] !== undefined)
          .map((figure) => [figure, summarise(rounds.map((round) => round[figure]))]),
      ),
    ]),
  );
}

/**
 * What became of each target: ours over theirs round by round (or ours alone), and whether its median is good enough.
 * `sane` is the looser bound, on the same side, that only a broken bench or a broken library misses.
 */
export function verdicts(benchmark, results) {
  const ours = results[OURS];
  if (!ours) return [];
  return benchmark.targets
    .filter(({ versus }) => !versus || results[versus])
    .map((target) => {
      const values = ours.map((round, index) => round[target.figure] / theirs(results, target, index));
      const { median, min, max } = summarise(values);
      return {
        ...target,
        benchmark: benchmark.name,
        median,
        min,
        max,
        met: meets(median, target),
        absurd: isAbsurd(median, target, benchmark),
      };
    });
}

function theirs(results, { versus, figure }, round) {
  return versus ? results[versus][round][figure] : 1;
}

function meets(value, { atLeast, atMost }) {
  if (atLeast !== undefined) return value >= atLeast;
  if (atMost !== undefined) return value <= atMost;
  return undefined;
}

function isAbsurd(value, { sane, atLeast, atMost, figure }, benchmark) {
  if (!Number.isFinite(value) || value < 0) return true;
  if (sane === undefined) return false;
  const higherIsBetter = atLeast !== undefined || (atMost === undefined && benchmark.figures[figure].endsWith('/s'));
  return higherIsBetter ? value < sane : value > sane;
}
