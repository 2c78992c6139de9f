/** Builds dist/ and the files for script tags, from nothing. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scripts } from './entries.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

for (const path of ['dist', ...scripts.map(({ file }) => file)])
  rmSync(join(root, path), { recursive: true, force: true });
for (const args of [['node_modules/rollup/dist/bin/rollup', '--config', '--silent'], ['scripts/build-wrappers.mjs']]) {
  execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
}
