/**
 * The limiter's rules. Every change of a limiter is one `advance`: deterministic, on plain data, with the time as an
 * argument: no timer, no clock, no I/O. The state given is changed in place.
 *
 * `lua/advance.lua` is the twin of this file; `test/model` drives both with the same random batches and compares
 * replies and state. A rule changed here must be changed there.
 */

import { type Deadline, DeadlineHeap } from '../../deadline-heap';
import { type Effect, type Outcome, Place, type Step, type StoreSettings, type Ticket } from '../store';
import { TicketQueue } from './ticket-queue';

export const Strategy = { LEAK: 1, OVERFLOW: 2, BLOCK: 3, OVERFLOW_PRIORITY: 4 } as const;

/** ms a blocked limiter stays blocked when neither `penalty` nor `minTime` say otherwise (Bottleneck's README). */
const DEFAULT_PENALTY = 5000;
/** `penalty` is this many times `minTime` unless it is set (Bottleneck's README). */
const PENALTY_PER_MIN_TIME = 15;
/** ms between two refreshes or increases of the reservoir, at least. */
const SHORTEST_INTERVAL = 1;

export interface LimiterState {
  settings: StoreSettings;
  createdAt: number;
  running: number;
  done: number;
  reservoir: number | null;
  /** Earliest time of the next start, as far as minTime and blocked mode go. */
  nextRequest: number;
  lastReservoirRefresh: number;
  lastReservoirIncrease: number;
  /** Blocked mode lasts up to and including this time. */
  unblockTime: number;
  queue: TicketQueue;
  /** Built when the first delayed ticket comes. */
  delayed: DeadlineHeap<DelayedTicket> | null;
  /** Times of the last `windowMax` starts, oldest first; empty without a window. */
  windowStarts: number[];
  bucketTokens: number | null;
  bucketTime: number;
}

export interface DelayedTicket extends Deadline {
  ticket: Ticket;
}

export function createState(settings: StoreSettings, now: number): LimiterState {
  return {
    settings,
    createdAt: now,
    running: 0,
    done: 0,
    reservoir: settings.reservoir,
    nextRequest: now,
    lastReservoirRefresh: now,
    lastReservoirIncrease: now,
    unblockTime: 0,
    queue: new TicketQueue(),
    delayed: null,
    windowStarts: [],
    bucketTokens: settings.bucketCapacity,
    bucketTime: now,
  };
}

/** Moves the limiter. Order: time passes, finished work leaves, waiting work starts, new work comes in one by one. */
export function advance(state: LimiterState, now: number, step: Step): Outcome {
  const effects: Effect[] = [];
  tick(state, now);
  for (const ticket of step.completed) complete(state, ticket, effects);
  for (const ticket of step.withdrawn) withdraw(state, ticket);
  promoteDue(state, now);
  startWaiting(state, now, effects);
  for (const ticket of step.submitted) submit(state, now, ticket, effects);
  return { effects, nextIn: nextIn(state, now) };
}

/** What time alone changes: the reservoir and the bucket. Intervals are anchored: late calls do not shift them. */
export function tick(state: LimiterState, now: number): void {
  const refreshedAt = refreshReservoir(state, now);
  increaseReservoir(state, now, refreshedAt);
  refillBucket(state, now);
}

/** Returns when the refresh that counts was due, or -Infinity when none was. */
function refreshReservoir(state: LimiterState, now: number): number {
  const { reservoirRefreshAmount: amount } = state.settings;
  const interval = intervalOf(state.settings.reservoirRefreshInterval);
  if (interval === null || amount === null || now < state.lastReservoirRefresh + interval)
    return Number.NEGATIVE_INFINITY;
  state.lastReservoirRefresh += wholeIntervals(now - state.lastReservoirRefresh, interval) * interval;
  state.reservoir = amount;
  return state.lastReservoirRefresh;
}

