import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useRedis } from '../support/redis-fixture';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

/** What each example prints. The one for Octokit is run by test/octokit. */
const PRINTS: Record<string, RegExp[]> = {
  'one-process': [/^14 pages, the first is page 0$/, /^at most 3 at once$/, /: true$/],
  fleet: [/^4 processes ran 100 jobs$/, /^at most 5 at once: true$/],
  'group-per-user': [/^limiters: ann, bob, cid$/, /: true$/, /: true$/],
  batching: [/^batches: 100, 100, 50$/],
  'retry-429': [/^Retrying a job/, /^Retrying a job/, /^10 of 10 answered$/, /^waited as told: true$/],
  // How many come while the first are at work depends on the machine.
  express: [/^answered: [789]$/, /^turned away: [123]$/],
  fastify: [/^a 200: 10, a 429: 2, b 200: 2$/],
};

describe('examples', function () {
  this.timeout(30_000);
  const redis = useRedis();

  it('are all run here', () => {
    const files = readdirSync(join(ROOT, 'examples')).filter((file) => file.endsWith('.mjs'));
    expect(files.map((file) => file.replace('.mjs', '')).sort()).to.deep.equal(Object.keys(PRINTS).sort());
  });

  for (const [name, expected] of Object.entries(PRINTS)) {
    it(`${name} does what it says, and ends by itself`, async () => {
      redis.allowKeys(/^b_example-/);
      const env = { ...process.env, REDIS_URL: `redis://127.0.0.1:${redis.server.port}` };
      const { stdout, stderr } = await run(process.execPath, [`examples/${name}.mjs`], {
        cwd: ROOT,
        env,
        timeout: 25_000,
      });
      const lines = stdout.trim().split('\n');
      expect(lines, stdout).to.have.length(expected.length);
      for (const [index, line] of lines.entries()) expect(line).to.match(expected[index]!);
      expect(stderr).to.equal('');
    });
  }
});
