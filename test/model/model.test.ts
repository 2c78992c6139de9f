/**
 * The rules of a limiter are written twice: in lib/store/memory/transitions.ts and in lua/. Both get the same random
 * batches at the same times here, and must answer alike and leave the same state, field by field.
 *
 * MODEL_BATCHES  how many batches at least (default 3000)
 * MODEL_SEED     the first seed (default 1; `random` for another one each time)
 * MODEL_KEEP     1: add what differs, made as small as possible, to kept-scenarios.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RedisServer, startRedis } from '../support/redis-server';
import { type Difference, firstDifference } from './compare';
import { expectations } from './expectation';
import { RedisSide } from './redis-side';
import { generate, type Scenario, UNLIMITED } from './scenario';
import { shrink } from './shrink';

const BATCHES = Number(process.env.MODEL_BATCHES ?? 3000);
const FIRST_SEED =
  process.env.MODEL_SEED === 'random' ? Math.floor(Math.random() * 2 ** 32) : Number(process.env.MODEL_SEED ?? 1);
const KEPT = join(__dirname, 'kept-scenarios.json');

interface KeptScenario {
  /** What was wrong. */
  note: string;
  /** Settings that are not there have their defaults. */
  scenario: Omit<Scenario, 'settings'> & { settings: Partial<Scenario['settings']> };
}

describe('transitions in memory and in Lua', function () {
  this.timeout(10 * 60_000);
  let server: RedisServer;
  let redis: RedisSide;

  before(async () => {
    server = await startRedis();
    redis = await RedisSide.open(server.client(), server.client());
  });

  after(() => server?.stop());

  async function difference(scenario: Scenario): Promise<Difference | null> {
    const prefix = redis.nextPrefix();
    const expected = expectations(scenario, prefix);
    return firstDifference(expected, await redis.run(scenario, expected, prefix));
  }

  /** Throws with the smallest scenario that shows a difference of the same kind. */
  async function agree(scenario: Scenario, name: string): Promise<void> {
    const first = await difference(scenario);
    if (first === null) return;
    const smallest = await shrink(scenario, async (candidate) => (await difference(candidate))?.what === first.what);
    const last = (await difference(smallest))!;
    if (process.env.MODEL_KEEP === '1') keep({ note: last.what, scenario: withoutDefaults(smallest) });
    throw new Error(
      `${name}: after operation ${last.at} "${last.what}" is ${show(last.memory)} in memory, ${show(last.redis)} in Redis:\n${show(withoutDefaults(smallest))}`,
    );
  }

  for (const { note, scenario } of kept()) {
    it(`agree where they once did not: ${note}`, () =>
      agree({ ...scenario, settings: { ...UNLIMITED, ...scenario.settings } }, note));
  }

  it(`agree on ${BATCHES} random batches from seed ${FIRST_SEED} on`, async () => {
    let batches = 0;
    for (let seed = FIRST_SEED; batches < BATCHES; seed++) {
      const scenario = generate(seed);
      await agree(scenario, `seed ${seed}`);
      batches += scenario.operations.length;
    }
  });
});

function withoutDefaults({ settings, ...rest }: Scenario): KeptScenario['scenario'] {
  const changed = Object.entries(settings).filter(
    ([name, value]) => value !== UNLIMITED[name as keyof typeof UNLIMITED],
  );
  return { ...rest, settings: Object.fromEntries(changed) };
}

function kept(): KeptScenario[] {
  return JSON.parse(readFileSync(KEPT, 'utf8'));
}

function keep(scenario: KeptScenario): void {
  writeFileSync(KEPT, `${JSON.stringify([...kept(), scenario], null, 2)}\n`);
}

function show(value: unknown): string {
  return JSON.stringify(value);
}