/** Increases that were due before a refresh are gone with it; one due at the same moment comes after it. */
function increaseReservoir(state: LimiterState, now: number, refreshedAt: number): void {
  const { reservoirIncreaseAmount: amount } = state.settings;
  const interval = intervalOf(state.settings.reservoirIncreaseInterval);
  const last = state.lastReservoirIncrease;
  if (interval === null || amount === null || now < last + interval) return;
  const intervals = wholeIntervals(now - last, interval);
  state.lastReservoirIncrease = last + intervals * interval;
  const lost = refreshedAt > last ? Math.max(0, Math.ceil((refreshedAt - last) / interval) - 1) : 0;
  addToReservoir(state, amount * (intervals - lost));
}

/** An interval of 0 means all the time; no division by it. */
function intervalOf(setting: number | null): number | null {
  return setting === null ? null : Math.max(setting, SHORTEST_INTERVAL);
}

function wholeIntervals(elapsed: number, interval: number): number {
  return Math.floor(elapsed / interval);
}

function addToReservoir(state: LimiterState, amount: number): void {
  const reservoir = state.reservoir ?? 0;
  const maximum = state.settings.reservoirIncreaseMaximum;
  const increase = maximum === null ? amount : Math.min(amount, maximum - reservoir);
  if (increase > 0) state.reservoir = reservoir + increase;
}

function refillBucket(state: LimiterState, now: number): void {
  const { bucketCapacity: capacity, bucketRefillPerSecond: rate } = state.settings;
  if (capacity === null || rate === null) return;
  const tokens = state.bucketTokens ?? capacity;
  state.bucketTokens = Math.min(capacity, tokens + (Math.max(0, now - state.bucketTime) * rate) / 1000);
  state.bucketTime = now;
}

function complete(state: LimiterState, ticket: Ticket, effects: Effect[]): void {
  if (ticket.place === Place.Started) {
    release(state, ticket);
    state.done = settle(state.done + ticket.weight);
  }
  effects.push({ kind: 'completed', ticket, running: state.running });
}

function release(state: LimiterState, ticket: Ticket): void {
  ticket.place = Place.Outside;
  state.running = settle(state.running - ticket.weight);
}

/** Takes rounding errors out of sums of fractional weights, so that what went in comes out to exactly 0. */
function settle(sum: number): number {
  return Number.isInteger(sum) ? sum : Math.round(sum * 1e9) / 1e9;
}

function withdraw(state: LimiterState, ticket: Ticket): void {
  if (ticket.place === Place.Started) release(state, ticket);
  else if (ticket.place === Place.Queued) state.queue.remove(ticket);
  else if (ticket.place === Place.Delayed) {
    state.delayed!.filter((delayed) => delayed.ticket !== ticket);
    ticket.place = Place.Outside;
  }
}

function promoteDue(state: LimiterState, now: number): void {
  const { delayed } = state;
  if (delayed === null) return;
  for (let first = delayed.peek(); first !== undefined && first.at <= now; first = delayed.peek()) {
    delayed.pop();
    enqueue(state, now, first.ticket);
  }
}

function submit(state: LimiterState, now: number, ticket: Ticket, effects: Effect[]): void {
  const { maxConcurrent } = state.settings;
  if (maxConcurrent !== null && ticket.weight > maxConcurrent) {
    effects.push({ kind: 'overweight', ticket, maxConcurrent });
    return;
  }
  if (ticket.delay > 0) {
    state.delayed ??= new DeadlineHeap();
    state.delayed.push({ at: now + ticket.delay, order: 0, ticket });
    ticket.place = Place.Delayed;
    effects.push({ kind: 'queued', ticket, reachedHighWater: false });
    return;
  }
  if (admit(state, now, ticket, effects)) startWaiting(state, now, effects);
}

/** Lets a ticket into the queue, or sheds load as the strategy says. False when the ticket stays outside. */
function admit(state: LimiterState, now: number, ticket: Ticket, effects: Effect[]): boolean {
  const { settings, queue } = state;
  const full = settings.highWater !== null && queue.length >= settings.highWater && !passesThrough(state, now, ticket);
  if (settings.strategy === Strategy.BLOCK && (full || state.unblockTime >= now)) {
    block(state, now, effects);
    effects.push({ kind: 'dropped', ticket, reason: 'blocked' });
    return false;
  }
  if (full) {
    const victim = toShed(state, ticket);
    if (victim === ticket) {
      effects.push({ kind: 'dropped', ticket, reason: 'shed' });
      return false;
    }
    queue.remove(victim);
    effects.push({ kind: 'dropped', ticket: victim, reason: 'shed' });
  }
  enqueue(state, now, ticket);
  effects.push({ kind: 'queued', ticket, reachedHighWater: full });
  return true;
}

