import { freePort } from '../../scripts/support/free-port.cjs';
import { eventually } from './eventually';
import { type RedisServer, startRedis } from './redis-server';

const QUORUM = 2;

export interface SentinelOptions {
  /** Silence after which a Sentinel takes a server for down, ms. Default 500. */
  downAfter?: number;
  /** Default 1. */
  replicas?: number;
}

/** A primary, its replicas and three Sentinels, all real processes. */
export class SentinelSetup {
  readonly name = 'limits';

  private constructor(
    readonly servers: RedisServer[],
    readonly sentinels: RedisServer[],
  ) {}

  static async start({ downAfter = 500, replicas = 1 }: SentinelOptions = {}): Promise<SentinelSetup> {
    const primary = await startRedis();
    const others = await Promise.all(
      Array.from({ length: replicas }, () => startRedis({ config: { replicaof: `${primary.host} ${primary.port}` } })),
    );
    const monitor = {
      'sentinel monitor': `limits ${primary.host} ${primary.port} ${QUORUM}`,
      'sentinel down-after-milliseconds': `limits ${downAfter}`,
      'sentinel failover-timeout': 'limits 5000',
      'sentinel parallel-syncs': 'limits 1',
    };
    const sentinels = await Promise.all(
      Array.from({ length: 3 }, async () => startRedis({ port: await freePort(), sentinel: true, config: monitor })),
    );
    const setup = new SentinelSetup([primary, ...others], sentinels);
    await setup.untilSettled();
    return setup;
  }

  /** What ioredis takes instead of a host and a port. */
  get clientOptions(): { sentinels: Array<{ host: string; port: number }>; name: string } {
    return { sentinels: this.sentinels.map(({ host, port }) => ({ host, port })), name: this.name };
  }

  /** The server that the Sentinels name as the primary now. */
  async primary(): Promise<RedisServer> {
    const client = this.sentinels[0]!.client();
    try {
      const [, port] = (await client.call('SENTINEL', 'get-master-addr-by-name', this.name)) as string[];
      const server = this.servers.find((one) => one.port === Number(port));
      if (!server) throw new Error(`the Sentinels name an unknown port: ${port}`);
      return server;
    } finally {
      client.disconnect();
    }
  }

  /** Kills the primary, unless that is done already, and resolves with the replica that was promoted. */
  async failover({ alreadyDead = false } = {}): Promise<RedisServer> {
    const old = await this.primary();
    if (!alreadyDead) await old.kill();
    return eventually(
      async () => {
        const now = await this.primary();
        return now.running && now !== old && (await roleOf(now)) === 'master' ? now : undefined;
      },
      { within: 30_000, every: 20, that: 'the failover' },
    );
  }

  async stop(): Promise<void> {
    await Promise.all([...this.sentinels, ...this.servers].map((server) => server.stop()));
  }

  /** Replicas in sync, and every Sentinel knows the others and the replicas: from here on a failover can succeed. */
  private async untilSettled(): Promise<void> {
    await Promise.all(this.sentinels.map((sentinel) => this.knowsEverybody(sentinel)));
    const client = this.servers[0]!.client();
    await eventually(
      async () => (await client.info('replication')).match(/state=online/g)?.length === this.servers.length - 1,
      {
        within: 20_000,
        every: 20,
        that: 'replicas in sync',
      },
    );
    client.disconnect();
  }

  private async knowsEverybody(sentinel: RedisServer): Promise<void> {
    const client = sentinel.client();
    await eventually(
      async () => {
        const facts = pairs((await client.call('SENTINEL', 'master', this.name)) as string[]);
        return (
          Number(facts.get('num-other-sentinels')) === this.sentinels.length - 1 &&
          Number(facts.get('num-slaves')) === this.servers.length - 1
        );
      },
      { within: 30_000, every: 50, that: 'Sentinels that know each other' },
    );
    client.disconnect();
  }
}

async function roleOf(server: RedisServer): Promise<string> {
  const client = server.client();
  try {
    return String(((await client.call('ROLE')) as unknown[])[0]);
  } finally {
    client.disconnect();
  }
}

function pairs(flat: string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (let i = 0; i + 1 < flat.length; i += 2) map.set(flat[i]!, flat[i + 1]!);
  return map;
}
