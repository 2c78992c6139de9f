import fs from 'node:fs';
import path from 'node:path';
import { type RedisServer, type StartRedisOptions, startRedis } from '../support/redis-server';
import { TcpProxy } from '../support/tcp-proxy';
import { WorkerProcess } from '../support/worker-process';
import { type History, historyOf } from './history';
import { watchLateness } from './lateness';
import { LogWriter, monotonic, readLogs } from './log';
import type { WorkerSetup, Workload } from './worker-setup';

const SCRIPT = path.join(__dirname, 'worker.ts');
const READY_LIMIT_MS = 60_000;

export interface FleetSetup {
  /** Folder for the logs; made if it is not there. */
  folder: string;
  /** Name or path of the package under test. */
  under: string;
  /** Client library to pass to it, such as `ioredis`; undefined for a limiter without Redis. */
  client: string | undefined;
  /** Options of every worker's limiter. */
  options: Record<string, unknown>;
  workload: Omit<Workload, 'seed'>;
  redis?: StartRedisOptions;
  /** Instead of the worker's own proxy, for Sentinels and clusters. */
  connection?: Record<string, unknown>;
}

export interface Member {
  name: string;
  process: WorkerProcess;
  proxy: TcpProxy | undefined;
  /** No longer counts as one of the fleet: killed or gone. */
  gone: boolean;
}

/** ms between two looks at how late the driver's timers are, and what is worth noting. */
const LATENESS_EVERY = 5;
const LATENESS_NOTED = 3;

/** Worker processes of one limiter on one Redis, each behind a proxy of its own. */
export class Fleet {
  readonly members: Member[] = [];
  private readonly logs: string;
  private started = 0;
  private readonly endLateness: () => void;

  private constructor(
    readonly setup: FleetSetup,
    readonly server: RedisServer | undefined,
    readonly clockOffset: number,
    readonly log: LogWriter,
  ) {
    this.logs = setup.folder;
    // The proxies live in the driver: when it is late, everything between workers and Redis was late, too.
    this.endLateness = watchLateness(
      () => log.now(),
      LATENESS_EVERY,
      (ms) => ms > LATENESS_NOTED && log.write({ k: 'late', ms }),
    );
  }

  static async start(setup: FleetSetup): Promise<Fleet> {
    fs.mkdirSync(setup.folder, { recursive: true });
    const needsServer = setup.client !== undefined && setup.connection === undefined;
    const server = needsServer ? await startRedis(setup.redis) : undefined;
    const offset = server ? await clockOffset(server) : 0;
    return new Fleet(setup, server, offset, new LogWriter(path.join(setup.folder, 'driver.jsonl'), offset));
  }

  get living(): Member[] {
    return this.members.filter(({ gone }) => !gone);
  }

  async add(seed: number, extra: Partial<WorkerSetup> = {}): Promise<Member> {
    const name = `w${++this.started}`;
    const proxy = this.server ? await TcpProxy.start(this.server) : undefined;
    const setup: WorkerSetup = {
      name,
      under: this.setup.under,
      client: this.setup.client,
      options: { ...this.setup.options, ...this.connectionOptions(proxy) },
      workload: { ...this.setup.workload, seed },
      server: this.server && { host: this.server.host, port: this.server.port },
      logFile: path.join(this.logs, `${name}.jsonl`),
      clockOffset: this.clockOffset,
      ...extra,
    };
    const process = new WorkerProcess(SCRIPT, {
      env: { CHAOS_WORKER: JSON.stringify(setup) },
      logFile: path.join(this.logs, `${name}.out`),
    });
    const member: Member = { name, process, proxy, gone: false };
    this.members.push(member);
    await process.waitFor('loaded', READY_LIMIT_MS);
    return member;
  }

  /** Adds workers and lets them go once all are ready. */
  async addMany(seeds: number[], extra: Partial<WorkerSetup> = {}): Promise<Member[]> {
    const members = await Promise.all(seeds.map((seed) => this.add(seed, extra)));
    await Promise.all(members.map(({ process }) => process.waitFor('ready', READY_LIMIT_MS)));
    for (const { process } of members) process.send({ type: 'go' });
    return members;
  }

  /** Notes a fault with its beginning and end, of one worker or of all, whatever happens within. */
  async noted(fault: string, member: Member | undefined, work: () => Promise<unknown> | unknown): Promise<void> {
    const t = this.log.now();
    try {
      await work();
    } finally {
      const until = this.log.now();
      this.log.write({ k: 'fault', t, until, fault, ...(member ? { worker: member.name } : {}) });
    }
  }

  async kill(member: Member): Promise<void> {
    member.gone = true;
    this.log.write({ k: 'kill', worker: member.name });
    await member.process.kill();
    await member.proxy?.stop();
  }

