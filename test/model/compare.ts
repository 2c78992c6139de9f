/** Finds where Redis and the memory store disagree. */
import { type AdvanceReply, numberOrNull, parseAdvance, parseRead } from '../../lib/store/redis/replies';
import type { Expectation, ExpectedState, ToldEffect } from './expectation';
import { type Found, type FoundState, pairs, toldEffects } from './redis-side';

export interface Difference {
  /** Number of the operation, from 0. */
  at: number;
  what: string;
  memory: unknown;
  redis: unknown;
}

/** Arithmetic is the same on both sides, but texts are in between, and times in thousandths of a ms. */
const TOLERANCE = 1e-10;
const RELATIVE_TOLERANCE = 1e-15;
/** Waits are told in whole microseconds, rounded up. */
const WAIT_TOLERANCE = 0.0015;
/** ms that a client without the timer waits longer than the one that has it; see lua/include/wakeup.lua. */
const BACKUP_DELAY = 250;

export function firstDifference(expectations: readonly Expectation[], found: readonly Found[]): Difference | null {
  const comparison = new Comparison();
  for (const [at, expected] of expectations.entries()) {
    const difference = comparison.operation(expected, found[at]!);
    if (difference !== null) return { at, ...difference };
  }
  return null;
}

type Finding = Omit<Difference, 'at'> | null;

class Comparison {
  /** Notices that each client has been told of so far. */
  private readonly heard = new Map<string, number>();
  /** When the scheduler of each client would take its next step, though nothing happens. */
  private readonly stepDue = new Map<string, number>();

  operation(expected: Expectation, found: Found): Finding {
    return (
      this.reply(expected, found) ??
      this.messages(expected, found) ??
      state(expected.state, found.state) ??
      this.wakeUp(expected, found) ??
      resent(found)
    );
  }

  private reply(expected: Expectation, { reply }: Found): Finding {
    if (expected.call.script === 'read') return differs('check', expected.check, parseRead(reply).check);
    if (expected.call.script === 'update') {
      return differs('reservoir in the reply', expected.reservoirBefore, numberOrNull((reply as unknown[])[1]));
    }
    return this.advanceReply(expected, parseAdvance(reply), reply as unknown[]);
  }

  private advanceReply(expected: Expectation, reply: AdvanceReply, raw: unknown[]): Finding {
    const client = String(expected.call.args[0]);
    const account = expected.state.clients.find(({ id }) => id === client)!;
    const numbered = expected.effects!.filter(({ kind }) => kind === 'started').length;
    const heard = this.heard.get(client) ?? 0;
    const drops = account.notices - heard - numbered;
    this.heard.set(client, account.notices);
    return (
      differs('code', 0, reply.code) ??
      differs('effects', expected.effects, toldEffects(raw[6] as unknown[]), sameEffects) ??
      (expected.runningAfterCompletions === null
        ? null
        : differs('running after the completions', expected.runningAfterCompletions, reply.running)) ??
      differs('queued of the caller', account.queued, reply.queuedHere) ??
      differs('running of the caller', account.running, reply.runningHere) ??
      differs('number of the last notice', account.notices, reply.notices) ??
      differs('number of the first notice', numbered + drops > 0 ? heard + 1 : 0, reply.firstNotice)
    );
  }

  private messages(expected: Expectation, { messages }: Found): Finding {
    for (const [i, { id }] of expected.state.clients.entries()) {
      const effects = expected.messages[i] ?? [];
      const mine = messages.filter(({ client }) => client === id);
      const finding = differs(
        `messages to client ${i}`,
        effects,
        mine.flatMap((message) => message.effects),
        sameEffects,
      );
      if (finding !== null) return finding;
      if (effects.length === 0) continue;
      const heard = this.heard.get(id) ?? 0;
      if (mine.length !== 1) return { what: `messages to client ${i} in one script`, memory: 1, redis: mine.length };
      const numbers = differs(`first notice to client ${i}`, heard + 1, mine[0]!.firstNotice);
      if (numbers !== null) return numbers;
      this.heard.set(id, heard + effects.length);
    }
    return null;
  }

  /** Some client must take a step when time alone can start something; one without the timer may come later. */
  private wakeUp({ call, wait, state: { now } }: Expectation, { reply }: Found): Finding {
    if (call.script !== 'advance') return null;
    const { nextIn } = parseAdvance(reply);
    this.stepDue.set(String(call.args[0]), nextIn === null ? Number.POSITIVE_INFINITY : now + nextIn);
    if (wait === null) return differs('nextIn', null, nextIn);
    const first = Math.min(...this.stepDue.values()) - now;
    if (nextIn === null || nextIn < wait - WAIT_TOLERANCE) return { what: 'nextIn', memory: wait, redis: nextIn };
    const late = nextIn > wait + WAIT_TOLERANCE;
    if (late && Math.abs(nextIn - wait - BACKUP_DELAY) > WAIT_TOLERANCE)
      return { what: 'nextIn', memory: wait, redis: nextIn };
    if (first > wait + WAIT_TOLERANCE) return { what: 'first wake-up of any client', memory: wait, redis: first };
    return null;
  }
}

/** A step that comes twice changes nothing, and is answered as before except for the wake-up. */
function resent({ reply, again }: Found): Finding {
  if (again === undefined) return null;
  const first = parseAdvance(reply);
  const second = parseAdvance(again);
  const what = (name: string) => `${name} of a repeated step`;
  return (
    differs(
      what('effects'),
      (reply as unknown[])[6],
      (again as unknown[])[6],
      (a, b) => JSON.stringify(a) === JSON.stringify(b),
    ) ??
    differs(what('notices'), first.notices, second.notices) ??
    differs(what('first notice'), first.firstNotice, second.firstNotice)
  );
}

