/**
 * Writes what follows from compat-tests/known-differences.ts: the table of differences in MIGRATION.md, between its
 * markers, and the copy of the list that `rebottle check` ships with.
 * With --check it writes nothing and fails if a committed file differs from what would be written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { knownDifferences } from '../compat-tests/known-differences.js';
import { renderModule, renderTable, replaceBetweenMarkers } from './migration-table.mjs';

const root = join(import.meta.dirname, '..');
const guide = join(root, 'MIGRATION.md');
const shipped = join(root, 'lib/cli/generated/known-differences.ts');

const wanted = new Map([
  [guide, replaceBetweenMarkers(readFileSync(guide, 'utf8'), renderTable(knownDifferences))],
  [shipped, renderModule(knownDifferences)],
]);

for (const [path, text] of wanted) {
  const shown = relative(root, path);
  if (text === committed(path)) {
    console.log(`${shown} is up to date`);
  } else if (process.argv.includes('--check')) {
    console.error(
      `${shown} differs from compat-tests/known-differences.ts: run "npm run docs:migration", commit the result`,
    );
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
    console.log(`wrote ${shown}`);
  }
}

function committed(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
