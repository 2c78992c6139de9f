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
          [stop.limiter, ...chainedTo(scenario, stop.limiter)].some((name) => showsStopJob(stream, name)),
      ),
  },
];

/** Ids of the known differences that explain all of it, or null. */
export function classify(scenario: Scenario, differences: Difference[]): string[] | null {
  const ids = new Set<string>();
  for (const difference of differences) {
    const rule = rules.find((candidate) => candidate.explains(scenario, difference, differences));
    if (!rule) return null;
    ids.add(rule.id);
  }
  return [...ids];
}

export function ruleIds(): string[] {
  return rules.map((rule) => rule.id);
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
  return scenario.limiters.some((plan) => {
    const marks = settingsOf(scenario, plan.name).filter((settings) => settings.highWater != null);
    return marks.length > 1 || (marks.length === 1 && mixedWeights);
  });
}

function cleanedUpBefore(at: number, all: Difference[]): boolean {
  return all.some((difference) => difference.stream === 'group' && difference.at <= at);
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
