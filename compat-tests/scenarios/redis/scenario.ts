/** A scenario on a real Redis and in real time, run on real Bottleneck and on ours. */
import type { RedisWorld } from './redis-world';

export interface RedisScenario<Result = unknown> {
  /** Stable kebab-case id; `known-differences.ts` and `readme-promises.ts` refer to it. */
  id: string;
  /** What is promised, in one line. */
  title: string;
  /** Options, methods and events it is about. */
  covers: string[];
  /** Acts, and gives what `holds` judges. Waits for events; only what is never to come is given a time. */
  run(world: RedisWorld): Promise<Result>;
  /** Throws unless the promise was kept. */
  holds(result: Result): void;
  /** As in `Scenario`. */
  difference?: string;
  /** It keeps the Redis busy: nothing else runs meanwhile. */
  alone?: boolean;
}

/** Keeps the type of the result between `run` and `holds`. */
export function redisScenario<Result>(given: RedisScenario<Result>): RedisScenario {
  return given as RedisScenario;
}
