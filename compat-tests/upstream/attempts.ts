// The suite once, then every test that failed again, alone in a process of its own, up to twice.

import { LEAKAGE_TESTS } from './modes';
import { listTests, runSuite, type Target, type TestResult, type Unhandled } from './suite-run';

const RERUNS = 2;

export interface Outcome {
  readonly id: string;
  /** One entry per attempt, at most three; only the last can be a pass. */
  readonly attempts: TestResult[];
}

export interface Pass {
  readonly outcomes: Outcome[];
  /** Of the first attempts. */
  readonly unhandled: Unhandled[];
}

export interface Log {
  result(id: string, result: TestResult, attempt: number): void;
}

export async function runWithReruns(
  target: Target,
  select: (id: string) => boolean,
  reruns: boolean,
  log: Log,
): Promise<Pass> {
  const pass = await firstPass(target, select, log);
  for (const outcome of reruns ? pass.outcomes : []) {
    while (failed(outcome) && outcome.attempts.length <= RERUNS) {
      outcome.attempts.push(await runAlone(target, outcome, log));
    }
  }
  return pass;
}

export const failed = (outcome: Outcome): boolean => outcome.attempts.at(-1)?.passed !== true;

async function firstPass(target: Target, select: (id: string) => boolean, log: Log): Promise<Pass> {
  const unhandled: Unhandled[] = [];
  const results = new Map<string, TestResult>();
  let waiting = await selectedIds(target, select);
  const ids = waiting;
  // A hook that fails makes mocha leave out the rest of its suite, so the rest gets a process of its own.
  while (waiting.length > 0) {
    const run = await runSuite(target, waiting, (id, result) => log.result(id, result, 1));
    if (run.results.size === 0) throw new Error('the suite ran no test');
    unhandled.push(...run.unhandled);
    for (const [id, result] of run.results) results.set(id, result);
    waiting = waiting.filter((id) => !results.has(id));
  }
  return { outcomes: ids.map((id) => ({ id, attempts: [results.get(id)!] })), unhandled };
}

async function selectedIds(target: Target, select: (id: string) => boolean): Promise<string[]> {
  const { ids, excluded } = await listTests(target);
  // Both stand where upstream guards them with `if`: should they move, this must not hide other tests.
  const expected = target.mode.name === 'local' ? LEAKAGE_TESTS.length : 0;
  if (excluded.length !== expected) throw new Error(`${excluded.length} tests excluded, not ${expected}: ${excluded}`);
  return ids.filter(select);
}

async function runAlone(target: Target, outcome: Outcome, log: Log): Promise<TestResult> {
  const run = await runSuite(target, [outcome.id], () => {});
  const result = run.results.get(outcome.id) ?? { passed: false, error: 'the test was not reached', output: '' };
  log.result(outcome.id, result, outcome.attempts.length + 1);
  return result;
}
