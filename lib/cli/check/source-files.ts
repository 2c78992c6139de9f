import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

const SOURCE = /\.([cm]?[jt]s|[jt]sx)$/;
const NOT_WRITTEN_BY_HAND = /\.min\.js$/;

interface IgnoreFile {
  readonly directory: string;
  readonly rules: Ignore;
}

export interface Listing {
  /** JavaScript and TypeScript files. */
  readonly sources: readonly string[];
  readonly nodeModules: readonly string[];
}

/**
 * What lies in `root` and below: source files, and the node_modules folders beside them. Folders whose name begins with
 * a dot, node_modules and whatever a .gitignore names hold no sources.
 */
export function listFiles(root: string): Listing {
  const sources: string[] = [];
  const nodeModules: string[] = [];
  const visit = (directory: string, outer: readonly IgnoreFile[]) => {
    const ignores = [...outer, ...ignoreFileOf(directory)];
    for (const entry of readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(directory, entry.name);
      if (entry.isDirectory() && entry.name === 'node_modules') nodeModules.push(path);
      else if (entry.isDirectory() && !entry.name.startsWith('.')) {
        if (!isIgnored(`${path}${sep}`, ignores)) visit(path, ignores);
      } else if (entry.isFile() && SOURCE.test(entry.name) && !NOT_WRITTEN_BY_HAND.test(entry.name)) {
        if (!isIgnored(path, ignores)) sources.push(path);
      }
    }
  };
  visit(root, []);
  return { sources, nodeModules };
}

function ignoreFileOf(directory: string): IgnoreFile[] {
  try {
    return [{ directory, rules: ignore().add(readFileSync(join(directory, '.gitignore'), 'utf8')) }];
  } catch {
    return [];
  }
}

function isIgnored(path: string, ignores: readonly IgnoreFile[]): boolean {
  return ignores.some(({ directory, rules }) => {
    const name = relative(directory, path).split(sep).join('/');
    return rules.ignores(path.endsWith(sep) ? `${name}/` : name);
  });
}
