import type { Fault, History } from './history';

/** What a run was set up with, and what the judge goes by. Times in ms. */
export interface Rules {
  maxConcurrent: number | null;
  minTime: number;
  /** Starts (by weight) allowed in each window of `interval`. */
  reservoir: { amount: number; interval: number } | null;
  clientTimeout: number;
  heartbeatInterval: number;
  /** Whether the package promises one order for the whole fleet. */
  fleetOrder: boolean;
  /** Keys that may be left at the end. */
  keysAllowed: RegExp;
}

/** The keys that Bottleneck has too, which may stay. */
export const BOTTLENECK_KEYS =
  /^b_.*_(settings|job_weights|job_expirations|job_clients|client_running|client_num_queued|client_last_registered|client_last_seen)$/;

export type Invariant = 'maxConcurrent' | 'minTime' | 'reservoir' | 'once' | 'settled' | 'order' | 'rest' | 'capacity';

export interface Violation {
  invariant: Invariant;
  t: number;
  what: string;
  /** For an order: the job that was passed over; for a limit: the size of the excess. */
  job?: string;
  excess?: number;
  /** How long a limit was exceeded, ms. */
  lasted?: number;
  /** Whose starts are too close together, and when those workers were told of them. */
  starts?: Array<{ worker: string; told: number }>;
}

/** Slack for what the log cannot see: the way from the server's decision to the worker's log. */
export const MESSAGE_SLACK_MS = 150;

/** Faults after which Redis no longer knows what it knew. */
const LOSSES = new Set(['flushall', 'delete-keys', 'restart-empty', 'restart-past', 'failover']);

/** Faults that keep a worker from hearing or telling anything. */
const SILENCES = new Set(['pause', 'block', 'freeze', 'refuse']);

/** Faults that only hold up what a worker hears: a start that the server gave in time is made late. */
const DELAYS = new Set([
  ...SILENCES,
  'delay',
  'throttle',
  'cut',
  'half-close',
  'drop-reply',
  'kill-connections',
  'pause-redis',
  'restart-aof',
]);

/** Between the end of a fault and the last that was told late because of it. */
export const LATE_MS = 400;

/** The fault that held up what this worker was told at `t`, if there is one. */
export function delayBefore(history: History, t: number, worker: string): Fault | undefined {
  return history.faults.find(
    (fault) =>
      isDelay(fault) && (fault.worker === undefined || fault.worker === worker) && overlaps(fault, t, t, LATE_MS),
  );
}

export function isDelay({ kind }: Fault): boolean {
  return DELAYS.has(kind);
}

/** A worker that was out of touch for so long that it may have been given up has to ask before it starts anything. */
export function mustAsk(fault: Fault, rules: Rules): boolean {
  return SILENCES.has(fault.kind) && fault.until - fault.from >= rules.clientTimeout - rules.heartbeatInterval;
}

export function losesData(fault: Fault): boolean {
  return LOSSES.has(fault.kind);
}

/** When this worker was taken for dead though it lived: silent for longer than clientTimeout. */
export function presumedDead(history: History, rules: Rules, worker: string): Array<{ from: number; until: number }> {
  return history.faults
    .filter((fault) => SILENCES.has(fault.kind) && (fault.worker === undefined || fault.worker === worker))
    .map(({ from, until }) => ({ from: from + rules.clientTimeout - rules.heartbeatInterval, until }))
    .filter(({ from, until }) => from < until);
}

/** For how long starts are held after a loss, so that everybody can tell. */
export function telling(rules: Rules): number {
  return 0.4 * rules.clientTimeout;
}

/** Time that everybody needs to find out and to tell Redis again. */
export function recovery(rules: Rules): number {
  return rules.clientTimeout + rules.heartbeatInterval + 500;
}

export function overlaps(fault: Fault, from: number, until: number, after: number): boolean {
  return fault.from <= until && fault.until + after >= from;
}
