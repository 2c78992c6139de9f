import { expect } from 'chai';
import { type RedisFixture, useRedis } from '../../test/support/redis-fixture';
import { Fleet } from './fleet';

export interface FleetFixture {
  readonly redis: RedisFixture;
  readonly fleet: Fleet;
}

/**
 * In a `describe`: a fleet for each test, whose processes end with it. A test fails when any of them reported an error;
 * `expected` matches those that Bottleneck reports in a fleet of its own, too.
 */
export function useFleet(expected: RegExp = /^$/): FleetFixture {
  const redis = useRedis();
  let fleet: Fleet;
  beforeEach('no process yet', () => {
    fleet = new Fleet({ port: redis.server.port, clusterNodes: null }, redis.id());
    redis.allowKeys(/^b_/);
  });
  afterEach('end all processes', async () => {
    const errors = fleet.members.flatMap((member) => member.errors.map((error) => `${member.name}: ${error}`));
    await fleet.end();
    expect(errors.filter((error) => !expected.test(error))).to.deep.equal([]);
  });
  return {
    redis,
    get fleet() {
      return fleet;
    },
  };
}
