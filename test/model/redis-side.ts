/** Runs the calls of a scenario on a real Redis, all in one pipeline, and reads what each of them left behind. */
import type { ChainableCommander, Redis } from 'ioredis';
import type { Arg } from '../../lib/store/redis/clients/client';
import { limiterKeys } from '../../lib/store/redis/keys';
import { EffectKind, isStart } from '../../lib/store/redis/replies';
import { type ScriptName, scripts } from '../../lib/store/redis/scripts';
import { clientIds, type Expectation, initArgs, type ToldEffect } from './expectation';
import type { Scenario } from './scenario';

/** What Redis holds after an operation: raw replies of the commands below, in their order. */
const READS = [
  ['hgetall', 'settings'],
  ['zrange', 'rb_queue', 0, -1, 'WITHSCORES'],
  ['zrange', 'rb_delayed', 0, -1, 'WITHSCORES'],
  ['lrange', 'rb_starts', 0, -1],
  ['hgetall', 'rb_clients'],
  ['hgetall', 'job_weights'],
  ['hgetall', 'job_clients'],
  ['zrange', 'job_expirations', 0, -1, 'WITHSCORES'],
  ['zrange', 'client_running', 0, -1, 'WITHSCORES'],
  ['hgetall', 'client_num_queued'],
  ['zcard', 'rb_parked'],
] as const;

export interface FoundState {
  settings: Record<string, string>;
  /** Members and scores. */
  queue: string[];
  delayed: string[];
  starts: string[];
  clients: Record<string, string>;
  jobWeights: Record<string, string>;
  jobClients: Record<string, string>;
  expirations: string[];
  clientRunning: string[];
  clientQueued: Record<string, string>;
  parked: number;
}

/** A message to a client, and what the operation answered. */
export interface Found {
  reply: unknown;
  /** What a second, identical call answered, if there was one. */
  again: unknown;
  messages: Array<{ client: string; firstNotice: number; effects: ToldEffect[] }>;
  state: FoundState;
}

/** One server with all scripts loaded, and ears for every message to clients. */
export class RedisSide {
  private heard: Array<[channel: string, message: string]> = [];
  private onMark: (() => void) | null = null;
  private runs = 0;

  private constructor(
    private readonly commands: Redis,
    subscriber: Redis,
  ) {
    subscriber.on('pmessage', (_pattern: string, channel: string, message: string) => {
      this.heard.push([channel, message]);
      if (channel === END) this.onMark?.();
    });
  }

  static async open(commands: Redis, subscriber: Redis): Promise<RedisSide> {
    const side = new RedisSide(commands, subscriber);
    await subscriber.psubscribe('b_rebottle:*', MARK, END);
    for (const { source } of Object.values(scripts)) await commands.script('LOAD', source);
    return side;
  }

  /** A prefix for the client ids of the next run. */
  nextPrefix(): string {
    return `m${(this.runs++).toString(36)}x`;
  }

  async run(scenario: Scenario, expectations: readonly Expectation[], prefix: string): Promise<Found[]> {
    const keys = limiterKeys(`${prefix}model`, { cluster: false });
    const pipeline = this.commands.pipeline();
    let commands = 0;
    const call = (script: ScriptName, args: readonly Arg[]): number => {
      pipeline.evalsha(scripts[script].sha, keys.length, ...keys, ...args);
      return commands++;
    };
    for (const id of clientIds(scenario, prefix)) call('init', initArgs(scenario, id));
    const places = expectations.map(({ call: { script, args }, operation }) => {
      const place = { reply: call(script, args), again: -1, state: -1 };
      if (operation.kind === 'step' && operation.resent) place.again = call(script, args);
      pipeline.publish(MARK, '');
      place.state = commands + 1;
      commands += 1 + readState(pipeline, keys);
      return place;
    });
    pipeline.del(...keys).publish(END, '');
    this.heard = [];
    const ended = new Promise<void>((resolve) => (this.onMark = resolve));
    const replies = (await pipeline.exec())!.map(([error, reply]) => {
      if (error) throw error;
      return reply;
    });
    await ended;
    const messages = this.messagesByOperation();
    return places.map(({ reply, again, state }, i) => ({
      reply: replies[reply],
      again: again < 0 ? undefined : replies[again],
      messages: messages[i] ?? [],
      state: stateOf(replies.slice(state, state + READS.length)),
    }));
  }

