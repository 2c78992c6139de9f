/**
 * Mocha's "spec" reporter, which also writes how many tests passed and failed to the file that TEST_COUNTS_FILE names,
 * for test-all.mjs.
 */
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

class CountingReporter extends reporters.Spec {
  /** @param {import('mocha').Runner} runner @param {import('mocha').MochaOptions} options */
  constructor(runner, options) {
    super(runner, options);
    const counts = { passed: 0, failed: 0, failures: /** @type {string[]} */ ([]) };
    runner.on(Runner.constants.EVENT_TEST_PASS, () => {
      counts.passed += 1;
    });
    // Also for a hook that fails.
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test) => {
      counts.failed += 1;
      counts.failures.push(test.fullTitle());
    });
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      if (process.env.TEST_COUNTS_FILE) writeFileSync(process.env.TEST_COUNTS_FILE, JSON.stringify(counts));
    });
  }
}

module.exports = CountingReporter;
