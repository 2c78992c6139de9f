import type { DropReason, StoredJob, StoredJobState, TicketPlace } from '../store';

/** The replies of the scripts in words: codes and positions are read in this file and nowhere else. */

export const enum Code {
  Ok = 0,
  /** The limiter has no settings in Redis: run init. */
  NoSettings = 1,
  /** The client was given up as dead, but has tickets: register under a new id and reconcile. */
  UnknownClient = 2,
  /** The same, and Redis has lost steps that this client took: it came back in the past. */
  Past = 3,
}

/** Kinds of effects, as in lua/include/notices.lua. */
export const enum EffectKind {
  Queued = 1,
  Started = 2,
  Dropped = 3,
  Overweight = 4,
  QueuedAndStarted = 5,
  Duplicate = 6,
  Cancelled = 7,
  /** A start that is not believed; never told by a script. */
  Unconfirmed = 8,
}

/** As in lua/include/notices.lua. */
const DROP_REASONS: readonly DropReason[] = ['shed', 'blocked', 'cancelled', 'reset'];

/** One effect as scripts tell it, on `count` tickets numbered in a row from `seq` on; see `runB`. */
export interface RawEffect {
  kind: EffectKind;
  seq: number;
  count: number;
  a: number;
  b: string;
}

/** `b` of the i-th ticket of a run. Where it is a whole number, places in the queue grow by 1, and a reservoir falls by 1. */
export function runB({ kind, b }: RawEffect, i: number): string {
  if (i === 0 || b === '') return b;
  const first = Number(b);
  const step = kind === EffectKind.Queued ? 1 : isStart(kind) ? -1 : 0;
  return Number.isInteger(first) ? String(first + step * i) : b;
}

export function isStart(kind: EffectKind): boolean {
  return kind === EffectKind.Started || kind === EffectKind.QueuedAndStarted;
}

/** The same effects, one for each ticket. */
function singly(effects: readonly RawEffect[]): RawEffect[] {
  return effects.flatMap((run) =>
    Array.from({ length: run.count }, (_, i) => ({ ...run, seq: run.seq + i, count: 1, b: runB(run, i) })),
  );
}

/** Effects that change what was told before carry a number, so that the client can tell a lost message. */
export function isNumbered(effect: RawEffect): boolean {
  return (
    effect.kind === EffectKind.Started ||
    effect.kind === EffectKind.QueuedAndStarted ||
    effect.kind === EffectKind.Cancelled ||
    effect.kind === EffectKind.Unconfirmed ||
    (effect.kind === EffectKind.Dropped && effect.b === NUMBERED)
  );
}

/** What a drop of a ticket that had been queued carries. */
export const NUMBERED = '1';

export function dropReason(effect: RawEffect): DropReason {
  return DROP_REASONS[effect.a] ?? 'shed';
}

export interface AdvanceReply {
  code: Code;
  epoch: string;
  /** ms, or null for never. */
  nextIn: number | null;
  notices: number;
  firstNotice: number;
  running: number;
  effects: RawEffect[];
  queuedHere: number;
  runningHere: number;
  /** Whether Bottleneck processes share the limiter. */
  mixed: boolean;
}

export function parseAdvance(reply: unknown): AdvanceReply {
  const [code, epoch, nextIn, notices, firstNotice, running, effects, queuedHere, runningHere, mixed] =
    reply as unknown[];
  return {
    code: Number(code),
    epoch: String(epoch ?? ''),
    nextIn: Number(nextIn ?? -1) < 0 ? null : Number(nextIn) / 1000,
    notices: Number(notices ?? 0),
    firstNotice: Number(firstNotice ?? 0),
    running: Number(running ?? 0),
    effects: parseEffects((effects ?? []) as unknown[]),
    queuedHere: Number(queuedHere ?? 0),
    runningHere: Number(runningHere ?? 0),
    mixed: Number(mixed ?? 0) === 1,
  };
}

