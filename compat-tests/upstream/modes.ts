// The five ways in which Bottleneck's suite is run, as its own scripts/test_all.sh does.

export type ModeName = 'local' | 'light' | 'es5' | 'ioredis' | 'redis';

export interface Mode {
  readonly name: ModeName;
  /** How a user of our package reaches the build under test. */
  readonly specifier: string;
  /** What upstream's test files read to choose a build and a datastore. */
  readonly env: Readonly<Record<string, string>>;
  readonly needsRedis: boolean;
}

// The port is Redis' default; preload.cjs leads it to the private server.
const REDIS_ENV = { REDIS_HOST: '127.0.0.1', REDIS_PORT: '6379' };

export const MODES: readonly Mode[] = [
  { name: 'local', specifier: 'rebottle', env: {}, needsRedis: false },
  { name: 'light', specifier: 'rebottle/light', env: { BUILD: 'light' }, needsRedis: false },
  { name: 'es5', specifier: 'rebottle/es5', env: { BUILD: 'es5' }, needsRedis: false },
  { name: 'ioredis', specifier: 'rebottle', env: { DATASTORE: 'ioredis', ...REDIS_ENV }, needsRedis: true },
  { name: 'redis', specifier: 'rebottle', env: { DATASTORE: 'redis', ...REDIS_ENV }, needsRedis: true },
];

/** These two load upstream's inner files and never touch the public class. */
export const INNER_TEST_FILES: readonly string[] = ['DLList.js', 'states.js'];

/** These need the module `leakage`, which no longer builds; compat-tests/leaks.test.ts stands in for them. */
export const LEAKAGE_TESTS: readonly string[] = [
  'Should not leak memory on instantiation',
  'Should not leak memory running jobs',
];
