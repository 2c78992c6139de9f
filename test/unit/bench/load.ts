import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const BENCH = join(__dirname, '../../../bench');

// biome-ignore lint/suspicious/noExplicitAny: the bench is a project of its own, and has no types
export function loadBench(file: string): Promise<any> {
  return import(pathToFileURL(join(BENCH, file)).href);
}
