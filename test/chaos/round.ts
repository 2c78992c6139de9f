import { setTimeout as sleep } from 'node:timers/promises';
import type { StartRedisOptions } from '../support/redis-server';
import { FAULTS, type FaultKind, type Scene } from './faults';
import { Fleet } from './fleet';
import type { History } from './history';
import { judge, type Verdict } from './judge';
import { Random } from './random';
import { BOTTLENECK_KEYS, type Rules } from './rules';

const CLIENT_TIMEOUT_MS = 1500;
const HEARTBEAT_MS = 300;
const MOST_WORKERS = 6;

export interface RoundSetup {
  seed: number;
  /** How long faults go on, ms. */
  length: number;
  folder: string;
  under: string;
  client: string;
  /** Only faults of these names; default all. */
  faults?: string[] | undefined;
  /** Called with a line for each fault. */
  tell?: (line: string) => void;
}

export interface RoundResult {
  seed: number;
  plan: Plan;
  history: History;
  verdict: Verdict;
  /** How often each kind of fault was injected. */
  faults: Record<string, number>;
  /** What never settled, by worker, with the limiter's own word on it, and what Redis had then. */
  stuck: { workers: Record<string, string[]>; redis: Record<string, unknown> } | undefined;
}

export interface Plan {
  workers: number;
  storage: 'none' | 'aof' | 'rdb';
  options: Record<string, unknown>;
  weight: [number, number];
  rules: Rules;
}

function planOf(random: Random, under: string): Plan {
  const maxConcurrent = random.pick([1, 3, 8]);
  const minTime = random.pick([0, 0, 10, 35]);
  const reservoir = random.chance(0.3) ? { amount: random.pick([10, 40]), interval: random.pick([500, 750]) } : null;
  const own = under !== 'bottleneck';
  const dispatch = random.pick(['default', 'just-in-time']);
  return {
    workers: random.between(2, 4),
    storage: random.pick(['none', 'aof', 'rdb'] as const),
    weight: [1, random.pick([1, Math.min(3, maxConcurrent)])],
    options: {
      id: `chaos-${random.between(1, 1e9)}`,
      maxConcurrent,
      minTime,
      ...(reservoir
        ? {
            reservoir: reservoir.amount,
            reservoirRefreshAmount: reservoir.amount,
            // Bottleneck refreshes in steps of its heartbeat only.
            reservoirRefreshInterval: reservoir.interval,
          }
        : {}),
      clientTimeout: CLIENT_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_MS,
      datastore: 'ioredis',
      ...(own ? { dispatch } : {}),
    },
    rules: {
      maxConcurrent,
      minTime,
      reservoir,
      clientTimeout: CLIENT_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_MS,
      fleetOrder: true,
      keysAllowed: BOTTLENECK_KEYS,
    },
  };
}

/** One fleet on one Redis under random faults, then quiet, then the verdict. */
export async function runRound(setup: RoundSetup): Promise<RoundResult> {
  const random = new Random(setup.seed);
  const plan = planOf(random.fork(), setup.under);
  const redis: StartRedisOptions = { aof: plan.storage === 'aof', rdb: plan.storage === 'rdb' };
  const fleet = await Fleet.start({
    folder: setup.folder,
    under: setup.under,
    client: setup.client,
    redis,
    options: plan.options,
    workload: {
      backlog: 25,
      jobs: 1_000_000,
      priorities: [0, 1, 5, 5, 9],
      weight: plan.weight,
      duration: [1, 40],
      failures: 0.05,
      retries: 0.5,
      expirations: 0.1,
    },
  });
  try {
    const seeds = random.fork();
    await fleet.addMany(Array.from({ length: plan.workers }, () => seeds.between(1, 1e9)));
    const faults = await injectFaults(setup, plan, fleet, random.fork(), seeds);
    const settled = await fleet.drain(30_000);
    const stuck = settled ? undefined : { redis: await fleet.stored(), workers: await fleet.unsettled() };
    if (settled) {
      // The last completions are on their way, and who was killed last is missed by then.
      await sleep(CLIENT_TIMEOUT_MS + 2 * HEARTBEAT_MS);
      await fleet.look();
    }
    const ended = await fleet.close();
    if (settled && !ended)
      fleet.log.write({ k: 'crash', message: 'a worker did not end by itself after disconnect()' });
    const history = fleet.history();
    return { seed: setup.seed, plan, history, verdict: judge(history, plan.rules), faults, stuck };
  } finally {
    await fleet.stop();
  }
}

async function injectFaults(
  setup: RoundSetup,
  plan: Plan,
  fleet: Fleet,
  random: Random,
  seeds: Random,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const kinds = FAULTS.filter(({ name, needs }) => {
    return (!needs || needs === plan.storage) && (!setup.faults || setup.faults.includes(name));
  });
  const scene: Scene = {
    fleet,
    random,
    clientTimeout: CLIENT_TIMEOUT_MS,
    replace: async () => {
      if (fleet.living.length < MOST_WORKERS) await fleet.addMany([seeds.between(1, 1e9)]);
    },
  };
  const end = performance.now() + setup.length;
  while (performance.now() < end && kinds.length > 0) {
    await sleep(random.between(200, 1500));
    const kind = pick(kinds, random);
    counts[kind.name] = (counts[kind.name] ?? 0) + 1;
    setup.tell?.(`  ${kind.name}`);
    await kind.run(scene);
  }
  const rest = end - performance.now();
  if (rest > 0) await sleep(rest);
  return counts;
}

function pick(kinds: FaultKind[], random: Random): FaultKind {
  let at = random.next() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  return kinds.find(({ weight }) => (at -= weight) < 0) ?? kinds.at(-1)!;
}
