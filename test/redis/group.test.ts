import { expect } from 'chai';
import Bottleneck from '../../lib/index';
import { eventually } from '../support/eventually';
import { failOnLeaks } from '../support/leaks';
import { useRedis } from '../support/redis-fixture';

// biome-ignore lint/suspicious/noExplicitAny: the public types are made for the build
type Any = any;

describe('Group on Redis', () => {
  const redis = useRedis();
  let groups: Any[] = [];

  afterEach(async () => {
    await Promise.all(groups.map((group) => group.disconnect()));
    groups = [];
  });

  failOnLeaks();

  function makeGroup(options: object = {}): Any {
    const { Group } = Bottleneck as Any;
    const group = new Group({
      datastore: 'ioredis',
      clientOptions: { port: redis.server.port },
      id: redis.id('group'),
      ...options,
    });
    group.on('error', (error: unknown) => {
      throw error;
    });
    groups.push(group);
    return group;
  }

  it('has a Connection object of its own, over clients that it shares with other Groups', async () => {
    const [first, second] = [makeGroup(), makeGroup()];
    expect(first.sharedConnection).to.equal(false);
    expect(first.connection).not.to.equal(second.connection);
    expect(first.connection.client).to.equal(second.connection.client);
    expect(first.key('a').connection).to.equal(first.connection);
    await first.key('a').ready();
    await first.disconnect();
    expect(await second.key('a').schedule(async () => 'still open')).to.equal('still open');
    await second.deleteKey('a');
  });

  it('tells the keys of all processes, and deletes any of them', async () => {
    const [here, there] = [makeGroup(), makeGroup()];
    await Promise.all([here.key('a').schedule(async () => 1), there.key('b').schedule(async () => 2)]);
    expect(here.keys()).to.deep.equal(['a']);
    expect((await here.clusterKeys()).sort()).to.deep.equal(['a', 'b']);
    expect(await here.deleteKey('none')).to.equal(false);
    expect(await there.deleteKey('a')).to.equal(true);
    expect(await here.clusterKeys()).to.deep.equal(['b']);
    expect(await here.deleteKey('b')).to.equal(true);
    expect(await here.deleteKey('a')).to.equal(true);
    expect(await here.clusterKeys()).to.deep.equal([]);
  });

  it('does not clean up a limiter whose job runs longer than the timeout, and does so afterwards', async () => {
    const group = makeGroup({ timeout: 200, maxConcurrent: 1 });
    const limiter = group.key('slow');
    const started = Date.now();
    const runs: number[] = [];
    const job = limiter.schedule(async () => {
      runs.push(1);
      await eventually(() => Date.now() - started > 1000);
      return 'done';
    });
    // Another limiter for the key would start this one beside it.
    await eventually(() => Date.now() - started > 700);
    const second = group.key('slow').schedule(async () => runs.length);
    expect(group.key('slow')).to.equal(limiter);
    expect(await job).to.equal('done');
    expect(await second).to.equal(1);
    await eventually(() => group.keys().length === 0);
    expect(Object.keys(group.connection.limiters)).to.deep.equal([]);
    await eventually(async () => (await redis.admin.dbsize()) === 0);
  });
});
