// Bottleneck's own test suite, unchanged, on the real package and on ours. Options: see USAGE.

import * as os from 'node:os';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { type Log, runWithReruns } from './attempts';
import { clientFile, ourBuild, type PackageName, ROOT } from './builds';
import { MODES, type Mode } from './modes';
import { type Column, complaints, markdownTable, namedLists, writeCounts, writeTable } from './report';
import type { Target, TestResult } from './suite-run';

const USAGE = `npm run test:upstream -- [options]
  --only ours|real      one package instead of both
  --mode local,redis    some of ${MODES.map(({ name }) => name).join(', ')}
  --grep <regex>        only tests whose "file.js: suite title" matches
  --src                 our column from lib/*.ts, bundled now, instead of dist/
  --build <file>        our column from this file
  --no-rerun            do not run failed tests again
  --verbose             print every test and the whole of a failing test's output
  --ioredis <package>   installed alias to use for ioredis (default ioredis5)
  --redis <package>     installed alias to use for redis, callback API (default redis3)
  --table               write the table into compat-tests/README.md (whole runs only)`;

const options = readOptions();

async function main(): Promise<number> {
  const columns: Column[] = [];
  for (const mode of options.modes) columns.push(...(await runMode(mode)));
  if (columns.every(({ outcomes }) => outcomes.length === 0)) throw new Error('no test was selected');
  console.log(`\n${markdownTable(columns)}\n`);
  console.log(namedLists(columns).join('\n'));
  if (options.table) writeTable(path.join(ROOT, 'compat-tests/README.md'), columns, environment());

  writeCounts(columns);
  const found = complaints(columns);
  for (const complaint of found) console.error(complaint);
  return found.length === 0 ? 0 : 1;
}

/** Without Redis the suite spends its time waiting: both packages can do that at the same time. */
async function runMode(mode: Mode): Promise<Column[]> {
  if (!mode.needsRedis) return Promise.all(options.packages.map((packageName) => runColumn(packageName, mode)));
  const columns: Column[] = [];
  for (const packageName of options.packages) columns.push(await runColumn(packageName, mode));
  return columns;
}

async function runColumn(packageName: PackageName, mode: Mode): Promise<Column> {
  const title = `${mode.name} on ${packageName === 'ours' ? 'rebottle' : 'bottleneck'}`;
  const target: Target = {
    mode,
    build: packageName === 'ours' ? ourFile(mode) : undefined,
    ioredis: clientFile(options.ioredis),
    redis: clientFile(options.redis),
  };
  const started = performance.now();
  const pass = await runWithReruns(target, (id) => options.grep.test(id), options.rerun, logOf(title));
  const seconds = (performance.now() - started) / 1000;
  const passed = pass.outcomes.filter(({ attempts }) => attempts[0]?.passed).length;
  console.log(`${title}: ${passed} of ${pass.outcomes.length} passed first time, ${seconds.toFixed(1)} s`);
  return { mode: mode.name, packageName, ...pass, seconds };
}

function ourFile(mode: Mode): string {
  return options.build ? path.resolve(options.build) : ourBuild(mode, options.src);
}

function logOf(title: string): Log {
  return {
    result(id: string, result: TestResult, attempt: number): void {
      const again = attempt === 1 ? '' : ` (attempt ${attempt})`;
      if (result.passed) {
        if (options.verbose || attempt > 1) console.log(`${title}: ok    ${id}${again} ${result.ms} ms`);
        return;
      }
      const text = `${result.error}\n${result.output}`.trim().split('\n');
      const lines = options.verbose ? text : text.filter((line) => !isNoise(line)).slice(0, 8);
      console.log([`${title}: FAIL  ${id}${again}`, ...lines.map((line) => `        ${line}`)].join('\n'));
    },
  };
}

/** Blank lines, and stack lines of Node, the test runner and the client libraries. */
const isNoise = (line: string): boolean =>
  /^[\s}]*$|^\s+at .*(node:|node_modules\/(mocha|ioredis|redis))|^\s+(generatedMessage|code|operator): /.test(line);

function environment(): string {
  const clients = `ioredis ${version(options.ioredis)}, node-redis ${version(options.redis)}`;
  return `Node ${process.version}, ${clients}, ${os.cpus().length} cores.`;
}

function version(alias: string): string {
  return require(path.join(ROOT, 'node_modules', alias, 'package.json')).version;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      mode: { type: 'string' },
      grep: { type: 'string', default: '' },
      src: { type: 'boolean', default: false },
      build: { type: 'string' },
      'no-rerun': { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      ioredis: { type: 'string', default: 'ioredis5' },
      redis: { type: 'string', default: 'redis3' },
      table: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) usage(0);
  const names = values.mode?.split(',') ?? MODES.map(({ name }) => name);
  const modes = names.map((name) => MODES.find((mode) => mode.name === name) ?? usage(2, `unknown mode ${name}`));
  const packages: PackageName[] = (['real', 'ours'] as const).filter((name) => !values.only || values.only === name);
  if (packages.length === 0) usage(2, `unknown package ${values.only}`);
  const partial = values.only || values.mode || values.grep || values.src || values.build || values['no-rerun'];
  if (values.table && partial) usage(2, '--table needs a whole run of the built package');
  return { ...values, modes, packages, grep: new RegExp(values.grep), rerun: !values['no-rerun'] };
}

function usage(code: number, problem?: string): never {
  (code === 0 ? console.log : console.error)([problem, USAGE].filter(Boolean).join('\n'));
  process.exit(code);
}

main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error);
    process.exit(2);
  },
);
