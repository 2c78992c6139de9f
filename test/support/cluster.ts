import type { Redis } from 'ioredis';
import { eventually } from './eventually';
import { type RedisServer, startRedis } from './redis-server';

const SLOTS = 16_384;

interface Node {
  server: RedisServer;
  client: Redis;
  id: string;
}

export interface ClusterOptions {
  /** Default 3. */
  primaries?: number;
  /** Replicas of each primary. Default 1. */
  replicas?: number;
  /** Silence after which a node counts as down, ms. Default 1000. */
  nodeTimeout?: number;
}

/** A Redis Cluster of real processes. */
export class ClusterSetup {
  private constructor(private readonly nodes: Node[]) {}

  static async start({ primaries = 3, replicas = 1, nodeTimeout = 1000 }: ClusterOptions = {}): Promise<ClusterSetup> {
    const config = {
      'cluster-enabled': 'yes',
      'cluster-node-timeout': nodeTimeout,
      'cluster-replica-validity-factor': 0,
      'repl-diskless-sync-delay': 0,
    };
    const servers = await Promise.all(Array.from({ length: primaries * (1 + replicas) }, () => startRedis({ config })));
    const nodes = await Promise.all(
      servers.map(async (server) => {
        const client = server.client();
        return { server, client, id: String(await client.cluster('MYID')) };
      }),
    );
    const setup = new ClusterSetup(nodes);
    await setup.join(primaries);
    return setup;
  }

  /** For `new Cluster(...)` and for the option `clusterNodes`. */
  get startupNodes(): Array<{ host: string; port: number }> {
    return this.nodes.map(({ server }) => ({ host: server.host, port: server.port }));
  }

  get servers(): RedisServer[] {
    return this.nodes.map(({ server }) => server);
  }

  async slotOf(key: string): Promise<number> {
    return Number(await (await this.anyone()).client.cluster('KEYSLOT', key));
  }

  /** The primary that serves a slot, as the nodes that run see it. */
  async ownerOf(slot: number): Promise<RedisServer> {
    return (await this.ownerNode(slot)).server;
  }

  /** Moves a slot with its keys to another primary, step by step as a resharding does; gives the new owner. */
  async moveSlot(slot: number, to?: RedisServer): Promise<RedisServer> {
    const source = await this.ownerNode(slot);
    const target = await this.targetNode(source, to);
    await target.client.cluster('SETSLOT', slot, 'IMPORTING', source.id);
    await source.client.cluster('SETSLOT', slot, 'MIGRATING', target.id);
    await this.moveKeys(slot, source, target);
    for (const node of [target, source, ...this.running().filter((one) => one !== target && one !== source)]) {
      // Replicas learn it from their primary.
      await node.client.cluster('SETSLOT', slot, 'NODE', target.id).catch(() => {});
    }
    await eventually(async () => (await this.ownerOf(slot)) === target.server, { that: 'the new owner' });
    return target.server;
  }

  /** Kills the primary of a slot and resolves with its successor. */
  async failover(slot: number): Promise<RedisServer> {
    const old = await this.ownerNode(slot);
    old.client.disconnect();
    await old.server.kill();
    return eventually(
      async () => {
        const now = await this.ownerNode(slot);
        return now !== old && (await stateOf(now)) === 'ok' ? now.server : undefined;
      },
      { within: 30_000, every: 20, that: 'the failover' },
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(({ server }) => server.stop()));
  }

  private running(): Node[] {
    return this.nodes.filter(({ server }) => server.running);
  }

  private async anyone(): Promise<Node> {
    const node = this.running()[0];
    if (!node) throw new Error('no node runs');
    return node;
  }

  private async ownerNode(slot: number): Promise<Node> {
    const ranges = (await (await this.anyone()).client.cluster('SLOTS')) as unknown as Array<
      [number, number, [string, number, string]]
    >;
    const id = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][2];
    const node = this.nodes.find((one) => one.id === id);
    if (!node) throw new Error(`nobody serves slot ${slot}`);
    return node;
  }

  private async targetNode(source: Node, wanted?: RedisServer): Promise<Node> {
    for (const node of this.running()) {
      if (node === source || (wanted && node.server !== wanted)) continue;
      if (((await node.client.call('ROLE')) as unknown[])[0] === 'master') return node;
    }
    throw new Error('no other primary runs');
  }

  private async moveKeys(slot: number, source: Node, target: Node): Promise<void> {
    for (;;) {
      const keys = (await source.client.cluster('GETKEYSINSLOT', slot, 100)) as string[];
      if (keys.length === 0) return;
      const { host, port } = target.server;
      await source.client.call('MIGRATE', host, port, '', 0, 5000, 'REPLACE', 'KEYS', ...keys);
    }
  }

  private async join(primaries: number): Promise<void> {
    const first = this.nodes[0]!;
    for (const [index, node] of this.nodes.entries()) {
      await node.client.cluster('SET-CONFIG-EPOCH', index + 1);
      if (index < primaries) await this.giveSlots(node, index, primaries);
      if (node !== first) await node.client.cluster('MEET', first.server.host, first.server.port);
    }
    await this.everybody('nodes that know each other', async (node) => {
      return (
        String(await node.client.cluster('NODES'))
          .trim()
          .split('\n').length === this.nodes.length
      );
    });
    for (const [index, node] of this.nodes.entries()) {
      if (index >= primaries) await this.follow(node, this.nodes[index % primaries]!);
    }
    await this.everybody('a cluster that works', async (node) => {
      const lines = String(await node.client.cluster('NODES')).split('\n');
      const followers = lines.filter((line) => / (?:myself,)?slave /.test(line)).length;
      return (await stateOf(node)) === 'ok' && followers === this.nodes.length - primaries && (await inSync(node));
    });
  }

  private async giveSlots(node: Node, index: number, of: number): Promise<void> {
    const from = Math.floor((SLOTS * index) / of);
    const to = Math.floor((SLOTS * (index + 1)) / of);
    const slots = Array.from({ length: to - from }, (_, i) => from + i);
    await node.client.cluster('ADDSLOTS', ...(slots as [number, ...number[]]));
  }

  private async follow(node: Node, primary: Node): Promise<void> {
    await eventually(() => node.client.cluster('REPLICATE', primary.id), { within: 20_000, that: 'a replica' });
  }

  private async everybody(that: string, check: (node: Node) => Promise<boolean>): Promise<void> {
    await eventually(async () => (await Promise.all(this.nodes.map(check))).every(Boolean), {
      within: 30_000,
      every: 50,
      that,
    });
  }
}

async function stateOf(node: Node): Promise<string | undefined> {
  return /cluster_state:(\w+)/.exec(String(await node.client.cluster('INFO')))?.[1];
}

async function inSync(node: Node): Promise<boolean> {
  const [role, , , link] = (await node.client.call('ROLE')) as unknown[];
  return role === 'master' || link === 'connected';
}
