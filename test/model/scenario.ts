/** What one run of the model test does: plain data, so that it can be kept in a file and made smaller. */
import type { StoreSettings } from '../../lib/store/store';
import { Random } from './random';

export interface Submission {
  priority: number;
  weight: number;
  expiration: number | null;
  delay: number;
}

/** Chooses among what there is when the time comes: the n-th, counted round and round. */
export type Choice = number;

interface Timed {
  /** ms after the operation before, or `due`: when time alone can start something. */
  after: number | 'due';
  /** Number of the client that does it. */
  client: number;
}

export interface StepOperation extends Timed {
  kind: 'step';
  submitted: Submission[];
  completed: Choice[];
  withdrawn: Choice[];
  renewed: Array<{ which: Choice; expiresIn: number }>;
  /** The same call comes a second time, as when its reply was lost. */
  resent: boolean;
}

export interface UpdateOperation extends Timed {
  kind: 'update';
  patch: Partial<StoreSettings>;
}

export interface IncrementOperation extends Timed {
  kind: 'increment';
  by: number;
}

export interface ReadOperation extends Timed {
  kind: 'read';
  weight: number;
}

export type Operation = StepOperation | UpdateOperation | IncrementOperation | ReadOperation;

export interface Scenario {
  clients: number;
  settings: StoreSettings;
  operations: Operation[];
}

export const UNLIMITED: StoreSettings = {
  maxConcurrent: null,
  minTime: 0,
  highWater: null,
  strategy: 1,
  penalty: null,
  reservoir: null,
  reservoirRefreshInterval: null,
  reservoirRefreshAmount: null,
  reservoirIncreaseInterval: null,
  reservoirIncreaseAmount: null,
  reservoirIncreaseMaximum: null,
  dispatch: 'default',
  windowMax: null,
  windowDuration: null,
  bucketCapacity: null,
  bucketRefillPerSecond: null,
};

/** Groups of settings that are switched on and off together. */
type Family = (random: Random) => Partial<StoreSettings>;

const FAMILIES: ReadonlyArray<{ off: Partial<StoreSettings>; on: Family; likely: number }> = [
  {
    off: { maxConcurrent: null },
    on: (random) => ({ maxConcurrent: random.pick([0, 1, 1, 2, 3, 3, 5, 8, 2.5]) }),
    likely: 0.7,
  },
  {
    off: { minTime: 0 },
    on: (random) => ({ minTime: random.pick([1, 5, 20, 33, 100, 12.5, 0.25, 1000 / 15]) }),
    likely: 0.5,
  },
  {
    off: { highWater: null, strategy: 1, penalty: null },
    on: (random) => ({
      highWater: random.pick([0, 1, 2, 3, 5, null]),
      strategy: random.pick([1, 1, 2, 3, 4, 4, 7]),
      penalty: random.pick([null, null, 0, 40, 300, 12.5]),
    }),
    likely: 0.6,
  },
  {
    off: { reservoir: null },
    on: (random) => ({ reservoir: random.pick([0, 1, 3, 5, 10, 2.5, -1]) }),
    likely: 0.4,
  },
  {
    off: { reservoirRefreshInterval: null, reservoirRefreshAmount: null },
    on: (random) => ({
      reservoirRefreshInterval: random.pick([0, 7, 50, 100, 250, 1000, 33.3]),
      reservoirRefreshAmount: random.pick([0, 1, 4, 4, 10, 1.5]),
    }),
    likely: 0.3,
  },
  {
    off: { reservoirIncreaseInterval: null, reservoirIncreaseAmount: null, reservoirIncreaseMaximum: null },
    on: (random) => ({
      reservoirIncreaseInterval: random.pick([0, 10, 25, 100, 500, 12.5]),
      reservoirIncreaseAmount: random.pick([1, 1, 2, 5, 0.5, -1]),
      reservoirIncreaseMaximum: random.pick([null, 2, 5, 10]),
    }),
    likely: 0.3,
  },
  {
    off: { dispatch: 'default' },
    on: () => ({ dispatch: 'just-in-time' }),
    likely: 0.35,
  },
  {
    off: { windowMax: null, windowDuration: null },
    on: (random) => ({ windowMax: random.pick([1, 2, 3, 5]), windowDuration: random.pick([10, 50, 200, 1000, 33.3]) }),
    likely: 0.2,
  },
  {
    off: { bucketCapacity: null, bucketRefillPerSecond: null },
    on: (random) => ({
      bucketCapacity: random.pick([1, 2, 3, 10]),
      bucketRefillPerSecond: random.pick([0, 1, 7, 20, 100]),
    }),
    likely: 0.2,
  },
];

/** The scenario of a seed. */
export function generate(seed: number): Scenario {
  const random = new Random(seed);
  const clients = random.chance(0.5) ? 1 : random.int(2, 4);
  const settings = { ...UNLIMITED };
  for (const { on, likely } of FAMILIES) if (random.chance(likely)) Object.assign(settings, on(random));
  const operations = random.list(4, 24, () => operation(random, clients));
  return { clients, settings, operations };
}

function operation(random: Random, clients: number): Operation {
  const timed: Timed = { after: pause(random), client: random.int(0, clients - 1) };
  const kind = random.next();
  if (kind < 0.08) return { ...timed, kind: 'update', patch: patch(random) };
  if (kind < 0.13) return { ...timed, kind: 'increment', by: random.pick([1, 2, 5, 0, -2, 0.5]) };
  if (kind < 0.18) return { ...timed, kind: 'read', weight: random.pick([1, 1, 0, 2, 0.5]) };
  const most = random.chance(0.1) ? 25 : 4;
  return {
    ...timed,
    kind: 'step',
    submitted: random.chance(0.25) ? row(random) : random.list(0, most, () => submission(random)),
    completed: random.list(0, random.chance(0.1) ? 30 : 3, () => random.int(0, 99)),
    withdrawn: random.list(0, random.chance(0.25) ? 2 : 0, () => random.int(0, 99)),
    renewed: random.list(0, random.chance(0.15) ? 2 : 0, () => ({
      which: random.int(0, 99),
      expiresIn: random.pick([0, 20, 100, 12.5]),
    })),
    resent: random.chance(0.1),
  };
}

function pause(random: Random): number | 'due' {
  const kind = random.next();
  if (kind < 0.2) return 0;
  if (kind < 0.5) return 'due';
  if (kind < 0.75) return random.int(1, 60);
  if (kind < 0.85) return random.int(1, 400) / 8;
  return random.int(100, 3000);
}

/** Jobs as most programs have them: many, and all alike, but for one now and then. */
function row(random: Random): Submission[] {
  const plain = { priority: random.pick([5, 5, 5, 0, 9]), weight: 1, expiration: null, delay: 0 };
  return random.list(2, 40, () => (random.chance(0.03) ? submission(random) : plain));
}

function submission(random: Random): Submission {
  return {
    priority: random.pick([5, 5, 5, 0, 1, 4, 6, 9]),
    weight: random.pick([1, 1, 1, 1, 1, 2, 3, 0, 0.5, 0.1, 1 / 3]),
    expiration: random.pick([null, null, null, null, 0, 15, 80, 300, 12.5]),
    delay: random.pick([0, 0, 0, 0, 0, 0, 5, 30, 30, 200, 12.5]),
  };
}

function patch(random: Random): Partial<StoreSettings> {
  const changed: Partial<StoreSettings> = {};
  for (const { on, off } of FAMILIES)
    if (random.chance(0.2)) Object.assign(changed, random.chance(0.7) ? on(random) : off);
  return changed;
}
