/** Makes a random scenario from a seed. Every option and call turns up often enough to meet every other. */
import { Random } from './random';
import type { Action, Attempt, JobPlan, LimiterPlan, Scenario, Settings } from './scenario';

const QUARTERS = [250, 500, 750, 1000];
const SPAN = 2500;

export function generate(seed: number): Scenario {
  const random = new Random(seed);
  const shape = random.next();
  const grouped = shape > 0.88;
  const group = grouped ? { ...limiterSettings(random), ...groupSettings(random) } : null;
  const limiters = limiterPlans(random, shape, grouped);
  const actions = [...submissions(random, limiters), ...otherActions(random, limiters, group), ...looks(random)];
  if (shape > 0.65 && !grouped) actions.push({ at: 0, kind: 'chain', limiter: 'a', to: 'b' });
  actions.sort((a, b) => a.at - b.at || (a.kind === 'chain' ? -1 : 0) - (b.kind === 'chain' ? -1 : 0));
  return { seed, limiters, group, debug: random.chance(0.2), actions, end: SPAN + random.int(1500, 6000) };
}

function limiterPlans(random: Random, shape: number, grouped: boolean): LimiterPlan[] {
  if (grouped) return ['a', 'b', 'c'].slice(0, random.int(1, 3)).map((name) => ({ name, settings: {}, inGroup: true }));
  const names = shape > 0.65 ? ['a', 'b'] : ['a'];
  return names.map((name) => ({ name, settings: limiterSettings(random), inGroup: false }));
}

function limiterSettings(random: Random): Settings {
  const settings: Settings = {};
  if (random.chance(0.7)) settings.maxConcurrent = random.int(1, 4);
  if (random.chance(0.5)) settings.minTime = random.pick([10, 33, 50, 97, 120, 211]);
  if (random.chance(0.45)) {
    settings.highWater = random.int(0, 5);
    if (random.chance(0.85)) settings.strategy = random.int(1, 4);
    if (random.chance(0.4)) settings.penalty = random.pick([0, 70, 300, 900]);
  }
  if (random.chance(0.3)) Object.assign(settings, reservoirSettings(random));
  if (random.chance(0.3)) settings.trackDoneStatus = true;
  if (random.chance(0.08)) settings.rejectOnDrop = false;
  return settings;
}

function reservoirSettings(random: Random): Settings {
  const settings: Settings = { reservoir: random.int(0, 8) };
  if (random.chance(0.35)) {
    settings.reservoirRefreshInterval = random.pick(QUARTERS);
    settings.reservoirRefreshAmount = random.int(1, 6);
  }
  if (random.chance(0.35)) {
    settings.reservoirIncreaseInterval = random.pick(QUARTERS);
    settings.reservoirIncreaseAmount = random.int(1, 4);
    if (random.chance(0.6)) settings.reservoirIncreaseMaximum = random.int(1, 9);
  }
  return settings;
}

function groupSettings(random: Random): Settings {
  return random.chance(0.5) ? { timeout: random.pick([400, 1000, 3001]) } : {};
}

function submissions(random: Random, limiters: LimiterPlan[]): Action[] {
  const actions: Action[] = [];
  const bursts = random.int(1, 9);
  let count = 0;
  for (let i = 0; i < bursts; i++) {
    const limiter = random.pick(limiters).name;
    const size = random.chance(0.5) ? 1 : random.int(2, 7);
    const jobs = Array.from({ length: size }, () => jobPlan(random, `j${++count}`));
    actions.push({ at: random.int(0, random.chance(0.5) ? 400 : SPAN), kind: 'jobs', limiter, jobs });
  }
  return actions;
}

