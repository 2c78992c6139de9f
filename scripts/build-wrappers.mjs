/**
 * Completes dist/ after rollup: the ESM entries, which re-export the CJS build so that there is one class, and the
 * declarations of every entry.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commands, entries, isClass } from './entries.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, process.env.BUILD_FOLDER ?? '.', 'dist');
const types = join(dist, 'types');
const require = createRequire(import.meta.url);

/** Modules of lib/ whose emitted declarations are replaced: in public, the class is what types/bottleneck.d.ts says. */
const PUBLIC_CLASSES = {
  bottleneck: 'Bottleneck',
  group: 'Group',
  batcher: 'Batcher',
  errors: 'BottleneckError',
  events: 'Events',
};

/** @param {string} file below dist/ @param {string} text */
function write(file, text) {
  mkdirSync(dirname(join(dist, file)), { recursive: true });
  writeFileSync(join(dist, file), text);
}

/** @param {object} value */
const names = (value) => Object.keys(value).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default');

/** @param {import('./entries.mjs').Entry} entry */
function writeEsm(entry) {
  const built = require(join(dist, `${entry.name}.js`));
  if (isClass(entry) && (typeof built !== 'function' || built.default !== built || built.__esModule)) {
    throw new Error(`${entry.source}: its only export must be the class, as default, with itself as "default"`);
  }
  const list = names(built).join(', ');
  const exported = isClass(entry) || entry.exportEquals ? `export default built;\n` : '';
  write(`${entry.name}.mjs`, `import built from './${entry.name}.js';\n${exported}export const { ${list} } = built;\n`);
}

/** The names that the declarations of the class offer beside the class itself. */
function publicNames() {
  const text = readFileSync(join(root, 'types/bottleneck.d.ts'), 'utf8');
  const inNamespace = [...text.matchAll(/^ {2}export (?:type|interface|class|enum|import) (\w+)/gm)].map(
    ([, name]) => name,
  );
  const statics = [...text.matchAll(/^ {2}static readonly (\w+)/gm)].map(([, name]) => name);
  return [...statics, ...inNamespace];
}

/** @param {import('./entries.mjs').Entry} entry */
function writeTypes(entry) {
  if (isClass(entry)) {
    write(`types/${entry.name}.d.ts`, `import Bottleneck = require('./bottleneck.js');\nexport = Bottleneck;\n`);
    const list = ['default', ...publicNames()].map((name) => `  ${name},\n`).join('');
    write(`types/${entry.name}.d.mts`, `export {\n${list}} from './bottleneck.js';\n`);
    return;
  }
  if (entry.exportEquals) {
    const source = `./${entry.types.replace(/\.ts$/, '.js')}`;
    const { exportEquals: name } = entry;
    write(`types/${entry.name}.d.ts`, `import module = require('${source}');\nexport = module.${name};\n`);
    write(`types/${entry.name}.d.mts`, `export { ${name} as default, ${name} } from '${source}';\n`);
    return;
  }
  const declarations = join(types, `${entry.name}.d.ts`);
  if (entry.types.endsWith('.d.ts')) copyFileSync(join(root, entry.types), declarations);
  else write(`types/${entry.name}.d.ts`, `export * from './${entry.types.replace(/\.ts$/, '.js')}';\n`);
  write(`types/${entry.name}.d.mts`, `export * from './${entry.name}.js';\n`);
}

function emitDeclarations() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['-p', join(root, 'tsconfig.build.json'), '--outDir', types];
  execFileSync(process.execPath, [tsc, ...options], { stdio: 'inherit' });
  for (const [module, name] of Object.entries(PUBLIC_CLASSES)) {
    const value = name === 'Bottleneck' ? 'Bottleneck' : `Bottleneck.${name}`;
    const text = `import Bottleneck = require('../bottleneck.js');\nexport import ${name} = ${value};\n`;
    write(
      `types/lib/${module}.d.ts`,
      name === 'Bottleneck' ? `import Bottleneck = require('../bottleneck.js');\nexport { Bottleneck };\n` : text,
    );
  }
}

/** Removes emitted declarations that no entry leads to. */
function pruneDeclarations() {
  /** @type {Set<string>} */
  const reached = new Set();
  /** @param {string} file */
  const visit = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, specifier] of text.matchAll(/(?:\bfrom |\bimport\(|\brequire\()['"](\.[^'"]*)['"]/g)) {
      visit(`${join(dirname(file), /** @type {string} */ (specifier)).replace(/\.js$/, '')}.d.ts`);
    }
  };
  for (const { name } of entries) for (const extension of ['d.ts', 'd.mts']) visit(join(types, `${name}.${extension}`));
  for (const file of readdirSync(types, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && !reached.has(path)) rmSync(path);
  }
}

mkdirSync(types, { recursive: true });
copyFileSync(join(root, 'types/bottleneck.d.ts'), join(types, 'bottleneck.d.ts'));
if (entries.some((entry) => !entry.types.endsWith('.d.ts'))) emitDeclarations();
for (const entry of entries) {
  writeEsm(entry);
  writeTypes(entry);
}
pruneDeclarations();
for (const { name } of commands) chmodSync(join(dist, `bin/${name}.js`), 0o755);
