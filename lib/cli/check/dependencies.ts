import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An installed package that itself depends on Bottleneck. */
export interface Dependent {
  readonly name: string;
  readonly version: string;
  /** Its folder. */
  readonly path: string;
  /** The range that it asks for. */
  readonly range: string;
  /** Whether what it gets as `bottleneck` is rebottle already. */
  readonly replaced: boolean;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

const ALIAS_OF_BOTTLENECK = /^npm:bottleneck(@|$)/;

/** The names under which the project in `directory` may import Bottleneck: its own, and aliases in package.json. */
export function installedNames(directory: string): Set<string> {
  const manifest = readManifest(directory);
  const aliases = Object.entries({ ...dependenciesOf(manifest), ...manifest?.devDependencies });
  return new Set([
    'bottleneck',
    ...aliases.filter(([, range]) => ALIAS_OF_BOTTLENECK.test(range)).map(([name]) => name),
  ]);
}

/** The packages in these node_modules folders, and in those inside them, that depend on Bottleneck. */
export function findDependents(nodeModules: readonly string[]): Dependent[] {
  const found = new Map<string, Dependent>();
  const seen = new Set<string>();
  const visit = (folder: string) => {
    for (const path of packagesIn(folder)) {
      const real = realpathSync(path);
      if (seen.has(real)) continue;
      seen.add(real);
      const dependent = dependentIn(real);
      if (dependent !== undefined) found.set(real, { ...dependent, path });
      visit(join(real, 'node_modules'));
    }
  };
  for (const folder of nodeModules) visit(folder);
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function dependentIn(path: string): Dependent | undefined {
  const manifest = readManifest(path);
  if (manifest?.name === undefined || manifest.name === 'rebottle') return undefined;
  for (const [name, range] of Object.entries(dependenciesOf(manifest))) {
    if (name !== 'bottleneck' && !ALIAS_OF_BOTTLENECK.test(range)) continue;
    const { name: dependent, version = '' } = manifest;
    return { name: dependent, version, path, range, replaced: packageSeenFrom(path, name) === 'rebottle' };
  }
  return undefined;
}

function dependenciesOf(manifest: Manifest | undefined): Record<string, string> {
  return { ...manifest?.peerDependencies, ...manifest?.optionalDependencies, ...manifest?.dependencies };
}

/** The name in the manifest of what `require(name)` finds from `path`. */
function packageSeenFrom(path: string, name: string): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    const manifest = readManifest(join(at, 'node_modules', name));
    if (manifest !== undefined) return manifest.name;
    if (dirname(at) === at) return undefined;
  }
}

/** The packages of one node_modules folder: scoped ones, and those of pnpm's store, as well. */
function packagesIn(folder: string): string[] {
  return subfolders(folder).flatMap((path) => {
    const name = path.slice(folder.length + 1);
    if (name.startsWith('@')) return subfolders(path);
    if (name === '.pnpm') return subfolders(path).flatMap((stored) => packagesIn(join(stored, 'node_modules')));
    return name.startsWith('.') ? [] : [path];
  });
}

function subfolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => join(folder, name));
}

function readManifest(directory: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}
