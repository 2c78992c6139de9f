import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useRedis } from '../support/redis-fixture';

const ROOT = join(__dirname, '../..');
const OVERRIDE = ['--import', './test/support/override/use-rebottle.mjs'];
const run = promisify(execFile);

interface Result {
  version: string;
  [fact: string]: unknown;
}

/** The plugins on the Bottleneck that they bring, and on this package. */
const SIDES = { bottleneck: [] as string[], rebottle: OVERRIDE };

describe("Octokit's throttling and retry plugins, unmodified", function () {
  this.timeout(30_000);
  const redis = useRedis();

  async function resultOf(side: keyof typeof SIDES, scenario: string): Promise<Result> {
    const script = ['test/octokit/scenario.mjs', scenario, String(redis.server.port)];
    const { stdout } = await run(process.execPath, [...SIDES[side], ...script], { cwd: ROOT, timeout: 25_000 });
    const { version, ...facts } = JSON.parse(stdout);
    const versions = { bottleneck: '2.19.5', rebottle: require('../../package.json').version };
    expect(version).to.equal(versions[side]);
    return facts;
  }

  /** Both sides must come to the same. */
  async function result(scenario: string): Promise<Result> {
    const [ours, theirs] = await Promise.all([resultOf('rebottle', scenario), resultOf('bottleneck', scenario)]);
    expect(ours).to.deep.equal(theirs);
    return ours;
  }

  it('wait for the primary rate limit', async () => {
    const { outcomes, primary, secondary } = await result('primary');
    expect(outcomes).to.deep.equal(Array(8).fill('answered'));
    expect([primary, secondary]).to.deep.equal([true, false]);
  });

  it('obey retry-after of the secondary rate limit, and give up when told to', async () => {
    const { outcomes, limits, waited } = await result('secondary');
    expect(outcomes).to.deep.equal([403]);
    expect(waited).to.equal(true);
    expect(limits).to.deep.equal([
      { kind: 'secondary', retryAfter: 1, retryCount: 0 },
      { kind: 'secondary', retryAfter: 1, retryCount: 1 },
    ]);
  });

  it('try again when the server fails', async () => {
    const { outcomes, statuses } = await result('retry');
    expect(outcomes).to.deep.equal(['answered', 'answered']);
    expect(statuses).to.deep.equal([502, 200, 200]);
  });

  it('keep to ten requests at once, and writes a second apart', async () => {
    expect(await result('spacing')).to.deep.equal({ most: 10, apart: true });
  });

  it('share limits over Redis', async () => {
    redis.allowKeys(/^b_octokit-/);
    const { outcomes, most, keys } = await resultOf('rebottle', 'cluster');
    expect(outcomes).to.deep.equal(Array(20).fill('answered'));
    expect(most).to.be.within(2, 10);
    expect(keys).to.equal(1);
  });
});
