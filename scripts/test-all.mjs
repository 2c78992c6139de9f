/**
 * Runs the parts of test-parts.mjs that are not on demand, all of them with --all, or those named on the command line, one
 * after the other: they share the machine's cores, and some measure time. Prints a table, and as the last line
 * "N passed, N failed" over all of them.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parts } from './test-parts.mjs';

/** @typedef {{ name: string, passed: number, failed: number, failures: string[], seconds: number }} Result */

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const MOCHA = ['node_modules/mocha/bin/mocha.js', '--reporter', 'scripts/counting-reporter.cjs'];

/** @type {number | undefined} process group of the part that runs */
let group;

/** @param {NodeJS.Signals} signal */
function endGroup(signal) {
  if (group === undefined) return;
  try {
    process.kill(-group, signal);
  } catch {
    // It has ended by itself.
  }
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    endGroup('SIGKILL');
    process.exit(1);
  });
}

/**
 * @param {string[]} args @param {string} countsFile @param {number} minutes
 * @returns {Promise<string | undefined>} what went wrong, if anything
 */
function run(args, countsFile, minutes) {
  return new Promise((resolve) => {
    // A process group of its own, so that nothing that a part has started outlives it.
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      detached: true,
      env: { ...process.env, TEST_COUNTS_FILE: countsFile },
    });
    group = child.pid;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endGroup('SIGKILL');
    }, minutes * 60_000);
    child.once('error', (error) => resolve(String(error)));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      endGroup('SIGKILL');
      group = undefined;
      if (late) resolve(`took more than ${minutes} minutes`);
      else resolve(code === 0 ? undefined : `ended with ${signal ?? code}`);
    });
  });
}

/** @param {string} file @returns {{ passed: number, failed: number, failures?: string[] } | undefined} */
function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {import('./test-parts.mjs').Part} part @returns {Promise<Result>} */
async function runPart(part) {
  const folder = mkdtempSync(join(tmpdir(), 'rebottle-test-'));
  const countsFile = join(folder, 'counts.json');
  const started = performance.now();
  console.log(`\n===== ${part.name} =====`);
  try {
    const trouble = await run(
      part.mocha ? [...MOCHA, ...part.mocha] : (part.program ?? []),
      countsFile,
      part.minutes ?? 3,
    );
    const seconds = (performance.now() - started) / 1000;
    const written = readCounts(countsFile);
    const counts = written ?? { passed: part.mocha || trouble ? 0 : 1, failed: 0 };
    const failures = [...(counts.failures ?? [])];
    let { failed } = counts;
    if (trouble && failed === 0) {
      failed = 1;
      failures.push(trouble);
    }
    if (counts.passed + failed === 0) {
      failed = 1;
      failures.push('ran no test');
    }
    return { name: part.name, passed: counts.passed, failed, failures, seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const all = process.argv.includes('--all');
const wanted = process.argv.slice(2).filter((argument) => argument !== '--all');
const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(', ')}; there are ${parts.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

/** @type {Result[]} */
const results = [];
for (const part of parts) {
  if (wanted.length === 0 ? all || !part.onDemand : wanted.includes(part.name)) results.push(await runPart(part));
}

console.log('\n===== summary =====');
for (const { name, passed, failed, failures, seconds } of results) {
  console.log(
    `${name.padEnd(12)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(0).padStart(5)} s`,
  );
  for (const failure of failures) console.log(`             ${failure}`);
}
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
