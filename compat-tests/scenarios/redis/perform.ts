/** Runs all Redis scenarios on both packages, some at a time: most of their time is waiting. */
import type { Redis } from 'ioredis';
import { ours, type Subject, upstream } from '../../harness/subjects';
import { RedisWorld } from './redis-world';
import type { RedisScenario } from './scenario';

/** How many run at once. */
const AT_ONCE = 6;
/** ms after which a scenario has failed. */
const LONGEST = 30_000;

export type Ending = { result: unknown } | { failure: unknown };

export interface Endings {
  upstream: Ending;
  ours: Ending;
}

/** The endings by scenario id. */
export async function performAll(
  scenarios: RedisScenario[],
  server: { port: number; admin: Redis },
): Promise<Map<string, Endings>> {
  const endings = new Map<string, Endings>();
  const onBoth = async (scenario: RedisScenario): Promise<void> => {
    endings.set(scenario.id, {
      ours: await perform(scenario, ours(), server),
      upstream: await perform(scenario, upstream(), server),
    });
  };
  const waiting = scenarios.filter((scenario) => !scenario.alone);
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await onBoth(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const scenario of scenarios.filter(({ alone }) => alone)) await onBoth(scenario);
  return endings;
}

async function perform(
  scenario: RedisScenario,
  subject: Subject,
  { port, admin }: { port: number; admin: Redis },
): Promise<Ending> {
  const world = new RedisWorld(subject, port, admin, scenario.id);
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<Ending>((resolve) => {
    timer = setTimeout(() => resolve({ failure: new Error(`took more than ${LONGEST} ms`) }), LONGEST);
  });
  const ending = scenario.run(world).then(
    (result) => ({ result }),
    (failure) => ({ failure }),
  );
  try {
    return await Promise.race([ending, tooLong]);
  } finally {
    clearTimeout(timer);
    await world.close();
  }
}
