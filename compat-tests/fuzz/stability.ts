/**
 * How far Bottleneck itself gives a scenario one outcome. From where moving everything by a millisecond or two makes another
 * story, or where Bottleneck breaks, there is nothing to be compared with.
 */
import type { Subject } from '../harness/subjects';
import type { Entry, Trace } from '../harness/trace';
import { execute } from './execute';
import { normalise } from './normalise';
import { Random } from './random';
import type { Action, JobPlan, LimiterPlan, Scenario } from './scenario';

export type Instability = 'shifted' | 'unhandled' | 'broken';

/** Until when Bottleneck's story is the only one there is. */
export interface Stability {
  /** Virtual ms; Infinity when all of it is stable. */
  until: number;
  reason: Instability;
}

/** What Bottleneck says when it has lost track of a job. */
const BROKEN = /Invalid job status|TypeError|RangeError/;
const SHIFTS = 10;
/** ms by which the shifts of many jobs in a row may add up. */
const DRIFT = 30;

/** How far a scenario can be compared. `trace` is what Bottleneck made of it. */
export async function stability(scenario: Scenario, upstream: Subject, trace: Trace): Promise<Stability> {
  const candidates: Stability[] = [
    { until: firstTime(trace, (name) => name === 'unhandled'), reason: 'unhandled' },
    { until: firstTime(trace, (name, text) => name.startsWith('limiter ') && BROKEN.test(text)), reason: 'broken' },
  ];
  const story = withOrders(normalise(scenario, trace));
  for (let i = 1; i <= SHIFTS; i++) {
    const shifted = withOrders(normalise(scenario, await execute(shift(scenario, i), upstream)));
    candidates.push({ until: firstTurn(story, shifted), reason: 'shifted' });
  }
  return candidates.reduce((earliest, one) => (one.until < earliest.until ? one : earliest));
}

function firstTime(trace: Trace, matches: (stream: string, text: string) => boolean): number {
  const times = Object.entries(trace.streams).flatMap(([name, entries]) =>
    entries.filter((entry) => matches(name, entry.text)).map((entry) => entry.at),
  );
  return Math.min(Number.POSITIVE_INFINITY, ...times);
}

/** Adds in which order the jobs of each limiter got their slots, which is told in a stream for each job. */
function withOrders(trace: Trace): Trace {
  const orders: Trace['streams'] = {};
  for (const [name, entries] of Object.entries(trace.streams)) {
    const [, label, limiter] = /^job (\S+) in (\S+)$/.exec(name) ?? [];
    if (label === undefined) continue;
    const stream = `slots ${limiter}`;
    const got = entries.filter((entry) => entry.text.startsWith('scheduled')).map(({ at }) => ({ at, text: label }));
    orders[stream] = [...(orders[stream] ?? []), ...got];
  }
  for (const order of Object.values(orders)) order.sort((a, b) => a.at - b.at || (a.text < b.text ? -1 : 1));
  return { streams: { ...trace.streams, ...orders } };
}

function isSame(left: Entry | undefined, right: Entry | undefined): boolean {
  return left !== undefined && left.text === right?.text && Math.abs(left.at - right.at) <= DRIFT;
}

/** When the second trace first tells something else than the first, or tells it at quite another time. */
function firstTurn(story: Trace, shifted: Trace): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const name of new Set([...Object.keys(story.streams), ...Object.keys(shifted.streams)])) {
    const left = story.streams[name] ?? [];
    const right = shifted.streams[name] ?? [];
    const length = Math.max(left.length, right.length);
    for (let i = 0; i < length; i++) {
      if (isSame(left[i], right[i])) continue;
      earliest = Math.min(earliest, left[i]?.at ?? right[i]?.at ?? earliest, right[i]?.at ?? Number.POSITIVE_INFINITY);
      break;
    }
  }
  return earliest;
}

/**
 * The same scenario with every moment and duration moved by up to 2 ms, in the same order. The last two rounds move
 * `minTime` too, this way and that: where two limiters with the same one meet at one instant, nothing tells who is first.
 */
export function shift(scenario: Scenario, round: number): Scenario {
  const random = new Random(scenario.seed * 31 + round);
  let floor = 0;
  const actions = scenario.actions.map((action, index): Action => {
    const previous = scenario.actions[index - 1];
    if (previous === undefined || previous.at !== action.at) floor = Math.max(floor, action.at + random.int(0, 2));
    const moved = { ...action, at: floor };
    return moved.kind === 'jobs' ? { ...moved, jobs: moved.jobs.map((job) => shiftJob(random, job)) } : moved;
  });
  const limiters = scenario.limiters.map((plan, index, { length }) => {
    if (round === SHIFTS - 1) return withLongerMinTime(plan, 2 * index);
    return round === SHIFTS ? withLongerMinTime(plan, 2 * (length - 1 - index)) : plan;
  });
  return { ...scenario, limiters, actions, end: scenario.end + 4 };
}

function withLongerMinTime(plan: LimiterPlan, by: number): LimiterPlan {
  const { minTime } = plan.settings;
  return minTime ? { ...plan, settings: { ...plan.settings, minTime: Number(minTime) + by } } : plan;
}

function shiftJob(random: Random, job: JobPlan): JobPlan {
  const attempts = job.attempts.map((attempt) => ({
    ...attempt,
    takes: moved(random, attempt.takes),
  }));
  const retries = job.retries.map((delay) => (delay === null ? null : moved(random, delay)));
  return { ...job, attempts, retries };
}

/** What takes no time at all takes some in a shifted run: upstream it is a race with its own hops. */
function moved(random: Random, ms: number): number {
  return ms === 0 ? random.int(1, 2) : Math.max(0, ms + random.int(-2, 2));
}