function jobPlan(random: Random, label: string): JobPlan {
  const plan: JobPlan = {
    label,
    attempts: [attempt(random)],
    retries: [],
    via: random.pick(['schedule', 'schedule', 'submit', 'wrap']),
  };
  if (random.chance(0.85)) plan.id = random.chance(0.04) ? 'same' : `id-${label}`;
  if (random.chance(0.5)) plan.priority = random.int(0, 9);
  if (random.chance(0.35)) plan.weight = random.pick([0, 1, 2, 2, 3, 5]);
  if (random.chance(0.2)) plan.expiration = random.int(5, 300);
  if (random.chance(0.25)) addRetries(random, plan);
  if (plan.retries.length > 0 && random.chance(0.9)) finishBeforeExpiration(plan);
  return plan;
}

function attempt(random: Random): Attempt {
  return { takes: random.chance(0.1) ? 0 : random.int(1, random.chance(0.8) ? 150 : 900), fails: random.chance(0.15) };
}

function addRetries(random: Random, plan: JobPlan): void {
  const times = random.int(1, 3);
  for (let i = 0; i < times; i++) {
    plan.attempts.push(attempt(random));
    plan.retries.push(random.pick([0, 15, 60, 200]));
  }
  const first = plan.attempts[0];
  if (first) first.fails = true;
}

/** Upstream mixes up the attempts of a job when an expired one ends late; that would hide everything else. */
function finishBeforeExpiration(plan: JobPlan): void {
  const { expiration = Number.POSITIVE_INFINITY } = plan;
  plan.attempts = plan.attempts.map((one) => ({ ...one, takes: Math.min(one.takes, Math.max(0, expiration - 3)) }));
}

function otherActions(random: Random, limiters: LimiterPlan[], group: Settings | null): Action[] {
  const actions: Action[] = [];
  const at = () => random.int(0, SPAN);
  const limiter = () => random.pick(limiters).name;
  const hasInterval = [group ?? {}, ...limiters.map((plan) => plan.settings)].some(
    (settings) => settings.reservoirRefreshInterval || settings.reservoirIncreaseInterval,
  );
  const updates = random.chance(hasInterval ? 0.05 : 0.3) ? random.int(1, 3) : 0;
  for (let i = 0; i < updates; i++)
    actions.push({ at: at(), kind: 'update', limiter: limiter(), settings: changes(random) });
  if (random.chance(0.15)) actions.push({ at: at(), kind: 'increment', limiter: limiter(), by: random.int(1, 6) });
  if (random.chance(0.15)) actions.push(stop(random, at(), limiter()));
  if (random.chance(0.03)) actions.push(stop(random, at(), limiter()));
  if (random.chance(0.05)) actions.push({ at: at(), kind: 'publish', limiter: limiter(), message: 'hello' });
  if (random.chance(0.05)) actions.push({ at: at(), kind: 'chain', limiter: limiters[0]?.name ?? 'a', to: null });
  if (group && random.chance(0.2)) actions.push({ at: at(), kind: 'deleteKey', limiter: limiter() });
  return actions;
}

function changes(random: Random): Settings {
  const settings: Settings = {};
  if (random.chance(0.5)) settings.maxConcurrent = random.pick([null, 1, 2, 3, 5]);
  if (random.chance(0.4)) settings.minTime = random.pick([0, 20, 90, 180]);
  if (random.chance(0.2)) settings.highWater = random.pick([null, 0, 2, 6]);
  if (random.chance(0.2)) settings.strategy = random.int(1, 4);
  if (random.chance(0.2)) settings.reservoir = random.pick([null, 0, 3, 10]);
  if (random.chance(0.1)) settings.penalty = random.pick([null, 100, 400]);
  if (random.chance(0.1)) settings.rejectOnDrop = random.chance(0.5);
  return settings;
}

function stop(random: Random, at: number, limiter: string): Action {
  return { at, kind: 'stop', limiter, options: random.chance(0.3) ? {} : { dropWaitingJobs: random.chance(0.5) } };
}

function looks(random: Random): Action[] {
  return Array.from({ length: 6 }, () => ({ at: random.int(0, SPAN + 1000), kind: 'look' as const }));
}
