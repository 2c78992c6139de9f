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
  losesData,
  mustAsk,
  overlaps,
  type Rules,
  recovery,
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

/** Invariants that rest on what Redis remembers: a loss of it may show until everybody has told Redis again. */
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
  return history.faults.find((fault) => losesData(fault) && overlaps(fault, t, t, recovery(rules)));
}
