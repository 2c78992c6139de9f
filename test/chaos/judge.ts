import type { Fault, History } from './history';
import { capacity } from './invariants/capacity';
import { maxConcurrent } from './invariants/max-concurrent';
import { minTime } from './invariants/min-time';
import { once } from './invariants/once';
import { order } from './invariants/order';
import { reservoir } from './invariants/reservoir';
import { rest } from './invariants/rest';
import { settled } from './invariants/settled';
import {
  delayBefore,
  type Invariant,
  isDelay,
  LATE_MS,
  losesData,
  mustAsk,
  overlaps,
  type Rules,
  recovery,
  telling,
  type Violation,
} from './rules';

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

/**
 * Invariants that rest on what Redis remembers. When that is lost, starts are held until everybody has told it again; a
 * loss may show only where a process was out of touch, and could not.
 */
const NEEDS_MEMORY: ReadonlySet<Invariant> = new Set(['maxConcurrent', 'minTime', 'reservoir', 'order']);

export interface Verdict {
  violations: Violation[];
  /** Excesses that follow from a fault by themselves: Redis lost what it knew, or a start came late. */
  tolerated: Array<Violation & { after: string }>;
}

/** Every violation of every invariant, in the order of their times. */
export function judge(history: History, rules: Rules): Verdict {
  const verdict: Verdict = { violations: [], tolerated: [] };
  const all = Object.values(INVARIANTS).flatMap((check) => check(history, rules));
  for (const violation of all.sort((a, b) => a.t - b.t)) {
    const cause = excuse(history, rules, violation);
    if (cause) verdict.tolerated.push({ ...violation, after: cause.kind });
    else verdict.violations.push(violation);
  }
  return verdict;
}

function excuse(history: History, rules: Rules, { invariant, t, starts }: Violation): Fault | undefined {
  const loss = NEEDS_MEMORY.has(invariant) ? lossBefore(history, rules, t) : undefined;
  if (loss || !starts) return loss;
  // Told late, a start is late, whenever it was to begin; unless its worker has to ask whether it still may.
  return starts
    .map(({ worker, told }) => delayBefore(history, told, worker))
    .find((delay) => delay !== undefined && !mustAsk(delay, rules));
}

function lossBefore(history: History, rules: Rules, t: number): Fault | undefined {
  return history.faults.find(
    (fault) => losesData(fault) && someCouldNotTell(history, rules, fault) && overlaps(fault, t, t, recovery(rules)),
  );
}

function someCouldNotTell(history: History, rules: Rules, { from, until }: Fault): boolean {
  return history.faults.some(
    (fault) => fault.worker !== undefined && isDelay(fault) && overlaps(fault, from, until + telling(rules), LATE_MS),
  );
}
