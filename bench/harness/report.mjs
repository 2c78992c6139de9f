import { readFile } from 'node:fs/promises';

/**
 * What `npm run bench -- --json FILE` wrote; of several files, the later ones replace what the earlier ones have of a
 * benchmark, so that one benchmark can be run again alone.
 *
 * @param {string[]} files
 */
export async function readReport(files) {
  const reports = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
  const byName = new Map(reports.flatMap(({ benchmarks }) => benchmarks).map((one) => [one.name, one]));
  return { ...reports.at(-1), benchmarks: [...byName.values()] };
}
