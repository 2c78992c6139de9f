/**
 * Builds dist/ and the files for script tags, from nothing. They are made elsewhere and then put in place, so that
 * whoever uses the last build meanwhile does not find half of one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scripts } from './entries.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
mkdirSync(join(root, '.tmp'), { recursive: true });
const folder = mkdtempSync(join(root, '.tmp/build-'));

try {
  const env = { ...process.env, BUILD_FOLDER: relative(root, folder) };
  for (const args of [
    ['node_modules/rollup/dist/bin/rollup', '--config', '--silent'],
    ['scripts/build-wrappers.mjs'],
  ]) {
    execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  }
  if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), join(folder, 'old'));
  renameSync(join(folder, 'dist'), join(root, 'dist'));
  for (const { file } of scripts) {
    if (!file.startsWith('dist/')) renameSync(join(folder, file), join(root, file));
  }
} catch (error) {
  // The programs have said what is wrong.
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
