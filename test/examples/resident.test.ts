import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useRedis } from '../support/redis-fixture';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

/** What each example prints, line by line. */
const PRINTS: Record<string, RegExp[]> = {
  'first-steps': [
    /^first,soon,whenever$/,
    /^flaky: attempt 2 in 50 ms$/,
    /^flaky: attempt 3 in 100 ms$/,
    /^done at attempt 3$/,
  ],
  orphans: [
    /^the other process is gone$/,
    /^ship-7 was left executing by a process that died$/,
    /^order 7 is on its way$/,
  ],
  'per-tenant': [
    /^sent to ann,bob,cid,dan, at most 1 at once$/,
    /^now at most 2 at once$/,
    /^search gave 5, 2 limiters$/,
  ],
  'inspect-and-cancel': [
    ...[/^\{$/, /^ {2}ready: 2,$/, /^ {2}delayed: 1,$/, /^ {2}running: 1,$/, /runningWeight: 1/, /doneWeight: 0/],
    ...[/reservoir: null/, /^ {2}local: \{ pending: 3, executing: 1 \}$/, /^\}$/],
    ...[/^executing: import$/, /^ready: report,mail$/, /^delayed: tomorrow$/, /^before mail: 1$/],
    ...[/^cancel report: true$/, /^cancel tomorrow: true$/, /^cancel mail: true$/, /^cancel import: true$/],
    ...[/^cancel nothing: false$/, /^cancelled,cancelled,cancelled,cancelled$/],
  ],
  // Whether a second job has begun when the signal comes depends on the machine.
  shutdown: [/^asked to end$/, /^[12] finished, [34] to be done elsewhere$/, /^ended$/],
};

describe("examples of the engine's own API", function () {
  this.timeout(30_000);
  const redis = useRedis();

  it('are all run here', () => {
    const files = readdirSync(join(ROOT, 'examples/resident'));
    expect(files.sort()).to.deep.equal(
      Object.keys(PRINTS)
        .map((name) => `${name}.mjs`)
        .sort(),
    );
  });

  for (const [name, expected] of Object.entries(PRINTS)) {
    it(`${name} does what it says, and ends by itself`, async () => {
      redis.allowKeys(/^b_/);
      const env = { ...process.env, REDIS_URL: `redis://127.0.0.1:${redis.server.port}` };
      const args = [`examples/resident/${name}.mjs`];
      const { stdout, stderr } = await run(process.execPath, args, { cwd: ROOT, env, timeout: 25_000 });
      const lines = stdout.trimEnd().split('\n');
      expect(lines, stdout).to.have.length(expected.length);
      for (const [index, line] of lines.entries()) expect(line).to.match(expected[index]!);
      expect(stderr).to.equal('');
    });
  }
});
