// Where the two packages, the test files and the client libraries are on this machine.

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { buildSync } from 'esbuild';
import { INNER_TEST_FILES, type Mode } from './modes';

export type PackageName = 'real' | 'ours';

export const ROOT = path.resolve(__dirname, '../..');
const requireFromRoot = createRequire(path.join(ROOT, 'package.json'));

/** Upstream's folder; its tests expect it to be the working directory. */
export const UPSTREAM_DIR = fs.realpathSync(path.dirname(requireFromRoot.resolve('bottleneck/package.json')));
export const UPSTREAM_TEST_DIR = path.join(UPSTREAM_DIR, 'test');

export function testFiles(): string[] {
  return fs
    .readdirSync(UPSTREAM_TEST_DIR)
    .filter((name) => name.endsWith('.js') && !INNER_TEST_FILES.includes(name))
    .sort()
    .map((name) => path.join(UPSTREAM_TEST_DIR, name));
}

export function clientFile(alias: string): string {
  return requireFromRoot.resolve(alias);
}

/** Our build for a mode: through the package's exports map where users get it so, or bundled from the sources. */
export function ourBuild(mode: Mode, fromSources: boolean): string {
  if (fromSources) return bundleSources(mode);
  try {
    return requireFromRoot.resolve(mode.build);
  } catch (cause) {
    throw new Error(`${mode.build} is not built: run "npm run build", or use --src`, { cause });
  }
}

const SOURCE_ENTRIES: Readonly<Record<string, string>> = {
  rebottle: 'lib/index.ts',
  'rebottle/light': 'lib/light.ts',
  './es5.js': 'lib/index.ts',
};

/** A bundle loads as fast as a build, which the tests that spawn processes need: a loader's start-up would eat their time. */
function bundleSources(mode: Mode): string {
  const outfile = path.join(ROOT, 'node_modules/.cache/rebottle-upstream', `${mode.name}.cjs`);
  buildSync({
    entryPoints: [path.join(ROOT, SOURCE_ENTRIES[mode.build] ?? 'lib/index.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: 'external',
    sourcemap: 'inline',
    footer: { js: 'if (module.exports.__esModule) module.exports = module.exports.default;' },
  });
  return outfile;
}
