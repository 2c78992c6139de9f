/**
 * Builds lib/store/redis/generated/lua.ts from lua/*.lua and lua/include/*.lua.
 * With --check it writes nothing and fails if the committed file differs from what would be written.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildScript, renderModule } from './lua-source.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'lib/store/redis/generated/lua.ts');

/** @param {string} folder @returns {Map<string, string>} text by file name without extension, sorted */
function readFolder(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.lua'));
  return new Map(files.sort().map((file) => [basename(file, '.lua'), readFileSync(join(folder, file), 'utf8')]));
}

function generate() {
  const includes = readFolder(join(root, 'lua/include'));
  const sources = readFolder(join(root, 'lua'));
  if (sources.size === 0) throw new Error('lua/ holds no script');
  return renderModule(new Map([...sources].map(([name, text]) => [name, buildScript(name, text, includes)])));
}

function committed() {
  try {
    return readFileSync(target, 'utf8');
  } catch {
    return '';
  }
}

const text = generate();
const shown = relative(root, target);
if (text === committed()) {
  console.log(`${shown} is up to date`);
} else if (process.argv.includes('--check')) {
  console.error(`${shown} differs from lua/: run "npm run lua:build" and commit the result`);
  process.exitCode = 1;
} else {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  console.log(`wrote ${shown}`);
}
