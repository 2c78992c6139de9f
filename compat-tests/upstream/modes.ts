// The five ways in which Bottleneck's suite is run, as its own scripts/test_all.sh does.

export type ModeName = 'local' | 'light' | 'es5' | 'ioredis' | 'redis';

export interface Mode {
  readonly name: ModeName;
  /** Our build under test: a specifier as users write it, or a file of the package. */
  readonly build: string;
  /** What upstream's test files read to choose a build and a datastore. */
  readonly env: Readonly<Record<string, string>>;
  readonly needsRedis: boolean;
}

// The port is Redis' default; preload.cjs leads it to the private server.
const REDIS_ENV = { REDIS_HOST: '127.0.0.1', REDIS_PORT: '6379' };

// In Node the exports map leads `rebottle/es5` to the main build, so that there is one class; the file translated to ES5
// is for browsers, and this suite is where it is tried.
export const MODES: readonly Mode[] = [
  { name: 'local', build: 'rebottle', env: {}, needsRedis: false },
  { name: 'light', build: 'rebottle/light', env: { BUILD: 'light' }, needsRedis: false },
  { name: 'es5', build: './es5.js', env: { BUILD: 'es5' }, needsRedis: false },
  { name: 'ioredis', build: 'rebottle', env: { DATASTORE: 'ioredis', ...REDIS_ENV }, needsRedis: true },
  { name: 'redis', build: 'rebottle', env: { DATASTORE: 'redis', ...REDIS_ENV }, needsRedis: true },
];

/** These two load upstream's inner files and never touch the public class. */
export const INNER_TEST_FILES: readonly string[] = ['DLList.js', 'states.js'];

/** These need the module `leakage`, which no longer builds; compat-tests/leaks.test.ts stands in for them. */
export const LEAKAGE_TESTS: readonly string[] = [
  'Should not leak memory on instantiation',
  'Should not leak memory running jobs',
];
