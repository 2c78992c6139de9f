import { expect } from 'chai';
import { ClusterSetup } from '../../test/support/cluster';
import { eventually } from '../../test/support/eventually';
import { Fleet } from './fleet';

const CLIENT_TIMEOUT = 2000;
const HEARTBEAT = 500;

describe('a mixed fleet on a Redis Cluster', () => {
  let cluster: ClusterSetup;
  let fleet: Fleet;
  let tests = 0;

  before(async function () {
    this.timeout(60_000);
    cluster = await ClusterSetup.start({ primaries: 3, replicas: 0 });
  });
  beforeEach(() => {
    // Bottleneck needs the braces.
    fleet = new Fleet({ port: 0, clusterNodes: cluster.startupNodes }, `{mixed-${++tests}}`);
  });
  afterEach(async () => {
    const errors = fleet.members.flatMap((member) => member.errors);
    await fleet.end();
    expect(errors).to.deep.equal([]);
  });
  after(() => cluster.stop());

  it('keeps maxConcurrent and shares', async function () {
    this.timeout(60_000);
    await fleet.compose('RROO', { maxConcurrent: 3 });
    await fleet.runEverywhere(50, 10);
    await fleet.finished();
    expect(fleet.log.runs).to.have.length(200);
    expect(fleet.log.peak()).to.equal(3);
    const { real, ours } = fleet.log.shares();
    expect(Math.min(real, ours) / (real + ours)).to.be.above(0.3);
  });

  // No node can tell who listens on another: a process whose sign of life does not change any more is dead.
  it('gets back what a dead Bottleneck process held', async function () {
    this.timeout(60_000);
    const settings = { maxConcurrent: 2, clientTimeout: CLIENT_TIMEOUT, heartbeatInterval: HEARTBEAT };
    const real = await fleet.join('real', settings);
    const ours = await fleet.join('ours', settings);
    await real.run(2, 60_000);
    await eventually(() => fleet.log.runs.length === 2);
    await ours.run(6, 10);
    await new Promise((resolve) => setTimeout(resolve, 2 * CLIENT_TIMEOUT));
    expect(fleet.log.runs, 'while it lives').to.have.length(2);
    await real.kill();
    const before = Date.now();
    await ours.finished();
    expect(Date.now() - before).to.be.within(CLIENT_TIMEOUT - HEARTBEAT, 3 * CLIENT_TIMEOUT + 2000);
    expect(fleet.log.peak()).to.equal(2);
  });
});
