/**
 * Whether Bottleneck itself gives a scenario one outcome. Where moving everything by a millisecond or two makes another story,
 * or where Bottleneck breaks, there is nothing to be compared with.
 */
import type { Subject } from '../harness/subjects';
import { skeleton, type Trace } from '../harness/trace';
import { execute } from './execute';
import { Random } from './random';
import type { Action, JobPlan, Scenario } from './scenario';

export type Instability = 'shifted' | 'unhandled' | 'broken';

/** What Bottleneck says when it has lost track of a job. */
const BROKEN = /Invalid job status|TypeError|RangeError/;
const SHIFTS = 3;

/** Why a scenario must be left out, or null. `trace` is what Bottleneck made of it. */
export async function instability(scenario: Scenario, upstream: Subject, trace: Trace): Promise<Instability | null> {
  if (trace.streams.unhandled) return 'unhandled';
  if (isBroken(trace)) return 'broken';
  const story = skeleton(trace);
  for (let i = 1; i <= SHIFTS; i++) {
    if (skeleton(await execute(shift(scenario, i), upstream)) !== story) return 'shifted';
  }
  return null;
}

function isBroken(trace: Trace): boolean {
  return Object.entries(trace.streams).some(
    ([name, entries]) => name.startsWith('limiter ') && entries.some((entry) => BROKEN.test(entry.text)),
  );
}

/** The same scenario with every moment and duration moved by up to 2 ms, in the same order. */
export function shift(scenario: Scenario, round: number): Scenario {
  const random = new Random(scenario.seed * 31 + round);
  let floor = 0;
  const actions = scenario.actions.map((action, index): Action => {
    const previous = scenario.actions[index - 1];
    if (previous === undefined || previous.at !== action.at) floor = Math.max(floor, action.at + random.int(0, 2));
    const moved = { ...action, at: floor };
    return moved.kind === 'jobs' ? { ...moved, jobs: moved.jobs.map((job) => shiftJob(random, job)) } : moved;
  });
  return { ...scenario, actions, end: scenario.end + 4 };
}

function shiftJob(random: Random, job: JobPlan): JobPlan {
  const attempts = job.attempts.map((attempt) => ({
    ...attempt,
    takes: Math.max(0, attempt.takes + random.int(-2, 2)),
  }));
  const retries = job.retries.map((delay) => (delay === null ? null : delay + random.int(0, 2)));
  return { ...job, attempts, retries };
}