  /** `stop()` and `disconnect()` in the worker, which must then end by itself. */
  async dismiss(member: Member, within = 15_000): Promise<boolean> {
    member.gone = true;
    member.process.send({ type: 'leave' });
    const ended = await endsWithin(member.process, within);
    if (!ended) await member.process.kill();
    await member.proxy?.stop();
    return ended;
  }

  /** No more submissions; true once all promises have settled, false if the time ran out. */
  async drain(within: number): Promise<boolean> {
    const waits = this.living.map(({ process }) => {
      process.send({ type: 'drain' });
      return process.waitFor('drained', within).then(
        () => true,
        () => false,
      );
    });
    const all = (await Promise.all(waits)).every(Boolean);
    if (!all) this.log.write({ k: 'deadline' });
    return all;
  }

  /** What the limiter says of itself when all is quiet. */
  async look(): Promise<void> {
    const asked = this.living[0];
    if (!asked) return;
    const looks = await Promise.all(
      this.living.map(({ process }) => {
        process.send({ type: 'look' });
        return process.waitFor('look', 5000).catch(() => undefined);
      }),
    );
    const known = looks.filter((look) => look !== undefined);
    const worst = (field: 'running' | 'queued') => Math.max(...known.map((look) => Number(look[field])));
    if (known.length === 0) return;
    const counts: Record<string, number> = {};
    for (const look of known) {
      for (const [state, count] of Object.entries(look.counts as Record<string, number>)) {
        counts[state] = (counts[state] ?? 0) + count;
      }
    }
    this.log.write({ k: 'rest', running: worst('running'), queued: worst('queued'), counts });
  }

  /** What waits in each worker, with the limiter's own word on it. */
  async unsettled(): Promise<Record<string, string[]>> {
    const rest: Record<string, string[]> = {};
    for (const { name, process } of this.living) {
      process.send({ type: 'rest' });
      const answer = await process.waitFor('rest', 2000).catch(() => undefined);
      rest[name] = (answer?.rest as string[] | undefined) ?? ['no answer'];
    }
    return rest;
  }

  /** What Redis has of the limiter: the contents of its small keys, the sizes of the others. */
  async stored(): Promise<Record<string, unknown>> {
    if (!this.server) return {};
    const client = this.server.client();
    try {
      const found: Record<string, unknown> = { time: await client.time() };
      for (const key of await client.keys('*')) found[key] = await contentsOf(client, key);
      return found;
    } finally {
      client.disconnect();
    }
  }

  /** All workers disconnect and end; notes which keys they leave. False if one of them had to be killed. */
  async close(): Promise<boolean> {
    const ends = this.living.map(async (member) => {
      member.process.send({ type: 'close' });
      const ended = await endsWithin(member.process, 10_000);
      if (!ended) await member.process.kill();
      return ended;
    });
    const all = (await Promise.all(ends)).every(Boolean);
    await this.noteKeys();
    return all;
  }

  async stop(): Promise<void> {
    for (const { process, proxy } of this.members) {
      if (process.running) await process.kill();
      await proxy?.stop().catch(() => {});
    }
    await this.server?.stop();
    this.endLateness();
    this.log.close();
  }

  history(): History {
    return historyOf(readLogs(this.logs));
  }

  private async noteKeys(): Promise<void> {
    if (!this.server) return;
    const client = this.server.client();
    this.log.write({ k: 'keys', keys: await client.keys('*') });
    client.disconnect();
  }

  private connectionOptions(proxy: TcpProxy | undefined): Record<string, unknown> {
    if (this.setup.connection) return this.setup.connection;
    return proxy ? { clientOptions: { host: proxy.host, port: proxy.port } } : {};
  }
}

/** Members of a key that are told at most. */
const MEMBERS_TOLD = 60;

async function contentsOf(client: ReturnType<RedisServer['client']>, key: string): Promise<unknown> {
  const read: Record<string, () => Promise<unknown>> = {
    hash: () => client.hgetall(key),
    zset: () => client.zrangebyscore(key, '-inf', '+inf', 'WITHSCORES', 'LIMIT', 0, MEMBERS_TOLD),
    list: () => client.lrange(key, 0, MEMBERS_TOLD - 1),
  };
  return read[await client.type(key)]?.();
}

async function endsWithin(process: WorkerProcess, within: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), within);
  });
  const ended = await Promise.race([process.exited.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}

/** How far the server's clock is ahead of the monotonic one, by the quickest of some round trips. */
async function clockOffset(server: RedisServer): Promise<number> {
  const client = server.client();
  let best = { took: Number.POSITIVE_INFINITY, offset: 0 };
  for (let i = 0; i < 20; i++) {
    const before = monotonic();
    const [seconds, micros] = (await client.time()) as unknown as [string, string];
    const took = monotonic() - before;
    const server = Number(seconds) * 1000 + Number(micros) / 1000;
    if (took < best.took) best = { took, offset: server - before - took / 2 };
  }
  client.disconnect();
  return best.offset;
}
