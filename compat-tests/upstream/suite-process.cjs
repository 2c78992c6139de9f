'use strict';

// Runs Bottleneck's test files in one fresh process and reports every test to the runner that forked it.
// The runner sends one message, { files, exclude, include or listOnly }; the answers are the `Report`s below.

const path = require('node:path');
const mochaModule = require('mocha');

/**
 * @typedef {{ type: 'tests', ids: string[], excluded: string[] }
 *   | { type: 'begin', id: string }
 *   | { type: 'pass', id: string, ms: number }
 *   | { type: 'fail', id: string, error: string, output: string }
 *   | { type: 'unhandled', id: string, error: string }
 *   | { type: 'end' }} Report
 * @typedef {{ files: string[], exclude: string[], include?: string[], listOnly?: boolean }} Task
 */

/** @type {any} */
const Mocha = /** @type {any} */ (mochaModule).default ?? mochaModule;
const report = (/** @type {Report} */ message) => process.send?.(message);

/** Hooks of a whole suite and stray rejections belong to no test: they count against the last that began. */
let lastTest = '';
/** Mocha sends a rejection round the process' listeners a second time. */
const seenRejections = new WeakSet();

// Upstream's tests do not judge unhandled rejections, but a modern Node process ends on one, so they are counted.
process.on('unhandledRejection', (reason, promise) => {
  if (seenRejections.has(promise)) return;
  seenRejections.add(promise);
  report({ type: 'unhandled', id: lastTest, error: describeError(reason) });
});
process.once('message', (task) => void runTask(/** @type {Task} */ (task)));
process.once('disconnect', () => process.exit(1));

/** @param {Task} task */
async function runTask(task) {
  const mocha = new Mocha({ ui: 'bdd', reporter: class {} });
  for (const file of task.files) mocha.addFile(file);
  mocha.loadFiles();

  const ids = nameTests(mocha.suite);
  const excluded = keepTests(mocha.suite, ids, (_id, title) => !task.exclude.includes(title));
  if (task.listOnly) return report({ type: 'tests', ids: [...ids.values()], excluded });
  keepTests(mocha.suite, ids, (id) => task.include?.includes(id) ?? true);

  await warmUp();
  const output = captureOutput();
  const runner = mocha.run(() => process.send?.({ type: 'end' }, () => process.exit(0)));
  const { EVENT_TEST_BEGIN, EVENT_TEST_PASS, EVENT_TEST_FAIL } = runner.constructor.constants;

  runner.on(EVENT_TEST_BEGIN, (/** @type {any} */ test) => {
    output.length = 0;
    lastTest = String(ids.get(test));
    report({ type: 'begin', id: lastTest });
  });
  runner.on(EVENT_TEST_PASS, (/** @type {any} */ test) =>
    report({ type: 'pass', id: String(ids.get(test)), ms: test.duration ?? 0 }),
  );
  runner.on(EVENT_TEST_FAIL, (/** @type {any} */ runnable, /** @type {any} */ error) => {
    const test = ids.has(runnable) ? runnable : runnable.ctx?.currentTest;
    const where = test === runnable ? '' : `${runnable.title}: `;
    report({
      type: 'fail',
      id: ids.get(test) ?? lastTest,
      error: where + describeError(error),
      output: output.join(''),
    });
  });
}

/**
 * The first limiter of a process loads the client library, and everything in its way is compiled: that takes longer than
 * the 20 ms which some tests leave until a limiter is ready. In the whole run only the first test would pay for it; alone,
 * every test would.
 */
async function warmUp() {
  const { DATASTORE } = process.env;
  const Bottleneck = require(path.join(String(process.env.UPSTREAM_TEST_DIR), 'bottleneck.js'));
  const limiter = new Bottleneck({
    id: 'warm-up',
    ...(DATASTORE ? { datastore: DATASTORE, clearDatastore: true } : {}),
  });
  await limiter.ready();
  await limiter.schedule(async () => {});
  await limiter.disconnect();
}

/**
 * Upstream uses some titles twice, so a test is known by its file, its titles, and where needed a number.
 * @param {any} root
 * @returns {Map<any, string>}
 */
function nameTests(root) {
  const ids = new Map();
  /** @type {Map<string, number>} */
  const seen = new Map();
  root.eachTest((/** @type {any} */ test) => {
    const name = `${path.basename(test.file)}: ${test.fullTitle()}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    ids.set(test, count === 1 ? name : `${name} (${count})`);
  });
  return ids;
}

/**
 * Takes the other tests out of the tree and out of `ids`; returns their ids.
 * @param {any} suite
 * @param {Map<any, string>} ids
 * @param {(id: string, title: string) => boolean} keep
 * @returns {string[]}
 */
function keepTests(suite, ids, keep) {
  const removed = [];
  for (const test of suite.tests) {
    const id = String(ids.get(test));
    if (keep(id, test.title)) continue;
    removed.push(id);
    ids.delete(test);
  }
  suite.tests = suite.tests.filter((/** @type {any} */ test) => ids.has(test));
  for (const child of suite.suites) removed.push(...keepTests(child, ids, keep));
  return removed;
}

/** Upstream's helpers print the two values that differ instead of putting them into the assertion: keep that text. */
function captureOutput() {
  /** @type {string[]} */
  const chunks = [];
  for (const stream of [process.stdout, process.stderr]) {
    /** @param {unknown} chunk @param {unknown[]} rest */
    stream.write = (chunk, ...rest) => {
      chunks.push(String(chunk));
      const done = rest.find((arg) => typeof arg === 'function');
      if (typeof done === 'function') process.nextTick(done);
      return true;
    };
  }
  return chunks;
}

/** @param {any} error */
function describeError(error) {
  return String(error?.stack ?? error?.message ?? error);
}
