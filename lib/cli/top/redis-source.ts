import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import type { LimiterState } from './limiter-view.js';
import { askOwnQueue, OWN_QUEUE_REPLIES, readOwnQueue } from './own-queue.js';

export interface SourceOptions {
  /** `redis://` or `rediss://`, with user and password where needed. */
  readonly url: string;
  /** Limiters whose id matches; a glob of Redis. */
  readonly match: string;
  /** Of a client that prefixes its keys. */
  readonly keyPrefix: string;
  /** Most limiters that are read. */
  readonly limit: number;
}

export interface Reading {
  /** The server's clock, ms. */
  readonly now: number;
  readonly limiters: readonly LimiterState[];
  /** Limiters found, of which at most `limit` were read. */
  readonly found: number;
  /** Whether the whole keyspace was looked at for limiters. */
  readonly complete: boolean;
}

/** Keys that one SCAN looks at, and SCANs in one reading of one node: no reading keeps Redis busy for long. */
const SCAN_COUNT = 1000;
const SCANS_PER_READING = 50;
/** Most clients of a limiter that are read. */
const MAX_CLIENTS = 1000;
const TIMEOUT = 5000;

const SUFFIX = 'settings';

/** Reads limiters from one Redis, by commands that look at bounded parts of it. */
export class RedisSource {
  private client: Redis | Cluster;
  private readonly names = new Set<string>();
  private readonly scans = new Map<string, KeyspaceScan>();

  /** What the sockets reported last: more than the client says when it gives up. */
  private lastError: Error | undefined;

  constructor(private readonly options: SourceOptions) {
    this.client = this.watched(new Redis(options.url, CLIENT_OPTIONS));
  }

  /** Rejects when the server cannot be reached, refuses us, or does not answer. */
  async connect(): Promise<void> {
    await this.open();
    const single = this.client as Redis;
    if (!(await isCluster(single))) return;
    const { host, port, tls, username, password } = single.options;
    single.disconnect();
    const redisOptions = { ...CLIENT_OPTIONS, ...withoutUndefined({ tls, username, password }) };
    const options: ClusterOptions = { redisOptions, clusterRetryStrategy: () => null, lazyConnect: true };
    this.client = this.watched(new Cluster([{ host, port }], options));
    await this.open();
  }

  async read(): Promise<Reading> {
    if (this.client.status === 'end') await this.open();
    const complete = await this.lookForLimiters();
    const names = [...this.names].sort();
    const [seconds = 0, micros = 0] = (await this.client.time()).map(Number);
    const states = await Promise.all(names.slice(0, this.options.limit).map((name) => this.readLimiter(name)));
    return {
      now: seconds * 1000 + Math.floor(micros / 1000),
      limiters: states.filter((state) => state !== undefined),
      found: this.names.size,
      complete,
    };
  }

  private async open(): Promise<void> {
    this.lastError = undefined;
    try {
      await this.client.connect();
    } catch (error) {
      throw this.lastError ?? error;
    }
  }

  private watched<C extends Redis | Cluster>(client: C): C {
    client.on('error', (error: Error) => {
      this.lastError = error;
    });
    return client;
  }

  disconnect(): void {
    this.client.disconnect();
  }

  /** Goes on where the last reading stopped. Returns whether every key has been looked at once. */
  private async lookForLimiters(): Promise<boolean> {
    const nodes = this.client instanceof Cluster ? this.client.nodes('master') : [this.client];
    const pattern = `${escapeGlob(this.options.keyPrefix)}b_${this.options.match}_${SUFFIX}`;
    const complete = await Promise.all(
      nodes.map((node) => {
        const address = `${node.options.host}:${node.options.port}`;
        const scan = this.scans.get(address) ?? new KeyspaceScan(pattern);
        this.scans.set(address, scan);
        return scan.advance(node, this.names);
      }),
    );
    return complete.every((one) => one);
  }

  private async readLimiter(settingsKey: string): Promise<LimiterState | undefined> {
    const prefix = settingsKey.slice(0, -SUFFIX.length);
    const pipeline = this.client.pipeline();
    pipeline.hgetall(settingsKey).hgetall(`${prefix}client_num_queued`);
    for (const name of ['client_running', 'client_last_seen', 'client_last_registered']) {
      pipeline.zrange(`${prefix}${name}`, '0', String(MAX_CLIENTS - 1), 'WITHSCORES');
    }
    askOwnQueue(pipeline, prefix);
    const replies = ((await pipeline.exec()) ?? []).map(([error, reply]) => {
      if (error) throw error;
      return reply;
    });
    const [settings, queued, running, seen, registered] = replies as [Hash, Hash, string[], string[], string[]];
    if (Object.keys(settings).length === 0) {
      this.names.delete(settingsKey);
      return undefined;
    }
    return {
      id: settings.id ?? idIn(prefix, this.options.keyPrefix),
      settings,
      queued: new Map(Object.entries(queued).map(([client, count]) => [client, Number(count)])),
      running: scores(running),
      seen: scores(seen),
      registered: scores(registered),
      windowStart: await this.windowStart(prefix, Number(settings.rb_windowMax)),
      own: readOwnQueue(replies.slice(-OWN_QUEUE_REPLIES)),
    };
  }

  /** The start that has to leave the sliding window before there is another. */
  private async windowStart(prefix: string, max: number): Promise<number | null> {
    if (!(max > 0)) return null;
    const start = await this.client.lindex(`${prefix}rb_starts`, -max);
    return start === null ? null : Number(start);
  }
}

type Hash = Record<string, string>;

const CLIENT_OPTIONS: RedisOptions = {
  lazyConnect: true,
  connectTimeout: TIMEOUT,
  commandTimeout: TIMEOUT,
  // Whoever looks at the screen is told at once, and the next reading connects anew.
  retryStrategy: () => null,
  maxRetriesPerRequest: 0,
  protocol: 2,
  connectionName: 'rebottle-top',
};

/** A walk over all keys of one node, a bounded part at a time, over and over. */
class KeyspaceScan {
  private cursor = '0';
  private completed = false;

  constructor(private readonly pattern: string) {}

  /** Adds the names that match. Returns whether the walk has been all the way round. */
  async advance(node: Redis, names: Set<string>): Promise<boolean> {
    for (let scans = 0; scans < SCANS_PER_READING; scans += 1) {
      const [next, found] = await node.scan(this.cursor, 'MATCH', this.pattern, 'COUNT', SCAN_COUNT);
      for (const name of found) names.add(name);
      this.cursor = next;
      if (next === '0') {
        this.completed = true;
        break;
      }
    }
    return this.completed;
  }
}

async function isCluster(client: Redis): Promise<boolean> {
  try {
    return /cluster_enabled:1/.test(await client.info('cluster'));
  } catch {
    return false; // Not every user may ask.
  }
}

function scores(reply: readonly string[]): Map<string, number> {
  const map = new Map<string, number>();
  for (let index = 0; index < reply.length; index += 2) map.set(reply[index] ?? '', Number(reply[index + 1]));
  return map;
}

function idIn(prefix: string, keyPrefix: string): string {
  return prefix.slice(`${keyPrefix}b_`.length, -1);
}

function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]^]/g, '\\$&');
}

function withoutUndefined<T extends object>(object: T): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
}
