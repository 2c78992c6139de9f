/** A scenario is plain data, so that it can be shifted, shrunk, printed and kept. Times are virtual ms. */
export type Settings = Record<string, number | boolean | null>;

export interface Attempt {
  /** How long the job's function takes; 0 returns at once. */
  takes: number;
  fails: boolean;
}

export interface JobPlan {
  /** Label of the job, and its first argument. */
  label: string;
  /** Job id; without one the limiter makes one up. */
  id?: string;
  priority?: number;
  weight?: number;
  expiration?: number;
  /** One for each time that the function is called; the last one stands for all that follow. */
  attempts: Attempt[];
  /** What the `failed` listener returns after each failure; null when there is nothing more. */
  retries: Array<number | null>;
  via: 'schedule' | 'submit' | 'wrap';
}

export type Action =
  | { at: number; kind: 'jobs'; limiter: string; jobs: JobPlan[] }
  | { at: number; kind: 'update'; limiter: string; settings: Settings }
  | { at: number; kind: 'increment'; limiter: string; by: number }
  | { at: number; kind: 'chain'; limiter: string; to: string | null }
  | { at: number; kind: 'stop'; limiter: string; options: Settings }
  | { at: number; kind: 'publish'; limiter: string; message: string }
  | { at: number; kind: 'disconnect'; limiter: string }
  | { at: number; kind: 'deleteKey'; limiter: string }
  | { at: number; kind: 'look' };

export interface LimiterPlan {
  name: string;
  settings: Settings;
  /** Made by the scenario's Group when it is first used, with the group's settings. */
  inGroup: boolean;
}

export interface Scenario {
  seed: number;
  limiters: LimiterPlan[];
  group: Settings | null;
  /** Whether `debug` events are compared too; only sometimes, since listening to them is what costs most. */
  debug: boolean;
  actions: Action[];
  /** When the scenario ends, whether or not everything has settled. */
  end: number;
}
