import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Script } from '../../lib/store/redis/clients/client';
import { type Connection, IORedisConnection, RedisConnection } from '../../lib/store/redis/connection';
import { limiterKeys } from '../../lib/store/redis/keys';
import { ClusterSetup } from '../support/cluster';
import { eventually } from '../support/eventually';
import { failOnLeaks } from '../support/leaks';
import { families } from './client-families';

// biome-ignore lint/suspicious/noExplicitAny: the native libraries have nothing in common
type Any = any;

const source = `redis.call('HINCRBY', KEYS[1], 'n', ARGV[1]) return {redis.call('HGET', KEYS[1], 'n'), #KEYS}`;
const COUNT: Script = { source, sha: createHash('sha1').update(source).digest('hex') };

/** A cluster client as a user makes it, not yet connected where that is a step of its own. */
function userClient(name: string, Redis: Any, nodes: { host: string; port: number }[]): Any {
  if (name.startsWith('io')) return new Redis.Cluster(nodes);
  const raw = Redis.createCluster({ rootNodes: nodes.map((socket) => ({ socket })) });
  raw.on('error', () => {});
  return raw;
}

function endUserClient(raw: Any): unknown {
  return raw.destroy ? raw.destroy() : raw.disconnect();
}

describe('Redis clients on a cluster', () => {
  let cluster: ClusterSetup;
  let ids = 0;

  before('start a cluster', async function () {
    this.timeout(60_000);
    cluster = await ClusterSetup.start({ primaries: 3, replicas: 0 });
  });

  after('stop the cluster', () => cluster.stop());

  // Versions 2 and 3 of node-redis know no clusters.
  for (const family of families.filter(({ name }) => !/node-redis [23]/.test(name))) {
    describe(family.name, () => {
      const Class = family.datastore === 'ioredis' ? IORedisConnection : RedisConnection;
      let connection: Connection;
      let id: string;
      let keys: string[];

      beforeEach(() => {
        id = `cluster-${ids++}`;
        keys = limiterKeys(id, { cluster: true });
      });

      afterEach(() => connection.disconnect(false));

      failOnLeaks({ within: 3000 });

      async function connect(): Promise<void> {
        connection = new Class({ Redis: family.Redis, clusterNodes: cluster.startupNodes, clientOptions: {} });
        await connection.ready;
      }

      it('is recognised', async () => {
        await connect();
        expect(connection.link.isCluster).to.equal(true);
        expect(connection.commands).to.include({ isCluster: true, isReady: true, owned: true });
        expect(await connection.commands.nodes()).to.have.lengthOf(3);
      });

      it('runs scripts over all keys of a limiter, on whichever node they are', async () => {
        await connect();
        for (let i = 0; i < 12; i++) {
          const some = limiterKeys(`${id}-${i}`, { cluster: true });
          const calls = [1, 2, 3].map((n) => connection.commands.evalScript(COUNT, some, [n]));
          expect(await Promise.all(calls)).to.deep.equal([1, 3, 6].map((n) => [String(n), some.length]));
          expect(await connection.deleteLimiterKeys(`${id}-${i}`)).to.equal(1);
        }
      });

      it('sends the source again after SCRIPT FLUSH, and follows a slot that moves', async () => {
        await connect();
        await connection.commands.evalScript(COUNT, keys, [1]);
        for (const node of await connection.commands.nodes()) await node.call('SCRIPT', ['FLUSH']);
        expect(await connection.commands.evalScript(COUNT, keys, [1])).to.deep.equal(['2', keys.length]);
        await cluster.moveSlot(await cluster.slotOf(keys[0]!));
        expect(await connection.commands.evalScript(COUNT, keys, [1])).to.deep.equal(['3', keys.length]);
        expect(await connection.commands.call('HGET', [keys[0]!, 'n'], 1)).to.equal('3');
        expect(await connection.deleteLimiterKeys(id)).to.equal(1);
      });

      it('finds the keys of a Group on all nodes, also those with a hash tag of their own', async () => {
        await connect();
        const names = ['', 'a', 'b', 'c', 'd', 'e', 'f', '{tag}', 'x{tag}'];
        const limiterIds = names.map((name) => `${id}-${name}`);
        for (const limiterId of limiterIds) {
          const [settings] = limiterKeys(limiterId, { cluster: true });
          await connection.commands.call('HSET', [settings!, 'version', 'x'], 1);
        }
        expect((await connection.groupKeys(id)).sort()).to.deep.equal([...names].sort());
        for (const limiterId of limiterIds) expect(await connection.deleteLimiterKeys(limiterId)).to.equal(1);
        expect(await connection.groupKeys(id)).to.deep.equal([]);
      });

      it('publishes from any node to any other', async () => {
        await connect();
        const received: string[][] = [];
        connection.subscriptions.onMessage((channel, message) => received.push([channel, message]));
        await connection.subscriptions.subscribe(`b_${id}`);
        for (const [i, node] of (await connection.commands.nodes()).entries()) {
          await node.call('PUBLISH', [`b_${id}`, `from ${i}`]);
        }
        await connection.commands.publish(`b_${id}`, 'from the client');
        await eventually(() => received.length === 4);
        expect(received.map(([channel]) => channel)).to.deep.equal(Array(4).fill(`b_${id}`));
        await connection.subscriptions.unsubscribe(`b_${id}`);
      });

      it('uses a client that was given, once its user has connected it, and leaves it open', async () => {
        const raw = userClient(family.name, family.Redis, cluster.startupNodes);
        try {
          connection = new Class({ client: raw });
          if (family.datastore === 'redis') await raw.connect();
          await connection.ready;
          expect(connection.commands).to.include({ raw, owned: false, isCluster: true });
          expect(await connection.commands.evalScript(COUNT, keys, [1])).to.deep.equal(['1', keys.length]);
          await connection.subscriptions.subscribe(`b_${id}`);
          await connection.disconnect();
          const again = new Class({ client: raw });
          await again.ready;
          expect(await again.deleteLimiterKeys(id)).to.equal(1);
          await again.disconnect();
        } finally {
          await endUserClient(raw);
        }
      });
    });
  }
});
