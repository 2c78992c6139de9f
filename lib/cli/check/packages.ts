/** How an import names the package: what comes after `bottleneck`, and whether it goes on working after the swap. */
export interface PackageImport {
  /** As written, such as `bottleneck/light`. */
  readonly specifier: string;
  /** A file of Bottleneck's insides that rebottle does not have. */
  readonly internal: boolean;
}

/** Subpaths that rebottle has as well. */
const PUBLIC_SUBPATHS = new Set([
  '',
  '/light',
  '/light.js',
  '/es5',
  '/es5.js',
  '/package.json',
  '/lib/index',
  '/lib/index.js',
  '/lib/Bottleneck',
  '/lib/Bottleneck.js',
]);

/** @param names the names under which Bottleneck is installed: its own, and aliases from package.json. */
export function packageImport(specifier: string, names: ReadonlySet<string>): PackageImport | undefined {
  for (const name of names) {
    if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
    return { specifier, internal: !PUBLIC_SUBPATHS.has(specifier.slice(name.length)) };
  }
  return undefined;
}
