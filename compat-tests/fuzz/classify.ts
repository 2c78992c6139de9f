/**
 * Which known differences explain a divergence. A rule must find the cause in the scenario, and says for each difference
 * whether it can come of it; a divergence is known when every one of its differences is explained.
 */
import type { Difference } from '../harness/trace';
import type { Action, JobPlan, Scenario, Settings } from './scenario';

interface Rule {
  /** Id in `known-differences.ts`. */
  id: string;
  explains(scenario: Scenario, difference: Difference, all: Difference[]): boolean;
}

const rules: Rule[] = [
  {
    id: 'settings-calls-stop-the-refill',
    explains: (scenario, { at }) =>
      hasInterval(scenario) && actions(scenario, 'update').some((update) => update.at <= at),
  },
  {
    id: 'late-result-of-an-expired-attempt',
    explains: (scenario, { at }) =>
      actions(scenario, 'jobs').some(
        (burst) => burst.at <= at && burst.jobs.some((job) => mayOutliveAnAttempt(scenario, job)),
      ),
  },
  {
    id: 'queue-above-high-water',
    explains: (scenario, { at }, all) => queueMayGrowPastHighWater(scenario, at) && shedBefore(at, all),
  },
  {
    id: 'stop-leaks-running-weight',
    explains: (scenario, { at, stream }) =>
      /^(look|limiter) /.test(stream) && droppingStops(scenario).some((stop) => stop.at <= at),
  },
  {
    id: 'local-disconnect-stops-the-refill',
    explains: (scenario, { at }) =>
      hasInterval(scenario) &&
      (scenario.group !== null || actions(scenario, 'disconnect').some((action) => action.at <= at)),
  },
  {
    id: 'group-clean-up-of-a-busy-limiter',
    explains: (scenario, { at }, all) => cleanedUpBefore(at, all) && jobsMayOutliveTimeout(scenario),
  },
  {
    id: 'group-clean-up-starts-with-the-first-key',
    explains: (scenario, { at }, all) => cleanedUpBefore(at, all) && scenario.group?.timeout != null,
  },
  {
    id: 'stop-without-dropping-on-a-full-queue',
    explains: (scenario, { at }) =>
      waitingStops(scenario).some(
        (stop) => stop.at <= at && settingsOf(scenario, stop.limiter).some((one) => one.highWater != null),
      ),
  },
  {
    id: 'stop-waits-in-a-job-of-its-own',
    explains: (scenario, { at, stream }) =>
      waitingStops(scenario).some(
        (stop) =>
          stop.at <= at &&
          // That job of Bottleneck's goes through the chain as well, and takes its share of the limits there.
          (chainedTo(scenario, stop.limiter).length > 0 || showsStopJob(stream, stop.limiter)),
      ),
  },
  {
    id: 'reject-on-drop-changed-later',
    explains: (scenario, { at }) =>
      actions(scenario, 'update').some((update) => update.at <= at && update.settings.rejectOnDrop !== undefined),
  },
];

/** Explains all that no other rule does, or nothing: what follows from an order is anything. */
const orderBehindTrivialJobs: Rule = {
  id: 'order-behind-jobs-that-take-no-time',
  explains: (scenario, _difference, rest) =>
    actions(scenario, 'jobs').some(
      (burst) => burst.at === rest[0]?.at && burst.jobs.length > 1 && mayEndAtOnce(scenario, burst),
    ),
};

/** Ids of the known differences that explain all of it, or null. */
export function classify(scenario: Scenario, differences: Difference[]): string[] | null {
  const ids = new Set<string>();
  const rest: Difference[] = [];
  for (const difference of differences) {
    const rule = rules.find((candidate) => candidate.explains(scenario, difference, differences));
    if (rule) ids.add(rule.id);
    else rest.push(difference);
  }
  const [first] = rest;
  if (first === undefined) return [...ids];
  return orderBehindTrivialJobs.explains(scenario, first, rest) ? [...ids, orderBehindTrivialJobs.id] : null;
}

export function ruleIds(): string[] {
  return [...rules, orderBehindTrivialJobs].map((rule) => rule.id);
}

