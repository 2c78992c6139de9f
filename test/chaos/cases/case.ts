import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { RedisServer } from '../../support/redis-server';
import { FAULTS, type Scene } from '../faults';
import { Fleet, type FleetSetup } from '../fleet';
import type { History } from '../history';
import { judge, type Verdict } from '../judge';
import { type Limiter, loadLimiter } from '../load-package';
import { Random } from '../random';
import { BOTTLENECK_KEYS, type Rules } from '../rules';

/** The package that the cases are about, and the client library it is given. */
export const UNDER = process.env.REBOTTLE_UNDER ?? 'lib';
export const CLIENT = UNDER === 'bottleneck' ? 'ioredis4' : 'ioredis';

export const CLIENT_TIMEOUT = 1500;
export const HEARTBEAT = 300;

const WORKLOAD: FleetSetup['workload'] = {
  backlog: 15,
  jobs: 1_000_000,
  priorities: [1, 5, 9],
  weight: [1, 1],
  duration: [1, 30],
  failures: 0.05,
  retries: 0.5,
  expirations: 0,
};

export interface CaseSetup {
  options?: Record<string, unknown>;
  workload?: Partial<FleetSetup['workload']>;
  redis?: FleetSetup['redis'];
  connection?: FleetSetup['connection'];
  rules?: Partial<Rules>;
  /** Default 3. */
  workers?: number;
  /** Default true: all must come to rest after the scenario. */
  drains?: boolean;
}

export interface CaseResult {
  history: History;
  verdict: Verdict;
}

/** A fleet under load, a scenario, then quiet; gives the history and the verdict on it. */
export async function runCase(setup: CaseSetup, scenario: (fleet: Fleet) => Promise<unknown>): Promise<CaseResult> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rebottle-case-'));
  const options = { maxConcurrent: 4, minTime: 0, ...setup.options };
  const fleet = await Fleet.start({
    folder,
    under: UNDER,
    client: CLIENT,
    options: {
      id: 'case',
      datastore: 'ioredis',
      clientTimeout: CLIENT_TIMEOUT,
      heartbeatInterval: HEARTBEAT,
      ...options,
    },
    workload: { ...WORKLOAD, ...setup.workload },
    ...(setup.redis ? { redis: setup.redis } : {}),
    ...(setup.connection ? { connection: setup.connection } : {}),
  });
  try {
    await fleet.addMany(Array.from({ length: setup.workers ?? 3 }, (_, i) => i + 1));
    await scenario(fleet);
    if (setup.drains !== false) await comeToRest(fleet);
    const history = fleet.history();
    return { history, verdict: judge(history, { ...rulesOf(options), ...setup.rules }) };
  } finally {
    await fleet.stop();
    fs.rmSync(folder, { recursive: true });
  }
}

async function comeToRest(fleet: Fleet): Promise<void> {
  expect(await fleet.drain(30_000), `all promises settle; open: ${JSON.stringify(await openJobs(fleet))}`).to.equal(
    true,
  );
  await sleep(200);
  await fleet.look();
  expect(await fleet.close(), 'every worker ends by itself after disconnect()').to.equal(true);
}

async function openJobs(fleet: Fleet): Promise<unknown> {
  return Object.fromEntries(Object.entries(await fleet.unsettled()).map(([name, jobs]) => [name, jobs.slice(0, 5)]));
}

function rulesOf(options: Record<string, unknown>): Rules {
  return {
    maxConcurrent: options.maxConcurrent as number,
    minTime: options.minTime as number,
    reservoir: null,
    clientTimeout: CLIENT_TIMEOUT,
    heartbeatInterval: HEARTBEAT,
    fleetOrder: true,
    keysAllowed: BOTTLENECK_KEYS,
  };
}

export function expectClean({ violations }: Verdict): void {
  expect(violations.map(({ invariant, what }) => `${invariant}: ${what}`)).to.deep.equal([]);
}

/** The same fault several times over, with load in between. */
export async function repeatFault(fleet: Fleet, name: string, times: number, seed = 1): Promise<void> {
  const kind = FAULTS.find((one) => one.name === name);
  if (!kind) throw new Error(`no such fault: ${name}`);
  const random = new Random(seed);
  const scene: Scene = {
    fleet,
    random,
    clientTimeout: CLIENT_TIMEOUT,
    replace: async () => {
      await fleet.addMany([random.between(1, 1e9)]);
    },
  };
  for (let i = 0; i < times; i++) {
    await sleep(300);
    await kind.run(scene);
  }
  await sleep(300);
}

/** Starts of first attempts by worker. */
export function startsOf(history: History, worker: string): number[] {
  return [...history.jobs.values()]
    .filter((job) => job.worker.name === worker)
    .flatMap((job) => job.executions.filter(({ attempt }) => attempt === 0).map(({ start }) => start))
    .sort((a, b) => a - b);
}

/** Limiters in this process, disconnected by `closeAll()`. */
export class Limiters {
  private readonly open: Limiter[] = [];
  readonly errors: string[] = [];

  constructor(private readonly defaults: Record<string, unknown> = {}) {}

  /** Each has connections of its own, as if it were in another process. */
  on(server: RedisServer, options: Record<string, unknown>, clientOptions: Record<string, unknown> = {}): Limiter {
    return this.create({
      clientOptions: {
        host: server.host,
        port: server.port,
        connectionName: `limiter-${this.open.length}`,
        ...clientOptions,
      },
      ...options,
    });
  }

  create(options: Record<string, unknown>): Limiter {
    const Bottleneck = loadLimiter(UNDER);
    const limiter = new Bottleneck({
      datastore: 'ioredis',
      Redis: require(CLIENT),
      clientTimeout: CLIENT_TIMEOUT,
      heartbeatInterval: HEARTBEAT,
      ...this.defaults,
      ...options,
    });
    limiter.on('error', ((error: Error) => this.errors.push(String(error?.message ?? error))) as never);
    this.open.push(limiter);
    return limiter;
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.open.splice(0).map((limiter) => limiter.disconnect(true).catch(() => {})));
  }
}
