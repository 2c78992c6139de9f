import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import redisServer from '../../scripts/support/redis-server.cjs';

const MEASURE = fileURLToPath(new URL('measure.mjs', import.meta.url));
const ROUNDS = 5;

/** The longest that one measurement may take, in ms. */
const TIME_LIMIT = { full: 300_000, quick: 120_000 };

/**
 * Runs a benchmark: in every round each library in turn, so that what else the machine does meets all alike.
 * Gives each library's figures, one set a round.
 */
export async function runRounds(benchmark, { libraries, quick, rounds, onProgress }) {
  const chosen = benchmark.libraries.filter((library) => !libraries || libraries.includes(library));
  const results = Object.fromEntries(chosen.map((library) => [library, []]));
  const total = rounds ?? (quick ? 1 : (benchmark.rounds ?? ROUNDS));
  for (let round = 1; round <= total; round++) {
    // Every other round goes backwards: nobody is always measured after the same one.
    const order = round % 2 === 1 ? chosen : chosen.toReversed();
    for (const library of order) {
      onProgress(`${benchmark.name}: round ${round} of ${total}, ${library}`);
      results[library].push((await measureOnce(benchmark, library, { quick })).figures);
    }
  }
  return results;
}

/**
 * One measurement: its figures, and with `profile` what its process was seen to do.
 * @param {{ quick: boolean, profile?: boolean, file?: string }} options file: the build of rebottle, if not dist/
 */
export async function measureOnce(benchmark, library, { quick, profile = false, file }) {
  const sizes = Object.fromEntries(
    Object.entries(benchmark.sizes).map(([name, size]) => [name, quick ? size.quick : size.full]),
  );
  const redis = benchmark.redis ? await redisServer.startRedis() : undefined;
  try {
    const task = { benchmark: benchmark.name, library, sizes, port: redis?.port, profile };
    const env = file ? { ...process.env, REBOTTLE_FILE: file } : process.env;
    const result = await inChild(task, env, quick ? TIME_LIMIT.quick : TIME_LIMIT.full);
    return { ...result, sizes };
  } finally {
    await redis?.stop();
  }
}

function inChild(task, env, timeLimit) {
  const what = `${task.benchmark} on ${task.library}`;
  return new Promise((resolve, reject) => {
    const child = fork(MEASURE, [JSON.stringify(task)], {
      env,
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const timer = setTimeout(() => {
      reject(new Error(`${what} took longer than ${timeLimit / 1000} s`));
      child.kill('SIGKILL');
    }, timeLimit);
    child.once('message', ({ fault, ...result }) => {
      if (fault) reject(new Error(`${what}: ${fault}`));
      else resolve(result);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`${what} ended without a figure (${signal ?? `exit code ${code}`})`));
    });
  });
}
