/**
 * Puts other versions of Node into .tmp/nodes, for test/package/nodes.test.ts, which runs under all that it finds there.
 * They are those packages of npm that hold Node's own binary for one platform each.
 *
 *     node scripts/fetch-nodes.mjs 22 24 [--run]
 *
 * With `--run` the tests of the package and the unit tests follow, under each of them (`npm run test:nodes -- 22 24`).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeIn } from './support/nodes.cjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const args = process.argv.slice(2);
const versions = args.filter((arg) => /^\d+(\.\d+){0,2}$/.test(arg));
const unknown = args.filter((arg) => arg !== '--run' && !versions.includes(arg));
if (versions.length === 0 || unknown.length > 0) {
  console.error(`expected versions of Node such as 22 or 24.1.0, got ${args.join(' ') || 'none'}`);
  process.exit(2);
}

const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** ms that fetching one version may take. */
const FETCH_TIMEOUT = 180_000;

/** @param {string} file @param {string[]} options @param {object} [more] */
const run = (file, options, more) => execFileSync(file, options, { cwd: root, stdio: 'inherit', ...more });

/** @param {string} version @returns {string} path of the program */
function fetch(version) {
  const folder = join(root, '.tmp/nodes', version);
  const program = nodeIn(join(folder, 'node_modules', name));
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`];
    run('npm', args, { cwd: folder, timeout: FETCH_TIMEOUT });
  }
  console.log(`Node ${execFileSync(program, ['--version'], { encoding: 'utf8' }).trim().slice(1)}`);
  return program;
}

const programs = versions.map(fetch);
if (args.includes('--run')) {
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
  run('npm', ['run', 'build']);
  run(process.execPath, [mocha, '--timeout', '60000', '--spec', 'test/package/nodes.test.ts']);
  for (const program of programs) run(program, [mocha, 'test/unit/**/*.test.ts']);
}