/**
 * The same, and empties the reply: promises hold it that were there while it was waited for, in some cases so long that
 * only a full collection frees them, and all that they hold with them.
 */
export function takeAdvance(reply: unknown): AdvanceReply {
  const parsed = parseAdvance(reply);
  (reply as unknown[]).length = 0;
  return parsed;
}

function parseEffects(values: readonly unknown[]): RawEffect[] {
  const effects: RawEffect[] = new Array(values.length / 5);
  for (let i = 0; i < effects.length; i++) {
    effects[i] = {
      kind: Number(values[5 * i]),
      seq: Number(values[5 * i + 1]),
      count: Number(values[5 * i + 2]),
      a: Number(values[5 * i + 3]),
      b: String(values[5 * i + 4]),
    };
  }
  return effects;
}

export interface ReconcileReply {
  code: Code;
  epoch: string;
  notices: number;
  /** One for each ticket. */
  effects: RawEffect[];
}

export function parseReconcile(reply: unknown): ReconcileReply {
  const [code, epoch, notices, effects] = reply as unknown[];
  return {
    code: Number(code),
    epoch: String(epoch ?? ''),
    notices: Number(notices ?? 0),
    effects: singly(parseEffects((effects ?? []) as unknown[])),
  };
}

/** A message to a client of ours: effects that a step of another process had, one for each ticket. */
export interface ClientMessage {
  client: string;
  firstNotice: number;
  effects: RawEffect[];
}

/** Null for what is not such a message. */
export function parseMessage(text: string): ClientMessage | null {
  try {
    const { c, n, e } = JSON.parse(text) as { c: unknown; n: unknown; e: unknown };
    if (typeof c !== 'string' || !Array.isArray(e)) return null;
    return { client: c, firstNotice: Number(n), effects: singly(parseEffects(e)) };
  } catch {
    return null;
  }
}

const STATES: Record<string, StoredJobState> = { ready: 'ready', delayed: 'delayed', executing: 'executing' };

/** Null for an unknown state, which stands for no such job. */
export function parseJobState(text: unknown): StoredJobState | null {
  return STATES[String(text)] ?? null;
}

export function parseTickets(reply: unknown): { total: number; jobs: StoredJob[] } {
  const [total, rows] = reply as [unknown, unknown[]];
  const jobs: StoredJob[] = [];
  for (let i = 0; i < rows.length; i += 6) {
    const [state, ticket, priority, due, place, entry] = rows.slice(i, i + 6).map(String);
    jobs.push({
      ...parseEntry(entry!),
      ...parseTicket(ticket!),
      state: parseJobState(state)!,
      ...(priority === '' ? {} : { priority: Number(priority) }),
      dueAt: numberOrNull(due),
      position: numberOrNull(place),
    });
  }
  return { total: Number(total), jobs };
}

/** `client:seq`, `client:seq:weight:expiration`, or what Bottleneck's own clients write. */
function parseTicket(text: string): Pick<StoredJob, 'client'> & Partial<StoredJob> {
  const [, client, weight, expiration] = /^([^:]*\.[^:]*):[0-9a-z]+(?::([^:]*):([^:]*))?$/.exec(text) ?? [];
  if (client === undefined) return { client: null, weight: numberOrNull(/:([^:]*):$/.exec(text)?.[1]) ?? 1 };
  return {
    client,
    ...(weight === undefined || weight === '' ? {} : { weight: Number(weight) }),
    ...(expiration === undefined || expiration === '' ? {} : { expiration: Number(expiration) }),
  };
}

type Entry = Omit<StoredJob, 'state' | 'dueAt' | 'position' | 'client'>;

