/** What package.json has to say so that npm gives this package to those that ask for Bottleneck. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { codeBlocks } from '../docs/code-blocks';
import { ROOT } from '../package/support/consumer';
import { Registry } from '../package/support/registry';

const EXAMPLE = join(ROOT, 'examples/octokit');
const OCTOKIT = ['@octokit/core', '@octokit/plugin-throttling', '@octokit/plugin-retry'];
const run = promisify(execFile);

describe('npm installs this package where Bottleneck is asked for', function () {
  this.timeout(60_000);
  let registry: Registry;
  before(async () => {
    registry = await Registry.start([...OCTOKIT, 'bottleneck']);
  });
  after(() => registry.stop());

  /** Every package of the project that is called "bottleneck" there, as `name@version`. */
  function bottlenecksIn(folder: string): string[] {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith(join('node_modules', 'bottleneck', 'package.json')))
      .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
      .map(({ name, version }) => `${name}@${version}`);
  }

  const OURS = `rebottle@${require('../../package.json').version}`;

  it('the example for Octokit, as it is', async () => {
    const names = readdirSync(EXAMPLE);
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(EXAMPLE, name), 'utf8')]));
    const folder = await registry.install(files);
    expect(bottlenecksIn(folder)).to.deep.equal([OURS]);
    const { stdout } = await run('npm', ['start', '--silent'], { cwd: folder, timeout: 30_000 });
    expect(stdout.trim().split('\n')).to.deep.equal([
      '20 of 20 requests answered',
      'waited for the primary limit: yes',
      'a server that was down for a moment: 200',
      'given up after 2 secondary limits: You have exceeded a secondary rate limit',
    ]);
  });

  it('without an override the plugins get Bottleneck itself', async () => {
    const { overrides, ...manifest } = JSON.parse(readFileSync(join(EXAMPLE, 'package.json'), 'utf8'));
    expect(overrides).to.deep.equal({ bottleneck: 'npm:rebottle' });
    const folder = await registry.install({ 'package.json': JSON.stringify(manifest) });
    expect(bottlenecksIn(folder)).to.deep.equal(['bottleneck@2.19.5']);
  });

  for (const page of ['README.md', 'MIGRATION.md']) {
    for (const { language, code, line } of codeBlocks(readFileSync(join(ROOT, page), 'utf8'))) {
      if (language !== 'json' || !code.includes('npm:rebottle')) continue;
      const manifest = JSON.parse(code);
      const scope = manifest.overrides === undefined ? 'for own code alone' : 'for dependencies too';
      it(`${page}:${line}, ${scope}`, async () => {
        const dependencies = { ...manifest.dependencies, '@octokit/plugin-throttling': '*', '@octokit/core': '*' };
        const folder = await registry.install({
          'package.json': JSON.stringify({ ...manifest, name: 'consumer', private: true, dependencies }),
        });
        const { name, version } = JSON.parse(
          readFileSync(join(folder, 'node_modules/bottleneck/package.json'), 'utf8'),
        );
        expect(`${name}@${version}`).to.equal(OURS);
        const theirs = manifest.overrides === undefined ? ['bottleneck@2.19.5'] : [];
        expect(bottlenecksIn(folder)).to.have.members([OURS, ...theirs]);
      });
    }
  }
});
