/**
 * The table of what the package offers. The build, the exports map, the declarations and the package tests follow it:
 * an entry more is a line more here, then `npm run exports:sync`.
 */

/**
 * @typedef {object} Entry
 * @property {string} name file name in dist/ without extension
 * @property {string} source module that is built. One with only a default export becomes `module.exports = it` in CJS
 * @property {string} types declarations: a hand-written .d.ts under types/, or a .ts source from which they are emitted
 * @property {string} [exportEquals] the one class that is the module: `module.exports` in CJS, the default in ESM
 * @property {string[]} paths subpaths under which it is exported
 * @property {string} [peer] package that has to be installed beside to use it
 * @property {string[]} [untyped] subpaths under which it is exported without declarations
 */

/** The class itself, whose declarations are written by hand. */
const CLASS = 'types/bottleneck.d.ts';

/** @type {readonly Entry[]} */
export const entries = [
  {
    name: 'index',
    source: 'lib/index.ts',
    types: CLASS,
    paths: ['.', './es5', './es5.js', './lib/index.js', './lib/index', './lib/Bottleneck.js', './lib/Bottleneck'],
  },
  // Bottleneck has no types for "./light.js": public code says @ts-expect-error there, or declares the module itself.
  { name: 'light', source: 'lib/light.ts', types: CLASS, paths: ['./light'], untyped: ['./light.js'] },
  { name: 'migrate', source: 'lib/migrate.ts', types: 'lib/migrate.ts', paths: ['./migrate'] },
  { name: 'resident', source: 'lib/resident/index.ts', types: 'lib/resident/index.ts', paths: ['./resident'] },
  {
    name: 'LimiterManager',
    source: 'lib/resident/limiter-manager-default.ts',
    types: 'lib/resident/limiter-manager.ts',
    exportEquals: 'LimiterManager',
    paths: ['./LimiterManager'],
  },
  { name: 'metrics', source: 'lib/metrics.ts', types: 'lib/metrics.ts', paths: ['./metrics'], peer: 'prom-client' },
  {
    name: 'opentelemetry',
    source: 'lib/opentelemetry.ts',
    types: 'lib/opentelemetry.ts',
    paths: ['./opentelemetry'],
    peer: '@opentelemetry/api',
  },
];

/**
 * @typedef {object} Script
 * @property {string} source
 * @property {string} file where it is written. The first two lie where Bottleneck has them, for script tags that load
 *   them from a CDN, and for resolvers that know no exports map
 * @property {'umd' | 'es'} format
 * @property {boolean} [es5] whether it is translated to ES5
 */

/** Single files for browsers without a bundler. @type {readonly Script[]} */
export const scripts = [
  { source: 'lib/light.ts', file: 'light.js', format: 'umd' },
  { source: 'lib/index.ts', file: 'es5.js', format: 'umd', es5: true },
  { source: 'lib/light.ts', file: 'dist/light.browser.mjs', format: 'es' },
];

/**
 * @typedef {object} Command
 * @property {string} name as typed in a shell
 * @property {string} source
 */

/** @type {readonly Command[]} */
export const commands = [{ name: 'rebottle', source: 'lib/cli/bin.ts' }];

/** Modules that the package loads by itself, as threads. @type {readonly { name: string, source: string }[]} */
export const threads = [{ name: 'heartbeat-worker', source: 'lib/store/redis/heartbeat-worker.ts' }];

/** Whether the entry is the class itself rather than a module with named exports. @param {Entry} entry */
export const isClass = (entry) => entry.types === CLASS;

/** @param {Entry} entry */
function target(entry) {
  return {
    import: { types: `./dist/types/${entry.name}.d.mts`, default: `./dist/${entry.name}.mjs` },
    require: { types: `./dist/types/${entry.name}.d.ts`, default: `./dist/${entry.name}.js` },
  };
}

/** @param {Entry} entry */
const untypedTarget = (entry) => ({ import: `./dist/${entry.name}.mjs`, require: `./dist/${entry.name}.js` });

/** The fields of package.json that follow from the table. */
export function packageFields() {
  const index = /** @type {Entry} */ (entries[0]);
  const typed = entries.flatMap((entry) => entry.paths.map((path) => ({ path, entry })));
  const untyped = entries.flatMap((entry) => (entry.untyped ?? []).map((path) => ({ path, entry })));
  return {
    main: `./dist/${index.name}.js`,
    types: `./dist/types/${index.name}.d.ts`,
    exports: Object.fromEntries([
      ...typed.map(({ path, entry }) => [path, target(entry)]),
      ...untyped.map(({ path, entry }) => [path, untypedTarget(entry)]),
      ['./package.json', './package.json'],
    ]),
    // For the resolution of TypeScript before 4.7 (node10), which does not read the exports map.
    typesVersions: {
      '*': Object.fromEntries(
        typed
          .filter(({ path }) => path !== '.')
          .map(({ path, entry }) => [path.slice(2), [`./dist/types/${entry.name}.d.ts`]]),
      ),
    },
    ...(commands.length > 0 && {
      bin: Object.fromEntries(commands.map(({ name }) => [name, `dist/bin/${name}.js`])),
    }),
  };
}