function state(expected: ExpectedState, found: FoundState): Finding {
  return (
    settings(expected, found.settings) ?? queues(expected, found) ?? jobs(expected, found) ?? clients(expected, found)
  );
}

function settings(expected: ExpectedState, found: Record<string, string>): Finding {
  const number = (name: string): number | null => numberOrNull(found[name]);
  const shared = number('nextRequest') ?? 0;
  const exact = number('rb_nextRequest');
  const nextRequest = exact !== null && Math.ceil(exact) === shared ? exact : shared;
  return (
    differs('running', expected.running, number('running')) ??
    differs('done', expected.done, number('done')) ??
    differs('reservoir', expected.reservoir, number('reservoir')) ??
    differs('nextRequest', expected.nextRequest, Math.max(expected.now, nextRequest)) ??
    differs('lastReservoirRefresh', expected.lastReservoirRefresh, number('lastReservoirRefresh')) ??
    differs('lastReservoirIncrease', expected.lastReservoirIncrease, number('lastReservoirIncrease')) ??
    differs('unblockTime', expected.unblockTime, number('unblockTime')) ??
    differs('bucket tokens', expected.bucketTokens, number('rb_bucketTokens')) ??
    wholeNumbers(found)
  );
}

/** Scripts of Bottleneck choke on anything else in these fields. */
function wholeNumbers(found: Record<string, string>): Finding {
  for (const name of ['nextRequest', 'unblockTime', 'minTime']) {
    if (!/^\d+$/.test(found[name] ?? ''))
      return { what: `text of ${name}`, memory: 'a whole number', redis: found[name] };
  }
  for (const name of ['running', 'done', 'reservoir']) {
    if (/^-?\d+\.0*$|n/.test(found[name] ?? ''))
      return { what: `text of ${name}`, memory: 'a plain number', redis: found[name] };
  }
  return null;
}

function queues(expected: ExpectedState, found: FoundState): Finding {
  const queue = pairs(found.queue).map(([text, score]) => ({ text, priority: Math.floor(Number(score) / 2 ** 46) }));
  const delayed = pairs(found.delayed).map(([member, due]) => ({ ...delayedTicket(member), due: Number(due) }));
  return (
    differs('queue', expected.queue, queue, sameList) ??
    differs('delayed', expected.delayed, delayed, sameList) ??
    differs('window starts', expected.windowStarts, found.starts.map(Number), sameList) ??
    differs('tickets put aside', 0, found.parked)
  );
}

function delayedTicket(member: string): { text: string; priority: number } {
  const [, priority, text] = member.split(' ');
  return { text: text ?? '', priority: Number(priority) };
}

function jobs(expected: ExpectedState, found: FoundState): Finding {
  const owners = Object.fromEntries(
    Object.keys(expected.started).map((index) => [index, index.slice(0, index.indexOf(':'))]),
  );
  return (
    differs('job weights', expected.started, numbers(found.jobWeights), sameRecord) ??
    differs('job clients', owners, found.jobClients, sameRecord) ??
    differs('job expirations', expected.expirations, numbers(Object.fromEntries(pairs(found.expirations))), sameRecord)
  );
}

function clients(expected: ExpectedState, found: FoundState): Finding {
  const running = numbers(Object.fromEntries(pairs(found.clientRunning)));
  for (const client of expected.clients) {
    const [step, notices, queued, weight] = (found.clients[client.id] ?? '').split(':').map(Number);
    const finding =
      differs(
        `record of ${client.id}`,
        client,
        { id: client.id, step, notices, queued, running: weight },
        sameRecord,
      ) ??
      differs(`client_running of ${client.id}`, client.running, running[client.id]) ??
      differs(`client_num_queued of ${client.id}`, client.queued, Number(found.clientQueued[client.id]));
    if (finding !== null) return finding;
  }
  return null;
}

function numbers(texts: Record<string, string>): Record<string, number> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)]));
}

// ---------------------------------------------------------------- equality

/** @param same knows the types of both. */
function differs(
  what: string,
  memory: unknown,
  redis: unknown,
  same: (a: never, b: never) => boolean = sameValue,
): Finding {
  return same(memory as never, redis as never) ? null : { what, memory, redis };
}

function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= Math.max(TOLERANCE, Math.abs(a) * RELATIVE_TOLERANCE);
  return a === b;
}

function sameRecord(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => sameValue(a[name], b[name]));
}

function sameList(a: unknown[], b: unknown[]): boolean {
  return (
    a.length === b.length &&
    a.every((item, i) => (typeof item === 'object' ? sameRecord(item as never, b[i] as never) : sameValue(item, b[i])))
  );
}

function sameEffects(a: ToldEffect[], b: ToldEffect[]): boolean {
  return a.length === b.length && a.every((effect, i) => sameEffect(effect, b[i]!));
}

function sameEffect(a: ToldEffect, b: ToldEffect): boolean {
  const value =
    typeof a.value === 'number' && a.kind === 'started'
      ? Math.abs(a.value - Number(b.value)) <= WAIT_TOLERANCE
      : sameValue(a.value, b.value);
  return a.kind === b.kind && a.seq === b.seq && value && sameValue(a.reservoir, b.reservoir);
}