/** The time is kept as a small integer, which costs a waiting job the least. */
function enqueue(state: LimiterState, now: number, ticket: Ticket): void {
  ticket.queuedAt = Math.round(now - state.createdAt);
  state.queue.push(ticket);
}

/** Whether a ticket would start at once, and so never wait in the queue. */
function passesThrough(state: LimiterState, now: number, ticket: Ticket): boolean {
  const head = state.queue.peek();
  return (head === null || ticket.priority < head.priority) && startsAtOnce(state, now, ticket.weight);
}

/** Which ticket a full queue gives up for `ticket`: the oldest of the least important, or the newcomer itself. */
function toShed(state: LimiterState, ticket: Ticket): Ticket {
  const { strategy } = state.settings;
  if (strategy === Strategy.LEAK) return state.queue.leastImportant(ticket.priority) ?? ticket;
  if (strategy === Strategy.OVERFLOW_PRIORITY) return state.queue.leastImportant(ticket.priority + 1) ?? ticket;
  return ticket; // OVERFLOW; Bottleneck treats unknown strategies the same way
}

/** Blocked mode: nothing waits, and nothing is accepted until `penalty` ms passed without a submission. */
function block(state: LimiterState, now: number, effects: Effect[]): void {
  const { settings, queue } = state;
  const penalty = settings.penalty ?? (PENALTY_PER_MIN_TIME * settings.minTime || DEFAULT_PENALTY);
  state.unblockTime = Math.ceil(now + penalty); // whole ms, as in Redis
  state.nextRequest = state.unblockTime + settings.minTime;
  for (const ticket of [...queue]) {
    queue.remove(ticket);
    effects.push({ kind: 'dropped', ticket, reason: 'blocked' });
  }
}

function startWaiting(state: LimiterState, now: number, effects: Effect[]): void {
  for (let head = state.queue.peek(); head !== null && mayStart(state, now, head.weight); head = state.queue.peek()) {
    state.queue.remove(head);
    start(state, now, head, effects);
  }
}

function start(state: LimiterState, now: number, ticket: Ticket, effects: Effect[]): void {
  const { settings } = state;
  const at = Math.max(state.nextRequest, now);
  ticket.place = Place.Started;
  state.running = settle(state.running + ticket.weight);
  if (state.reservoir !== null) state.reservoir = settle(state.reservoir - ticket.weight);
  if (state.bucketTokens !== null) state.bucketTokens -= ticket.weight;
  if (settings.windowMax !== null) noteWindowStart(state, at, settings.windowMax);
  state.nextRequest = at + settings.minTime;
  effects.push({ kind: 'started', ticket, wait: at - now, reservoir: state.reservoir });
}

function noteWindowStart(state: LimiterState, at: number, max: number): void {
  state.windowStarts.push(at);
  if (state.windowStarts.length > max) state.windowStarts.splice(0, state.windowStarts.length - max);
}

/** What maxConcurrent and the reservoir leave, or null for no limit. */
export function capacity(state: LimiterState): number | null {
  const free = state.settings.maxConcurrent === null ? null : state.settings.maxConcurrent - state.running;
  if (free === null) return state.reservoir;
  return state.reservoir === null ? free : Math.min(free, state.reservoir);
}

/** Bottleneck's `check`: would a ticket of this weight be executing right away? */
export function startsAtOnce(state: LimiterState, now: number, weight: number): boolean {
  return state.nextRequest <= now && mayStart(state, now, weight);
}

function mayStart(state: LimiterState, now: number, weight: number): boolean {
  const left = capacity(state);
  if (left !== null && weight > left) return false;
  if (state.settings.dispatch === 'just-in-time' && state.nextRequest > now) return false;
  return bucketWait(state, weight) === 0 && windowWait(state, now) === 0;
}