  private messagesByOperation(): Found['messages'][] {
    const found: Found['messages'][] = [];
    let current: Found['messages'] = [];
    for (const [channel, message] of this.heard) {
      if (channel !== MARK) current.push(...parseMessage(channel, message));
      else {
        found.push(current);
        current = [];
      }
    }
    return found;
  }
}

const MARK = 'model:mark';
const END = 'model:end';

function readState(pipeline: ChainableCommander, keys: readonly string[]): number {
  for (const [command, name, ...args] of READS) {
    pipeline.call(command, keys.find((key) => key.endsWith(`_${name}`))!, ...args);
  }
  return READS.length;
}

function stateOf(replies: unknown[]): FoundState {
  const [
    settings,
    queue,
    delayed,
    starts,
    clients,
    jobWeights,
    jobClients,
    expirations,
    clientRunning,
    clientQueued,
    parked,
  ] = replies;
  return {
    settings: record(settings),
    queue: queue as string[],
    delayed: delayed as string[],
    starts: starts as string[],
    clients: record(clients),
    jobWeights: record(jobWeights),
    jobClients: record(jobClients),
    expirations: expirations as string[],
    clientRunning: clientRunning as string[],
    clientQueued: record(clientQueued),
    parked: Number(parked),
  };
}

function record(reply: unknown): Record<string, string> {
  if (!Array.isArray(reply)) return { ...(reply as Record<string, string>) };
  return Object.fromEntries(pairs(reply as string[]));
}

/** Members with their scores, or names with their values. */
export function pairs(flat: readonly string[]): Array<[string, string]> {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!]);
}

function parseMessage(channel: string, message: string): Found['messages'] {
  if (channel === END) return [];
  const { c, n, e } = JSON.parse(message) as { c: string; n: number; e: unknown[] };
  return [{ client: c, firstNotice: n, effects: toldEffects(e) }];
}

/** Effects as scripts give them, in words. */
export function toldEffects(values: readonly unknown[]): ToldEffect[] {
  const told: ToldEffect[] = [];
  for (let i = 0; i < values.length; i += 5) {
    const [kind, first, count, a] = values.slice(i, i + 4).map(Number) as [number, number, number, number];
    const b = String(values[i + 4]);
    for (let n = 0; n < count; n++) told.push(...inWords(kind, first + n, a, isStart(kind) ? falling(b, n) : b));
  }
  return told;
}

/** What is left of a reservoir of whole numbers, n starts of weight 1 later. */
function falling(reservoir: string, n: number): string {
  return /^-?\d+$/.test(reservoir) ? String(Number(reservoir) - n) : reservoir;
}

function inWords(kind: EffectKind, seq: number, a: number, b: string): ToldEffect[] {
  const started: ToldEffect = { kind: 'started', seq, value: a / 1000, reservoir: b === '' ? null : Number(b) };
  switch (kind) {
    case EffectKind.Queued:
      return [{ kind: 'queued', seq, value: a === 1 }];
    case EffectKind.Started:
      return [started];
    case EffectKind.QueuedAndStarted:
      return [{ kind: 'queued', seq, value: false }, started];
    case EffectKind.Dropped:
      return [{ kind: 'dropped', seq, value: a === 0 ? 'shed' : 'blocked' }];
    case EffectKind.Overweight:
      return [{ kind: 'overweight', seq, value: a }];
    default:
      throw new Error(`no such kind of effect is expected: ${kind}`);
  }
}
