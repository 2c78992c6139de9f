import { expect } from 'chai';
import { Cluster } from 'ioredis';
import { ClusterSetup } from './cluster';
import { eventually } from './eventually';
import { failOnLeaks } from './leaks';

describe('ClusterSetup', function () {
  this.timeout(60_000);
  let setup: ClusterSetup;
  let client: Cluster;

  before(async () => {
    setup = await ClusterSetup.start();
  });

  after(() => setup.stop());

  failOnLeaks();

  beforeEach(() => {
    client = new Cluster(setup.startupNodes, { clusterRetryStrategy: () => 50, slotsRefreshTimeout: 5000 });
    client.on('error', () => {});
  });

  afterEach(() => client.disconnect());

  it('spreads keys over three primaries, each with a replica', async () => {
    for (const name of 'abcdef') expect(await client.set(name, name)).to.equal('OK');
    expect(setup.servers).to.have.length(6);
    const owners = await Promise.all([0, 8192, 16383].map((slot) => setup.ownerOf(slot)));
    expect(new Set(owners.map(({ port }) => port)).size).to.equal(3);
  });

  it('moves a slot with its keys', async () => {
    await client.set('{moving}1', 'x');
    const slot = await setup.slotOf('{moving}');
    const before = await setup.ownerOf(slot);
    const owner = await setup.moveSlot(slot);
    expect(owner.port).not.to.equal(before.port);
    expect(await client.get('{moving}1')).to.equal('x');
  });

  it('promotes a replica when a primary is killed', async () => {
    await client.set('{lost}1', 'x');
    const slot = await setup.slotOf('{lost}');
    const before = await setup.ownerOf(slot);
    const successor = await setup.failover(slot);
    expect(successor.port).not.to.equal(before.port);
    // Replication is asynchronous: the write may be lost, the slot is served again.
    await eventually(() => client.set('{lost}1', 'y'), { within: 20_000 });
    expect(await client.get('{lost}1')).to.equal('y');
  });
});