/** ms until the bucket holds the price of a start. One that costs more than the bucket holds may overdraw it. */
export function bucketWait(state: LimiterState, weight: number): number {
  const { bucketCapacity, bucketRefillPerSecond } = state.settings;
  if (state.bucketTokens === null || bucketCapacity === null || bucketRefillPerSecond === null) return 0;
  return refillTime(state.bucketTokens, bucketCapacity, bucketRefillPerSecond, weight);
}

/** ms until a bucket holds the price of a start. One that costs more than the bucket holds may overdraw a full one. */
export function refillTime(tokens: number, capacity: number, refillPerSecond: number, weight: number): number {
  const missing = Math.min(weight, capacity) - tokens;
  return missing <= TOKEN_TOLERANCE ? 0 : (missing * 1000) / refillPerSecond;
}

/** Below a billionth of a token is a rounding error of the refill, not a missing token. */
const TOKEN_TOLERANCE = 1e-9;

/** ms until one more start keeps within the sliding window. */
export function windowWait(state: LimiterState, now: number): number {
  const { windowMax, windowDuration } = state.settings;
  if (windowMax === null || windowDuration === null) return 0;
  const { windowStarts } = state;
  if (windowStarts.length < windowMax) return 0;
  const oldest = windowStarts[windowStarts.length - windowMax]!;
  return Math.max(0, oldest + windowDuration - Math.max(state.nextRequest, now));
}

/** ms until time alone can free the head of the queue, or bring a delayed ticket into it; null for never. */
export function nextIn(state: LimiterState, now: number): number | null {
  const due = state.delayed?.peek()?.at;
  const dueIn = due === undefined ? null : Math.max(0, due - now);
  const head = state.queue.peek();
  const headIn = head === null ? null : headWait(state, now, head.weight);
  if (headIn === null || dueIn === null) return headIn ?? dueIn;
  return Math.min(headIn, dueIn);
}

function headWait(state: LimiterState, now: number, weight: number): number | null {
  const { settings } = state;
  if (settings.maxConcurrent !== null && weight > settings.maxConcurrent - state.running) return null; // a completion will tell
  let wait = Math.max(bucketWait(state, weight), windowWait(state, now));
  if (settings.dispatch === 'just-in-time') wait = Math.max(wait, state.nextRequest - now);
  if (state.reservoir !== null && weight > state.reservoir) {
    const refill = nextRefill(state);
    if (refill === null) return null;
    wait = Math.max(wait, refill - now);
  }
  return wait === Number.POSITIVE_INFINITY ? null : Math.max(0, wait); // a bucket that is never refilled
}

/** When the reservoir changes by itself next, or null for never. */
export function nextRefill(state: LimiterState): number | null {
  const { settings } = state;
  const refreshEvery = intervalOf(settings.reservoirRefreshInterval);
  const increaseEvery = intervalOf(settings.reservoirIncreaseInterval);
  const refresh =
    refreshEvery === null || settings.reservoirRefreshAmount === null
      ? null
      : state.lastReservoirRefresh + refreshEvery;
  const increase =
    increaseEvery === null || settings.reservoirIncreaseAmount === null
      ? null
      : state.lastReservoirIncrease + increaseEvery;
  if (refresh === null || increase === null) return refresh ?? increase;
  return Math.min(refresh, increase);
}

/** Adds to the reservoir and returns it. A limiter without one counts from 0, as Bottleneck does in memory. */
export function incrementReservoir(state: LimiterState, by: number): number {
  state.reservoir = settle((state.reservoir ?? 0) + by);
  return state.reservoir;
}

/** Takes over changed settings. Never moves a clock: intervals stay anchored where they were. */
export function applySettings(state: LimiterState, now: number, patch: Partial<StoreSettings>): void {
  tick(state, now);
  Object.assign(state.settings, patch);
  if ('reservoir' in patch) state.reservoir = patch.reservoir ?? null;
  if (state.settings.bucketCapacity === null) state.bucketTokens = null;
  else
    state.bucketTokens = Math.min(state.bucketTokens ?? state.settings.bucketCapacity, state.settings.bucketCapacity);
  if ('bucketCapacity' in patch) state.bucketTime = now;
  if (state.settings.windowMax === null) state.windowStarts.length = 0;
  tick(state, now); // an interval that is new here may have passed already
}
