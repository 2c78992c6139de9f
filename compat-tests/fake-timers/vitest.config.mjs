import { defineConfig } from 'vitest/config';

const subject = process.env.FAKE_TIMERS_SUBJECT ?? 'bottleneck';

export default defineConfig({
  resolve: { alias: { bottleneck: subject }, preserveSymlinks: true },
  test: {
    include: ['vitest/*.test.mjs'],
    // What the CommonJS code requires.
    execArgv: ['--require', './redirect.cjs'],
    pool: 'forks',
  },
});
