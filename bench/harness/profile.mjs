import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { placesBy, timesOf } from './cpu-profile.mjs';
import { measureOnce } from './rounds.mjs';
import { renderShares } from './table.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FUNCTIONS = 25;

/** Runs a benchmark of ours once and tells in words where its time went, here and in its Redis. */
export async function profile(benchmark, { quick, library = 'rebottle' }) {
  const folder = await mkdtemp(join(tmpdir(), 'rebottle-profile-'));
  try {
    const bundle = join(folder, 'rebottle.cjs');
    await bundleSources(bundle);
    const { profile: seen, sizes } = await measureOnce(benchmark, library, { quick, profile: true, file: bundle });
    const originalFile = await originalFiles(bundle);
    const times = timesOf(seen.profile, placesBy(originalFile, pathToFileURL(bundle).href));
    // Where the warm-up was seen too, nobody has counted the jobs.
    const jobs = seen.redis && (benchmark.jobsOf?.(sizes) ?? sizes.jobs);
    return renderProfile(benchmark, { ...seen, times, jobs });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** One file, as rollup makes it for dist/, and a map that leads back to the sources. */
async function bundleSources(outfile) {
  await build({
    ...{ entryPoints: [join(ROOT, 'lib/index.ts')], outfile, tsconfig: join(ROOT, 'tsconfig.json') },
    ...{ bundle: true, platform: 'node', target: 'node20', packages: 'external', sourcemap: true, logLevel: 'error' },
    footer: { js: 'module.exports = module.exports.default ?? module.exports;' },
  });
}

async function originalFiles(bundle) {
  const map = new SourceMap(JSON.parse(await readFile(`${bundle}.map`, 'utf8')));
  return (line, column) => {
    const { originalSource } = map.findEntry(line, column);
    return originalSource && relative(ROOT, resolve(bundle, '..', originalSource));
  };
}

function renderProfile({ title }, { times, cpuMicroseconds, redis, jobs }) {
  const here = [
    ['all threads, by the kernel', cpuMicroseconds],
    ['the main thread, with what it was idle', times.microseconds],
  ];
  const share = { total: times.microseconds, jobs };
  return [
    title,
    renderShares('time here', here, { jobs }),
    renderShares('where', times.groups, share),
    renderShares('functions of rebottle', times.functions.slice(0, FUNCTIONS), share),
    ...(redis ? [renderCommands(redis, jobs)] : []),
  ].join('\n');
}

/** A call of a script contains the commands that it called. */
function renderCommands({ stats, cpuMicroseconds }, jobs) {
  const rows = stats
    .toSorted((a, b) => b.usec - a.usec)
    .map(({ name, calls, usec }) => [`${name}, ${calls} calls, ${(usec / calls).toFixed(1)} us each`, usec]);
  return renderShares('time in Redis', [['the process', cpuMicroseconds], ...rows], { total: cpuMicroseconds, jobs });
}
