/**
 * The parts of `npm test`, in their order. A part is a program that ends with 0 or not, or files of tests for mocha.
 *
 * A program may write `{ "passed": n, "failed": n, "failures": [names] }` to the file that TEST_COUNTS_FILE names;
 * otherwise it counts as one test. A part that runs no test at all has failed.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {string[]} [program] arguments of Node
 * @property {string[]} [mocha] arguments of mocha: files and options
 * @property {boolean} [onDemand] runs only with --all, or when it is named
 * @property {number} [minutes] after which it is ended and has failed; default 3
 */

/** @type {readonly Part[]} */
export const parts = [
  { name: 'build', program: ['scripts/build.mjs'] },
  { name: 'lint', program: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'] },
  { name: 'typecheck', program: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  { name: 'lua', program: ['scripts/build-lua.mjs', '--check'] },
  { name: 'migration guide', program: ['--import', 'tsx', 'scripts/docs-migration.mts', '--check'] },
  { name: 'unit', mocha: ['test/unit/**/*.test.ts'] },
  { name: 'support', mocha: ['test/support/*.test.ts'] },
  { name: 'observe', mocha: ['test/observe/**/*.test.ts'] },
  { name: 'cli', mocha: ['test/cli/**/*.test.ts'] },
  { name: 'redis', mocha: ['test/redis/**/*.test.ts'] },
  { name: 'resident', mocha: ['test/resident/**/*.test.ts'], minutes: 5 },
  { name: 'store', mocha: ['test/store/**/*.test.ts'], minutes: 5 },
  { name: 'model', mocha: ['test/model/**/*.test.ts', '--timeout', '120000'] },
  { name: 'chaos', mocha: ['test/chaos/*.test.ts', '--timeout', '60000'], minutes: 8 },
  // The quick part of npm run test:reliability.
  {
    name: 'reliability',
    mocha: ['test/chaos/cases/09-bad-input.test.ts', '--grep', '100,000', '--invert', '--timeout', '30000'],
  },
  { name: 'types', mocha: ['types/*.test.ts', '--timeout', '60000'], minutes: 5 },
  { name: 'docs', mocha: ['test/docs/**/*.test.ts', '--timeout', '30000'], minutes: 5 },
  {
    name: 'examples',
    mocha: ['test/examples/**/*.test.ts', 'test/octokit/**/*.test.ts', '--timeout', '30000'],
    minutes: 5,
  },
  { name: 'package', mocha: ['test/package/**/*.test.ts', '--timeout', '60000'], minutes: 5 },
  { name: 'differential', mocha: ['--config', 'compat-tests/mocharc.json'], minutes: 5 },
  // The rest of these take minutes, and pause and kill processes: npm run test:mixed.
  {
    name: 'mixed',
    mocha: [
      ...['alone', 'limits', 'shared-keys'].map((name) => `compat-tests/mixed/${name}.test.ts`),
      '--timeout',
      '60000',
    ],
    minutes: 5,
  },
  { name: 'fake-timers', program: ['compat-tests/fake-timers/run.mjs'], minutes: 5 },
  { name: 'leaks', mocha: ['compat-tests/leaks.test.ts'] },
  { name: 'upstream', program: ['--require', 'tsx/cjs', 'compat-tests/upstream/run.ts'], minutes: 8 },
  // Fails when a benchmark is broken or a ratio absurd; it installs what it compares with.
  { name: 'bench', program: ['bench/run.mjs', '--quick'], onDemand: true, minutes: 8 },
];
