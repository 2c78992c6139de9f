import type { ChainableCommander } from 'ioredis';

/**
 * The queue that rebottle keeps beside Bottleneck's keys: the only part of `top` that knows its layout, which
 * lua/README.md describes.
 */

/** Score of a queued ticket = priority × STRIDE + arrival; see lua/include/tickets.lua. */
const STRIDE = 2 ** 46;
const ARRIVAL_EPOCH = 1_767_225_600_000;
const ARRIVALS_PER_MS = 100;

/** Priorities that are counted one by one; those beyond, which only rebottle has, together. */
const PRIORITIES = 10;

export interface OwnQueue {
  /** Tickets by priority 0 to 9; the last entry holds those of all priorities from 10 on. */
  readonly byPriority: readonly number[];
  /** Tickets of processes that do not listen at the moment. */
  readonly parked: number;
  /** Tickets whose time has not come. */
  readonly delayed: number;
  /** When the longest-waiting ticket arrived, in ms of the server's clock. */
  readonly oldestArrival: number | null;
  /** Weight of the ticket at the head; null when none waits. */
  readonly headWeight: number | null;
}

/** Real clients have ids of letters and digits alone. */
export function isOurs(client: string): boolean {
  return client.includes('.');
}

const bounds = Array.from({ length: PRIORITIES + 1 }, (_, priority) => ({
  from: priority * STRIDE,
  to: priority < PRIORITIES ? `(${(priority + 1) * STRIDE}` : '+inf',
}));

/** Adds the commands whose replies `readOwnQueue` takes. `prefix` is that of the limiter's keys. */
export function askOwnQueue(pipeline: ChainableCommander, prefix: string): void {
  const queue = `${prefix}rb_queue`;
  pipeline.zcard(`${prefix}rb_parked`).zcard(`${prefix}rb_delayed`);
  for (const { from, to } of bounds) {
    pipeline.zcount(queue, from, to).zrangebyscore(queue, from, to, 'WITHSCORES', 'LIMIT', 0, 1);
  }
}

/** How many replies they give. */
export const OWN_QUEUE_REPLIES = 2 + 2 * bounds.length;

export function readOwnQueue(replies: readonly unknown[]): OwnQueue {
  const [parked, delayed, ...perPriority] = replies;
  const byPriority = bounds.map((_, index) => Number(perPriority[2 * index]));
  const firsts = bounds.map((_, index) => perPriority[2 * index + 1] as string[]).filter(({ length }) => length > 0);
  const arrivals = firsts.map(([, score]) => arrivalOf(Number(score)));
  return {
    byPriority,
    parked: Number(parked),
    delayed: Number(delayed),
    oldestArrival: arrivals.length > 0 ? Math.min(...arrivals) : null,
    headWeight: firsts[0]?.[0] === undefined ? null : weightOf(firsts[0][0]),
  };
}

/** A ticket is `client:seq`, and has its weight and expiration behind it when they are not 1 and none. */
function weightOf(ticket: string): number {
  const weight = Number.parseFloat(ticket.split(':')[2] ?? '');
  return Number.isNaN(weight) ? 1 : weight;
}

function arrivalOf(score: number): number {
  return ARRIVAL_EPOCH + (score % STRIDE) / ARRIVALS_PER_MS;
}
