/**
 * Writes a reference of all types, options and events to docs/api/, from the built declarations. TypeDoc is fetched when
 * it is first needed, into a folder of its own: it wants an older TypeScript than the one that checks this repository.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entries } from './entries.mjs';

const TOOLS = ['typedoc@0.28', 'typescript@5.9'];

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tools = join(root, '.tmp/typedoc');
const program = join(tools, 'node_modules/typedoc/bin/typedoc');

/** @param {string} file @param {string[]} args @param {string} cwd */
const run = (file, args, cwd = root) => execFileSync(file, args, { cwd, stdio: 'inherit' });

if (!existsSync(join(root, 'dist/types/index.d.ts'))) run('npm', ['run', 'build']);
if (!existsSync(program)) {
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, 'package.json'), '{ "private": true }\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...TOOLS], tools);
}

const options = {
  name: 'rebottle',
  // The class is one file however many entries show it; the other entries have one each.
  entryPoints: [
    'bottleneck',
    ...entries.map(({ name }) => name).filter((name) => !['index', 'light'].includes(name)),
  ].map((name) => join(root, `dist/types/${name}.d.ts`)),
  tsconfig: join(tools, 'tsconfig.json'),
  out: join(root, 'docs/api'),
  readme: join(root, 'README.md'),
  excludePrivate: true,
  excludeInternal: true,
  skipErrorChecking: true,
};
const compilerOptions = {
  module: 'nodenext',
  target: 'es2022',
  strict: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
};
writeFileSync(join(tools, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: options.entryPoints }, null, 2));
writeFileSync(join(tools, 'typedoc.json'), JSON.stringify(options, null, 2));
run(process.execPath, [program, '--options', join(tools, 'typedoc.json')]);
