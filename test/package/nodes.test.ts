/** The packed package under every version of Node on this machine. `npm run test:nodes -- 22 24` fetches versions first. */
import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { findNodes } from '../../scripts/support/nodes.cjs';
import { useRedis } from '../support/redis-fixture';
import { type Consumer, consumer } from './support/consumer';

const SMOKE = join(__dirname, 'smoke');
const run = promisify(execFile);

const nodes = findNodes();
/** Those that the issue of compatibility is about; a machine without them is told so. */
const absent = [20, 22, 24].filter((major) => !nodes.some(({ version }) => version.startsWith(`${major}.`)));
for (const major of absent) {
  console.log(`  under Node ${major}: not run, it is not on this machine (npm run test:nodes -- ${major} fetches it)`);
}

describe('under each version of Node', function () {
  this.timeout(60_000);
  const redis = useRedis();
  let project: Consumer;

  before(() => {
    project = consumer();
    for (const name of ['ioredis', 'redis']) project.link(name);
    for (const file of readdirSync(SMOKE)) copyFileSync(join(SMOKE, file), join(project.folder, file));
  });
  after(() => project.remove());

  for (const { version, program } of nodes) {
    for (const file of ['smoke.cjs', 'smoke.mjs']) {
      it(`${version}: ${file.endsWith('.cjs') ? 'require' : 'import'}, in memory and on Redis, no eval allowed`, async () => {
        redis.allowKeys(/^b_(smoke-|rebottle_)/);
        const args = [
          '--disallow-code-generation-from-strings',
          '--throw-deprecation',
          file,
          String(redis.server.port),
        ];
        const { stdout, stderr } = await run(program, args, { cwd: project.folder, timeout: 50_000 });
        expect([stdout.trim(), stderr]).to.deep.equal(['all well', '']);
      });
    }

    it(`${version}: the command rebottle`, async () => {
      const command = join(project.folder, 'node_modules/rebottle/dist/bin/rebottle.js');
      const { stdout } = await run(program, [
        command,
        'top',
        '--json',
        '--url',
        `redis://127.0.0.1:${redis.server.port}`,
      ]);
      expect(JSON.parse(stdout)).to.be.an('object');
    });
  }
});
