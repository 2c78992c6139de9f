/** Writes the fields of package.json that follow from entries.mjs. With --check it writes nothing and fails on a difference. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { packageFields } from './entries.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const current = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const different = Object.entries(packageFields()).filter(
  ([field, value]) =>
    !isDeepStrictEqual(current[field], value) || JSON.stringify(current[field]) !== JSON.stringify(value),
);

if (different.length === 0) {
  console.log('package.json follows scripts/entries.mjs');
} else if (process.argv.includes('--check')) {
  console.error(`package.json: ${different.map(([field]) => field).join(', ')} differ: run "npm run exports:sync"`);
  process.exitCode = 1;
} else {
  const values = different.map(([field, value]) => `${field}=${JSON.stringify(value)}`);
  execFileSync('npm', ['pkg', 'set', '--json', ...values], { cwd: root, stdio: 'inherit' });
  console.log(`wrote ${different.map(([field]) => field).join(', ')}`);
}
