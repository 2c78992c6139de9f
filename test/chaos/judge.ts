import type { Fault, History } from './history';
import { capacity } from './invariants/capacity';
import { maxConcurrent } from './invariants/max-concurrent';
import { minTime } from './invariants/min-time';
import { once } from './invariants/once';
import { order } from './invariants/order';
import { reservoir } from './invariants/reservoir';
import { rest } from './invariants/rest';
import { settled } from './invariants/settled';
import { type Invariant, losesData, overlaps, type Rules, recovery, type Violation } from './rules';

export const INVARIANTS: Record<Invariant, (history: History, rules: Rules) => Violation[]> = {
  maxConcurrent,
  minTime,
  reservoir,
  once,
  settled,
  order,
  rest,
  capacity,
};

/** Invariants that rest on what Redis remembers: a loss of it may show until everybody has told Redis again. */
const NEEDS_MEMORY: ReadonlySet<Invariant> = new Set(['maxConcurrent', 'minTime', 'reservoir', 'order']);

export interface Verdict {
  violations: Violation[];
  /** Excesses within the time that a loss of Redis's data takes to heal: promised to be short, not to be none. */
  tolerated: Array<Violation & { after: string }>;
}

/** Every violation of every invariant, in the order of their times. */
export function judge(history: History, rules: Rules): Verdict {
  const verdict: Verdict = { violations: [], tolerated: [] };
  const all = Object.values(INVARIANTS).flatMap((check) => check(history, rules));
  for (const violation of all.sort((a, b) => a.t - b.t)) {
    const cause = NEEDS_MEMORY.has(violation.invariant) ? lossBefore(history, rules, violation.t) : undefined;
    if (cause) verdict.tolerated.push({ ...violation, after: cause.kind });
    else verdict.violations.push(violation);
  }
  return verdict;
}

function lossBefore(history: History, rules: Rules, t: number): Fault | undefined {
  return history.faults.find((fault) => losesData(fault) && overlaps(fault, t, t, recovery(rules)));
}
