/** Makes a scenario smaller while it keeps its fault: whoever looks at it should see the cause, not the noise. */
import type { Action, JobPlan, Scenario, Settings } from './scenario';

type StillFails = (scenario: Scenario) => Promise<boolean>;

export async function shrink(scenario: Scenario, stillFails: StillFails): Promise<Scenario> {
  let smallest = scenario;
  for (let progress = true; progress; ) {
    progress = false;
    for (const candidate of smaller(smallest)) {
      if (!(await stillFails(candidate))) continue;
      smallest = candidate;
      progress = true;
      break;
    }
  }
  return smallest;
}

/** Every scenario that is one step simpler, the largest steps first. */
function* smaller(scenario: Scenario): Generator<Scenario> {
  const { actions } = scenario;
  for (let half = Math.floor(actions.length / 2); half >= 1; half = Math.floor(half / 2)) {
    for (let start = 0; start < actions.length; start += half) {
      yield { ...scenario, actions: [...actions.slice(0, start), ...actions.slice(start + half)] };
    }
  }
  for (const [index, action] of actions.entries()) {
    for (const simpler of smallerActions(action)) yield { ...scenario, actions: replaced(actions, index, simpler) };
  }
  yield* smallerSettings(scenario);
}

function* smallerSettings(scenario: Scenario): Generator<Scenario> {
  for (const simpler of withFewer(scenario.group ?? {})) yield { ...scenario, group: simpler };
  for (const [index, plan] of scenario.limiters.entries()) {
    for (const settings of withFewer(plan.settings)) {
      yield { ...scenario, limiters: replaced(scenario.limiters, index, { ...plan, settings }) };
    }
    const used = scenario.actions.some(
      (action) => ('limiter' in action && action.limiter === plan.name) || ('to' in action && action.to === plan.name),
    );
    if (!used) yield { ...scenario, limiters: scenario.limiters.filter((other) => other !== plan) };
  }
  if (scenario.debug) yield { ...scenario, debug: false };
}

/** Settings with one less; those that only make sense together go together. */
function* withFewer(settings: Settings): Generator<Settings> {
  for (const key of Object.keys(settings)) {
    const family = FAMILIES.find(([first]) => first === key) ?? [key];
    const dependent = FAMILIES.some(
      (names) => names.slice(1).includes(key) && names[0] !== undefined && names[0] in settings,
    );
    if (!dependent || key === 'reservoirIncreaseMaximum') yield family.reduce(without, settings);
  }
}

const FAMILIES: string[][] = [
  ['reservoirRefreshInterval', 'reservoirRefreshAmount'],
  ['reservoirIncreaseInterval', 'reservoirIncreaseAmount', 'reservoirIncreaseMaximum'],
  [
    'reservoir',
    'reservoirRefreshInterval',
    'reservoirRefreshAmount',
    'reservoirIncreaseInterval',
    'reservoirIncreaseAmount',
    'reservoirIncreaseMaximum',
  ],
];

function* smallerActions(action: Action): Generator<Action> {
  if (action.kind === 'update') {
    for (const key of Object.keys(action.settings)) yield { ...action, settings: without(action.settings, key) };
  }
  if (action.kind !== 'jobs') return;
  for (const job of action.jobs) {
    if (action.jobs.length > 1) yield { ...action, jobs: action.jobs.filter((other) => other !== job) };
  }
  for (const [index, job] of action.jobs.entries()) {
    for (const simpler of smallerJobs(job)) yield { ...action, jobs: replaced(action.jobs, index, simpler) };
  }
}

function* smallerJobs(job: JobPlan): Generator<JobPlan> {
  for (const key of ['priority', 'weight', 'expiration'] as const) {
    if (job[key] !== undefined) yield without(job, key);
  }
  if (job.via !== 'schedule') yield { ...job, via: 'schedule' };
  if (job.retries.length > 0) yield { ...job, retries: job.retries.slice(0, -1) };
  if (job.attempts.length > 1) yield { ...job, attempts: job.attempts.slice(0, -1) };
  for (const [index, attempt] of job.attempts.entries()) {
    if (attempt.fails) yield { ...job, attempts: replaced(job.attempts, index, { ...attempt, fails: false }) };
  }
}

function replaced<T>(items: readonly T[], index: number, item: T): T[] {
  return items.map((other, i) => (i === index ? item : other));
}

function without<T extends object>(record: T, key: string): T {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key)) as T;
}
