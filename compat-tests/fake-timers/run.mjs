/**
 * npm run test:fake-timers
 *
 * Runs small suites, written as people write them, under the fake timers of node:test, mocha with sinon, jest and
 * vitest, first on Bottleneck and then on rebottle (the built one). Each must pass on both.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, '../..');
const modules = join(folder, 'node_modules');

/** How long one suite may take. */
const LIMIT_MS = 120_000;

/** @param {string} text */
const json = (text) => JSON.parse(text.slice(text.indexOf('{')));

/** @type {{ name: string, args: string[], count: (text: string) => { passed: number, failed: number } }[]} */
const suites = [
  {
    name: 'node:test',
    args: ['--require', './redirect.cjs', '--test', '--test-reporter=tap', 'node-test/suite.test.cjs'],
    count: (text) => ({ passed: tapCount(text, 'pass'), failed: tapCount(text, 'fail') }),
  },
  {
    name: 'mocha and sinon',
    args: ['--require', './redirect.cjs', 'node_modules/mocha/bin/mocha.js', '--reporter=json', 'mocha/suite.test.cjs'],
    count: (text) => ({ passed: json(text).stats.passes, failed: json(text).stats.failures }),
  },
  {
    name: 'jest',
    args: ['node_modules/jest/bin/jest.js', '--json', '--silent'],
    count: (text) => ({ passed: json(text).numPassedTests, failed: json(text).numFailedTests }),
  },
  {
    name: 'vitest',
    args: ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json'],
    count: (text) => ({ passed: json(text).numPassedTests, failed: json(text).numFailedTests }),
  },
];

/** @param {string} text @param {string} word */
function tapCount(text, word) {
  return Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(text)?.[1]);
}

function prepare() {
  if (!existsSync(join(modules, 'jest'))) {
    const installed = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'inherit',
    });
    if (installed.status !== 0) throw new Error('npm install failed');
  }
  if (!existsSync(join(root, 'dist/index.js'))) {
    const built = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
    if (built.status !== 0) throw new Error('the build failed');
  }
  rmSync(join(modules, 'rebottle'), { force: true });
  symlinkSync(relative(modules, root), join(modules, 'rebottle'));
}

/** @param {(typeof suites)[number]} suite @param {string} subject */
function run({ name, args, count }, subject) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    maxBuffer: 2 ** 26,
    env: { ...process.env, FAKE_TIMERS_SUBJECT: subject, NODE_OPTIONS: '' },
  });
  const { passed, failed } = readCounts(stdout, count);
  const broken = status !== 0 || !(passed > 0) || failed !== 0;
  console.log(
    `${name.padEnd(16)} ${subject.padEnd(11)} ${passed} passed, ${failed} failed${broken ? '  <-- FAILED' : ''}`,
  );
  if (broken) console.log(`${stdout.slice(-8000)}\n${stderr.slice(-4000)}`);
  return { title: `${name} on ${subject}`, passed: passed || 0, broken };
}

/** @param {string} text @param {(typeof suites)[number]['count']} count */
function readCounts(text, count) {
  try {
    return count(text);
  } catch {
    return { passed: 0, failed: Number.NaN };
  }
}

prepare();
const results = suites.flatMap((suite) => ['bottleneck', 'rebottle'].map((subject) => run(suite, subject)));
const failures = results.filter(({ broken }) => broken).map(({ title }) => title);
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const file = process.env.TEST_COUNTS_FILE;
if (file !== undefined) writeFileSync(file, JSON.stringify({ passed, failed: failures.length, failures }));
process.exitCode = failures.length > 0 ? 1 : 0;
