// One process, one run of the suite or of a part of it.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import * as path from 'node:path';
import { type RedisServer, startRedis } from '../../test/support/redis-server';
import { testFiles, UPSTREAM_DIR, UPSTREAM_TEST_DIR } from './builds';
import { LEAKAGE_TESTS, type Mode } from './modes';

const PRELOAD = path.join(__dirname, 'preload.cjs');
const SUITE_PROCESS = path.join(__dirname, 'suite-process.cjs');
/** The whole suite takes some 40 s; mocha ends a test after 2 s, so only a process that hangs gets here. */
const PROCESS_TIMEOUT_MS = 300_000;

export interface Target {
  readonly mode: Mode;
  /** File that stands in for upstream's test/bottleneck.js; undefined for the real package. */
  readonly build: string | undefined;
  readonly ioredis: string;
  readonly redis: string;
}

export type TestResult = { passed: true; ms: number } | { passed: false; error: string; output: string };

/** A test's name and a rejection that nobody handled while it ran. */
export interface Unhandled {
  readonly id: string;
  readonly error: string;
}

export interface SuiteRun {
  /** A test without a result was not reached: a hook failed before it, or the process died. */
  readonly results: Map<string, TestResult>;
  readonly unhandled: Unhandled[];
}

type Report =
  | { type: 'tests'; ids: string[]; excluded: string[] }
  | { type: 'begin'; id: string }
  | { type: 'pass'; id: string; ms: number }
  | { type: 'fail'; id: string; error: string; output: string }
  | { type: 'unhandled'; id: string; error: string }
  | { type: 'end' };

/** What the test files define in this mode, without running any. */
export async function listTests(target: Target): Promise<{ ids: string[]; excluded: string[] }> {
  const child = forkSuite(target, undefined);
  try {
    const reports = once(child, 'message') as Promise<[Report]>;
    child.send({ files: testFiles(), exclude: LEAKAGE_TESTS, listOnly: true });
    const [report] = await Promise.race([
      reports,
      once(child, 'exit').then(() => Promise.reject(new Error('the suite did not load'))),
    ]);
    if (report.type !== 'tests') throw new Error(`unexpected report ${report.type}`);
    return report;
  } finally {
    child.kill('SIGKILL');
  }
}

export type OnResult = (id: string, result: TestResult) => void;

export async function runSuite(target: Target, include: string[], onResult: OnResult): Promise<SuiteRun> {
  const redis = target.mode.needsRedis ? await startRedis() : undefined;
  const child = forkSuite(target, redis);
  try {
    child.send({ files: testFiles(), exclude: LEAKAGE_TESTS, include });
    return await collect(child, onResult);
  } finally {
    child.kill('SIGKILL');
    await redis?.stop();
  }
}

function forkSuite(target: Target, redis: RedisServer | undefined): ChildProcess {
  return fork(SUITE_PROCESS, [], {
    cwd: UPSTREAM_DIR,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...inheritedEnv(),
      ...target.mode.env,
      NODE_OPTIONS: `--require=${JSON.stringify(PRELOAD)}`,
      UPSTREAM_TEST_DIR,
      UPSTREAM_BUILD: target.build ?? '',
      UPSTREAM_IOREDIS: target.ioredis,
      UPSTREAM_REDIS: target.redis,
      UPSTREAM_REDIS_PORT: redis ? String(redis.port) : '',
    },
  });
}

/** Without what would choose a build or a datastore, and without the runner's own loaders. */
function inheritedEnv(): NodeJS.ProcessEnv {
  const { BUILD, DATASTORE, DEBUG, NODE_OPTIONS, ...env } = process.env;
  return env;
}

function collect(child: ChildProcess, onResult: OnResult): Promise<SuiteRun> {
  const results = new Map<string, TestResult>();
  const unhandled: Unhandled[] = [];
  let current: string | undefined;
  let ended = false;

  const settle = (id: string, result: TestResult) => {
    // A failure stands: mocha may also report the same test as passed when only its hook failed.
    if (results.get(id)?.passed === false) return;
    results.set(id, result);
    onResult(id, result);
  };

  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), PROCESS_TIMEOUT_MS);
    child.on('message', (report: Report) => {
      if (report.type === 'begin') current = report.id;
      else if (report.type === 'pass') settle(report.id, { passed: true, ms: report.ms });
      else if (report.type === 'fail') settle(report.id, { passed: false, error: report.error, output: report.output });
      else if (report.type === 'unhandled') unhandled.push({ id: report.id, error: report.error });
      else if (report.type === 'end') ended = true;
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      if (!ended && !current) return reject(new Error(`the suite did not load (exit ${code ?? signal})`));
      if (!ended && current)
        settle(current, { passed: false, error: `the process died (${code ?? signal})`, output: '' });
      resolve({ results, unhandled });
    });
  });
}
