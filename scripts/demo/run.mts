import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import redisServer from '../support/redis-server.cjs';
import { type FleetResult, runFleet } from './fleet.mjs';
import { ProgressLine } from './progress-line.mjs';
import { renderTable } from './table.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
const require = createRequire(import.meta.url);

function buildWhenMissing(): void {
  if (existsSync(DIST)) return;
  console.log('dist/ is missing: running "npm run build" first …');
  const build = spawnSync('npm run build', { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'], shell: true });
  if (build.status !== 0) throw new Error('"npm run build" failed: run it by itself to see why');
}

async function runOn(label: string, packagePath: string, redisPort: number): Promise<FleetResult> {
  const progress = new ProgressLine();
  const onProgress = (text: string) => progress.show(text);
  const result = await runFleet({ label, packagePath, Limiter: require(packagePath), redisPort, onProgress });
  progress.end(`${label}: ${result.stuck ? 'given up, nothing moved any more' : 'done'}`);
  return result;
}

async function main(): Promise<void> {
  buildWhenMissing();
  console.log('Three worker processes share one limiter (maxConcurrent 3, minTime 20 ms) and call one HTTP server.');
  console.log('One of them is killed in the middle of its jobs. The same code runs on Bottleneck, then on rebottle.\n');
  const redis = await redisServer.startRedis();
  try {
    const results = [
      await runOn('bottleneck', require.resolve('bottleneck'), redis.port),
      await runOn('rebottle', DIST, redis.port),
    ];
    console.log(`\n${renderTable(results)}`);
    process.exitCode = results.some(({ label, stuck }) => label === 'rebottle' && stuck) ? 1 : 0;
  } finally {
    await redis.stop();
  }
}

await main();
