import type { History } from '../history';
import type { Rules, Violation } from '../rules';

/** 6. After everything settled: nothing running, nothing queued, no key left that may not be. */
export function rest(history: History, rules: Rules): Violation[] {
  const violations: Violation[] = [];
  const found = (what: string) => violations.push({ invariant: 'rest', t: history.end, what });
  if (!history.rest) found('the run did not come to rest');
  else {
    const { running, queued, counts } = history.rest;
    if (running !== 0) found(`running is ${running} at the end`);
    if (queued !== 0) found(`queued is ${queued} at the end`);
    for (const state of ['RECEIVED', 'QUEUED', 'RUNNING', 'EXECUTING']) {
      if (counts[state]) found(`${counts[state]} jobs are ${state} at the end`);
    }
  }
  const left = (history.keys ?? []).filter((key) => !rules.keysAllowed.test(key));
  if (left.length > 0) found(`keys left behind: ${left.sort().join(' ')}`);
  return violations;
}
