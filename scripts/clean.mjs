/** Removes what the build writes. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scripts } from './entries.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
for (const path of ['dist', ...scripts.map(({ file }) => file)]) rmSync(join(root, path), { recursive: true, force: true });