/** What is stored of a job with details, see lua/include/jobs.lua; of others nothing is known. */
function parseEntry(entry: string): Entry {
  const found = /^(\d+):([^:]*):([^:]*):(\d+):(\d+):(\d+):([\s\S]*)$/.exec(entry);
  const unknown = { id: null, priority: null, weight: 1, expiration: null, attempt: 0, submittedAt: null, data: null };
  if (found === null) return unknown;
  const [, priority, weight, expiration, submitted, attempt, bytes, rest] = found;
  const text = Buffer.from(rest!);
  const data = text.subarray(Number(bytes)).toString();
  return {
    id: text.subarray(0, Number(bytes)).toString(),
    priority: Number(priority),
    weight: numberOrNull(weight) ?? 1,
    expiration: numberOrNull(expiration),
    attempt: Number(attempt),
    submittedAt: Number(submitted),
    data: data === '' ? null : data,
  };
}

/** The jobs of a dead client, as other processes are told of them, and the client that found out; null for what is none. */
export function parseOrphans(text: string): { by: string; jobs: StoredJob[] } | null {
  try {
    const { by, client, jobs } = JSON.parse(text) as { by: string; client: string; jobs: [string, string, string][] };
    const parsed = jobs.map(([state, , entry]) => {
      return { ...parseEntry(entry), state: parseJobState(state) ?? 'ready', dueAt: null, position: null, client };
    });
    return { by, jobs: parsed };
  } catch {
    return null;
  }
}

export interface ReadReply {
  code: Code;
  running: number;
  done: number;
  queued: number;
  delayed: number;
  reservoir: number | null;
  check: boolean;
  now: number;
  nextRequest: number;
  unblockTime: number;
  lastReservoirRefresh: number;
  lastReservoirIncrease: number;
  settings: unknown;
  runningJobs: number;
}

/** What `read` tells beside, when it is asked what holds the queue. */
export interface HoldsReply {
  bucketTokens: number | null;
  windowStarts: number[];
  /** Ticket text and priority. */
  head: { text: string; priority: number } | null;
  asked: TicketPlace | null;
  yields: boolean;
}

export function parseHolds(reply: unknown): HoldsReply {
  const [bucketTokens, windowStarts, head, asked, yields] = (reply as unknown[]).slice(14) as [
    unknown,
    unknown[],
    unknown[],
    unknown[],
    unknown,
  ];
  return {
    bucketTokens: numberOrNull(bucketTokens),
    windowStarts: windowStarts.map(Number),
    head: head.length === 0 ? null : { text: String(head[0]), priority: Number(head[1]) },
    asked: asked.length === 0 ? null : parsePlace(asked),
    yields: Number(yields) === 1,
  };
}

/** See lua/include/tickets.lua for scores. */
const PRIORITY_STRIDE = 2 ** 46;
const ARRIVAL_EPOCH = 1_767_225_600_000;
const ARRIVALS_PER_MS = 100;

function parsePlace([where, ahead, score, ...weights]: unknown[]): TicketPlace {
  if (where === 'delayed') return { where, ahead: 0, weightsAhead: [], since: null, dueAt: Number(score) };
  const since = ARRIVAL_EPOCH + (Number(score) % PRIORITY_STRIDE) / ARRIVALS_PER_MS;
  return {
    where: where === 'queue' ? where : 'aside',
    ahead: Number(ahead),
    weightsAhead: weights.map(Number),
    since,
    dueAt: null,
  };
}

export function parseRead(reply: unknown): ReadReply {
  const values = reply as unknown[];
  const number = (i: number): number => Number(values[i] ?? 0);
  return {
    code: number(0),
    running: number(1),
    done: number(2),
    queued: number(3),
    delayed: number(4),
    reservoir: numberOrNull(values[5]),
    check: number(6) === 1,
    now: number(7),
    nextRequest: number(8),
    unblockTime: number(9),
    lastReservoirRefresh: number(10),
    lastReservoirIncrease: number(11),
    settings: values[12],
    runningJobs: number(13),
  };
}

/** The empty text stands for null. */
export function numberOrNull(value: unknown): number | null {
  return value === undefined || value === null || value === '' ? null : Number(value);
}
