/** A readable scenario, run on real Bottleneck and on ours. */
import type { World } from './world';

export interface Scenario<Result = unknown> {
  /** Stable kebab-case id; `known-differences.ts` and `readme-promises.ts` refer to it. */
  id: string;
  /** What is promised, in one line. */
  title: string;
  /** Options, methods and events it is about: `maxConcurrent`, `schedule()`, `on:idle`. */
  covers: string[];
  /** Acts, and gives what `holds` judges. Everything the world records is compared besides. */
  run(world: World): Promise<Result> | Result;
  /** Throws unless the promise was kept. */
  holds(result: Result): void;
  /**
   * Id of a known difference. With the verdict `kept` both packages must keep the promise all the same; otherwise ours must
   * keep it and Bottleneck must break it.
   */
  difference?: string;
  /** `timed`: each zero-delay hop costs 1 ms, as under Node; for races between hops. Default `free`. */
  hops?: 'free' | 'timed';
}

/** Keeps the type of the result between `run` and `holds`. */
export function scenario<Result>(given: Scenario<Result>): Scenario {
  return given as Scenario;
}