function actions<K extends Action['kind']>(scenario: Scenario, kind: K): Array<Action & { kind: K }> {
  return scenario.actions.filter((action): action is Action & { kind: K } => action.kind === kind);
}

function droppingStops(scenario: Scenario): Array<Action & { kind: 'stop' }> {
  return actions(scenario, 'stop').filter((stop) => stop.options.dropWaitingJobs !== false);
}

function waitingStops(scenario: Scenario): Array<Action & { kind: 'stop' }> {
  return actions(scenario, 'stop').filter((stop) => stop.options.dropWaitingJobs === false);
}

/** Where the job that stop() makes upstream can be seen. */
function showsStopJob(stream: string, limiter: string): boolean {
  return (
    [
      `limiter ${limiter}`,
      `starts ${limiter}`,
      `job undefined in ${limiter}`,
      `debug undefined in ${limiter}`,
    ].includes(stream) || /^look |^call \d+ stop$/.test(stream)
  );
}

/** Upstream sheds load only while the queue is exactly at its mark: light jobs and a lowered mark take it past that. */
function queueMayGrowPastHighWater(scenario: Scenario, at: number): boolean {
  const mixedWeights = actions(scenario, 'jobs').some(
    (burst) => burst.at <= at && burst.jobs.some((job) => (job.weight ?? 1) !== 1),
  );
  const isSet = (settings: Settings): boolean => settings.highWater != null;
  const setLater = actions(scenario, 'update').some((update) => update.at <= at && isSet(update.settings));
  return setLater || (mixedWeights && scenario.limiters.some((plan) => settingsOf(scenario, plan.name).some(isSet)));
}

/** Either a key is there on one side only, or its limiter was made anew on one side. */
function cleanedUpBefore(at: number, all: Difference[]): boolean {
  return all.some((difference) => difference.at <= at && tellsOfCleanUp(difference));
}

function tellsOfCleanUp({ stream, upstream, ours }: Difference): boolean {
  return stream === 'group' || / deleteKey$/.test(stream) || [upstream, ours].some((text) => / created$/.test(text));
}

function jobsMayOutliveTimeout(scenario: Scenario): boolean {
  const timeout = Number(scenario.group?.timeout ?? Number.POSITIVE_INFINITY);
  return actions(scenario, 'jobs').some((burst) =>
    burst.jobs.some((job) => job.attempts.some((one) => one.takes > timeout)),
  );
}

/** A job that only ours took for one too many. */
function shedBefore(at: number, all: Difference[]): boolean {
  return all.some(
    (difference) =>
      difference.at <= at &&
      / queued .*"reachedHWM":false/.test(difference.upstream) &&
      / dropped |"reachedHWM":true/.test(difference.ours),
  );
}

/** Whether a job of the burst can end at the very moment at which it was scheduled. */
function mayEndAtOnce(scenario: Scenario, burst: Action & { kind: 'jobs' }): boolean {
  const chained = chainedTo(scenario, burst.limiter).length > 0;
  return chained || burst.jobs.some((job) => job.attempts.some((attempt) => attempt.takes === 0));
}

function chainedTo(scenario: Scenario, limiter: string): string[] {
  return actions(scenario, 'chain').flatMap((chain) => (chain.limiter === limiter ? (chain.to ?? []) : []));
}

function mayOutliveAnAttempt(scenario: Scenario, job: JobPlan): boolean {
  const { expiration } = job;
  if (expiration === undefined || job.retries.length === 0) return false;
  return actions(scenario, 'chain').length > 0 || job.attempts.some((attempt) => attempt.takes >= expiration);
}

/** The settings a limiter has had at any time. */
function settingsOf(scenario: Scenario, limiter: string): Settings[] {
  const updates = actions(scenario, 'update').filter((update) => update.limiter === limiter);
  const plans = scenario.limiters.filter((plan) => plan.name === limiter);
  return [scenario.group ?? {}, ...plans.map((plan) => plan.settings), ...updates.map((update) => update.settings)];
}

function hasInterval(scenario: Scenario): boolean {
  const all = scenario.limiters.flatMap((plan) => settingsOf(scenario, plan.name));
  return all.some((settings) => settings.reservoirRefreshInterval || settings.reservoirIncreaseInterval);
}
