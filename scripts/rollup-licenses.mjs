import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package that a module belongs to, unless it is our own. @param {string} id */
function packageFolder(id) {
  if (!id.includes('/node_modules/')) return undefined;
  let folder = dirname(id.replace(/^\0/, ''));
  while (
    !existsSync(join(folder, 'package.json')) ||
    !JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name
  ) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return folder;
}

/** @param {string} folder */
function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
  return `${name} ${version} (${license})\n\n${text}\n`;
}

/**
 * Writes the licenses of the packages in a bundle to a file beside it, as they ask for.
 * @param {string} fileName
 * @returns {import('rollup').Plugin}
 */
export function licenses(fileName) {
  return {
    name: 'licenses',
    generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
      const folders = [...new Set(ids.map(packageFolder))].filter((folder) => folder !== undefined).sort();
      if (folders.length > 0) {
        this.emitFile({ type: 'asset', fileName, source: folders.map(notice).join(`\n${'-'.repeat(80)}\n\n`) });
      }
    },
  };
}
