/**
 * The conformance kit over every client library that redis-store.test.ts does not have: on one node, behind Sentinel
 * and on a cluster. The limiters of a library share a pair of connections.
 */
import type { Connection } from '../../lib/store/redis/connection';
import { type Family, families } from '../redis/client-families';
import { ClusterSetup } from '../support/cluster';
import { useRedis } from '../support/redis-fixture';
import { SentinelSetup } from '../support/sentinel';
import { describeStore } from './describe-store';
import { open, openStore } from './redis-stores';

const IN_REDIS_STORE_TEST = ['ioredis 6', 'node-redis 6'];
let limiters = 0;

function conforms(family: Family, to: string, connect: (family: Family) => Connection): void {
  describe(`${family.name}, ${to}`, () => {
    let connection: Connection;
    before(() => {
      connection = connect(family);
    });
    after(() => connection.disconnect());

    describeStore(`RedisStore with ${family.name}, ${to}`, ({ settings, timeout }) =>
      openStore(connection, { id: `conformance-${limiters++}`, settings, timeout, release: async () => {} }),
    );
  });
}

describe('RedisStore with the other clients', () => {
  const redis = useRedis();
  beforeEach(() => redis.allowKeys(/./)); // settings stay, as with Bottleneck

  for (const family of families.filter(({ name }) => !IN_REDIS_STORE_TEST.includes(name))) {
    conforms(family, 'one node', ({ options }) => open(family, { clientOptions: options(redis.server.port) }));
  }
});

describe('RedisStore behind Sentinel', () => {
  let sentinel: SentinelSetup;
  before('start the servers', async function () {
    this.timeout(60_000);
    sentinel = await SentinelSetup.start();
  });
  after('stop the servers', () => sentinel.stop());

  for (const family of families.filter(({ datastore }) => datastore === 'ioredis')) {
    conforms(family, 'Sentinel', () => open(family, { clientOptions: sentinel.clientOptions }));
  }
});

describe('RedisStore on a cluster', () => {
  let cluster: ClusterSetup;
  before('start the nodes', async function () {
    this.timeout(60_000);
    cluster = await ClusterSetup.start({ primaries: 3, replicas: 0 });
  });
  after('stop the nodes', () => cluster.stop());

  // Versions 2 and 3 of node-redis know no clusters.
  for (const family of families.filter(({ name }) => !/node-redis [23]/.test(name))) {
    conforms(family, 'cluster', () => open(family, { clusterNodes: cluster.startupNodes, clientOptions: {} }));
  }
});
