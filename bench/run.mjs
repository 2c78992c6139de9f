// `npm run bench`: installs the peers when they are missing, builds rebottle when it is missing, then measures.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BENCH = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));

function need(path, command, cwd) {
  if (existsSync(path)) return;
  console.log(`${path} is missing: running "${command}" first …`);
  const { status } = spawnSync(command, { cwd, stdio: ['ignore', 'ignore', 'inherit'], shell: true });
  if (status !== 0) throw new Error(`"${command}" failed: run it by itself to see why`);
}

need(`${BENCH}node_modules`, 'npm ci --no-audit --no-fund', BENCH);
if (!process.env.REBOTTLE_FILE) need(`${ROOT}dist/index.js`, 'npm run build', ROOT);

const { main } = await import('./harness/main.mjs');
process.exitCode = await main(process.argv.slice(2));
