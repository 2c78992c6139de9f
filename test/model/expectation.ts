/**
 * Runs a scenario on the transitions in memory. Says what each operation is as a call of a script, and what that call
 * must answer and leave behind.
 */
import {
  advance,
  applySettings,
  createState,
  incrementReservoir,
  type LimiterState,
  nextIn,
  startsAtOnce,
} from '../../lib/store/memory/transitions';
import type { Arg } from '../../lib/store/redis/clients/client';
import { completionTexts, seqText, submissionTexts, ticketText } from '../../lib/store/redis/held-tickets';
import type { ScriptName } from '../../lib/store/redis/scripts';
import { FORMAT_VERSION, toFields } from '../../lib/store/redis/stored-settings';
import { type Effect, Place, type Ticket } from '../../lib/store/store';
import type { Choice, Operation, Scenario, StepOperation, Submission } from './scenario';

/** As in lua/include/release.lua. */
const EXPIRY_GRACE = 1000;

/** When every scenario begins. */
export const BEGIN = 1.8e12;
/** Nobody is forgotten or given up as dead here. */
const CLIENT_TIMEOUT = 1e12;
/** Times are multiples of this many ms, so that no sum of them is rounded. */
const TIME_UNIT = 1 / 8;
/** ms between delayed tickets of two clients. */
const CLIENTS_APART = 0.002;

/** One effect in words, alike from both sides. `value` is the wait, whether the queue was full, the reason, or the limit. */
export interface ToldEffect {
  kind: Effect['kind'];
  seq: number;
  value: number | string | boolean;
  reservoir?: number | null;
}

export interface QueuedTicket {
  text: string;
  priority: number;
}

/** The state of the limiter after an operation, in the words of the memory store. */
export interface ExpectedState {
  now: number;
  running: number;
  done: number;
  reservoir: number | null;
  /** At least `now`: what lies before it makes no difference. */
  nextRequest: number;
  lastReservoirRefresh: number;
  lastReservoirIncrease: number;
  unblockTime: number;
  bucketTokens: number | null;
  windowStarts: number[];
  queue: QueuedTicket[];
  delayed: Array<QueuedTicket & { due: number }>;
  /** Weights of the started tickets, and when they expire. */
  started: Record<string, number>;
  expirations: Record<string, number>;
  clients: Array<{ id: string; step: number; notices: number; queued: number; running: number }>;
}

export interface Expectation {
  operation: Operation;
  call: { script: ScriptName; args: Arg[] };
  /** What the caller's reply must tell; null for scripts that only send messages. */
  effects: ToldEffect[] | null;
  /** What each client must be told by messages. */
  messages: ToldEffect[][];
  /** Weight running right after the last completion; null when nothing was completed. */
  runningAfterCompletions: number | null;
  /** ms until a step is due by time alone; null for never. */
  wait: number | null;
  /** What `read` and `update` answer. */
  check: boolean | null;
  reservoirBefore: number | null | undefined;
  state: ExpectedState;
}

class ModelTicket implements Ticket {
  seq = 0;
  next: Ticket | null = null;
  prev: Ticket | null = null;
  place = Place.Outside;
  queuedAt = 0;
  readonly begun = true;
  readonly details = null;
  readonly priority: number;
  readonly weight: number;
  readonly expiration: number | null;
  delay: number;
  /** When Redis frees it by itself. */
  expiresAt: number | null = null;
  /** When a delayed one is due. */
  due = 0;
  /** Whether its owner was told that it is queued. */
  accepted = false;

  constructor(
    readonly owner: ModelClient,
    given: Submission,
  ) {
    this.priority = given.priority;
    this.weight = given.weight;
    this.expiration = given.expiration;
    this.delay = given.delay;
  }

  get index(): string {
    return `${this.owner.id}:${seqText(this.seq)}`;
  }

  get text(): string {
    return ticketText(this.owner.id, {
      ticket: this,
      seq: this.seq,
      started: false,
      arrival: '',
      beginsAt: 0,
      dueAt: null,
      expiresAt: null,
    });
  }
}

class ModelClient {
  step = 0;
  notices = 0;
  queued = 0;
  running = 0;
  private lastSeq = 0;
  /** Tickets that the process knows of, also those whose slot Redis has taken back since. */
  readonly held = new Set<ModelTicket>();

  constructor(readonly id: string) {}

  add(given: Submission): ModelTicket {
    const ticket = new ModelTicket(this, given);
    ticket.seq = ++this.lastSeq;
    this.held.add(ticket);
    return ticket;
  }
}

/** Client ids of a run: each lives in a process of its own. */
export function clientIds(scenario: Scenario, prefix: string): string[] {
  return Array.from({ length: scenario.clients }, (_, i) => `${prefix}p${i}.0`);
}

/** The arguments of `init` for a client. */
export function initArgs(scenario: Scenario, clientId: string): Arg[] {
  const fields = [
    ...toFields(scenario.settings),
    'id',
    'model',
    'groupTimeout',
    '',
    'clientTimeout',
    String(CLIENT_TIMEOUT),
  ];
  return [clientId, 0, String(BEGIN), FORMAT_VERSION, 0, fields.length, ...fields];
}

export function expectations(scenario: Scenario, prefix: string): Expectation[] {
  const model = new Model(scenario, prefix);
  return scenario.operations.map((operation) => model.perform(operation));
}

class Model {
  private now = BEGIN;
  private readonly state: LimiterState;
  private readonly clients: ModelClient[];
  private readonly started = new Set<ModelTicket>();
  private readonly delayed = new Set<ModelTicket>();

  constructor(scenario: Scenario, prefix: string) {
    this.state = createState({ ...scenario.settings }, BEGIN);
    this.clients = clientIds(scenario, prefix).map((id) => new ModelClient(id));
  }

  perform(operation: Operation): Expectation {
    this.now += this.pause(operation.after);
    const client = this.clients[operation.client % this.clients.length]!;
    switch (operation.kind) {
      case 'step':
        return this.step(operation, client);
      case 'update':
        return this.update(operation, client, '', () => applySettings(this.state, this.now, operation.patch));
      case 'increment':
        return this.update(operation, client, String(operation.by), () => {
          applySettings(this.state, this.now, {});
          incrementReservoir(this.state, operation.by);
        });
      case 'read':
        return this.read(operation, client);
    }
  }

  private pause(after: Operation['after']): number {
    if (after !== 'due') return after;
    const wait = this.wait();
    return wait === null ? 1 : Math.ceil((this.now + wait) / TIME_UNIT) * TIME_UNIT - this.now;
  }

  // ---------------------------------------------------------------- operations

  private step(operation: StepOperation, client: ModelClient): Expectation {
    const holds = client.held.size;
    const expired = this.takeExpired();
    const completed = choose(operation.completed, [...client.held].filter(hasStarted));
    const withdrawn = choose(
      operation.withdrawn,
      [...client.held].filter((ticket) => !completed.includes(ticket)),
    );
    const rest = [...client.held].filter(
      (ticket) => hasStarted(ticket) && !completed.includes(ticket) && !withdrawn.includes(ticket),
    );
    const renewed = choose(
      operation.renewed.map(({ which }) => which),
      rest,
    );
    const renewals = renewed.map((ticket, i) => ({ ticket, expiresIn: operation.renewed[i]!.expiresIn }));
    const submitted = operation.submitted.map((given) => client.add(this.apart(given, client)));
    const done = completionTexts(completed.map(numbered));
    const fresh = submissionTexts(submitted.map(numbered));
    const args: Arg[] = [
      ...[client.id, ++client.step, 'model', 0, String(this.now), holds],
      ...[done.length, withdrawn.length, renewals.length, fresh.length / 2],
      ...done,
      ...withdrawn.flatMap((ticket) => [seqText(ticket.seq), ticket.priority, ticket.text]),
      ...renewals.flatMap(({ ticket, expiresIn }) => [seqText(ticket.seq), expiresIn]),
      ...fresh,
    ];
    for (const { ticket, expiresIn } of renewals) {
      if (ticket.place === Place.Started) ticket.expiresAt = Math.ceil(this.now + expiresIn + EXPIRY_GRACE);
    }
    for (const ticket of [...completed, ...withdrawn]) this.forget(ticket);
    const { effects } = advance(this.state, this.now, {
      submitted,
      completed: [...expired, ...completed],
      withdrawn,
      renewed: [],
    });
    const told = this.follow(effects);
    const mine = told[this.clients.indexOf(client)]!;
    told[this.clients.indexOf(client)] = [];
    const completions = effects.filter((effect) => effect.kind === 'completed');
    return {
      ...this.outcome(operation, 'advance', args),
      effects: mine,
      messages: told,
      runningAfterCompletions: completed.length > 0 ? completions.at(-1)!.running : null,
    };
  }

  /** Tickets of two clients that are due at one moment have no order to keep: Redis knows no order of their arrival. */
  private apart(given: Submission, client: ModelClient): Submission {
    if (given.delay === 0) return given;
    return { ...given, delay: given.delay + this.clients.indexOf(client) * CLIENTS_APART };
  }

  private update(operation: Operation, client: ModelClient, increment: string, change: () => void): Expectation {
    const expired = this.takeExpired();
    const fields = operation.kind === 'update' ? toFields(operation.patch) : [];
    const args: Arg[] = [client.id, 'model', 0, String(this.now), increment, fields.length, ...fields];
    change();
    const reservoirBefore = this.state.reservoir;
    return { ...this.poke(operation, 'update', args, expired), reservoirBefore };
  }

  private read(operation: Operation & { kind: 'read' }, client: ModelClient): Expectation {
    const args: Arg[] = [client.id, 'model', 0, String(this.now), operation.weight];
    const expectation = this.poke(operation, 'read', args, this.takeExpired());
    return { ...expectation, check: startsAtOnce(this.state, this.now, operation.weight) };
  }

  /** A script that starts what fits, and tells of it by messages only. */
  private poke(operation: Operation, script: ScriptName, args: Arg[], expired: ModelTicket[]): Expectation {
    // `update` looks only at the queue, and `read` at the delayed tickets too.
    const { delayed } = this.state;
    if (script === 'update') this.state.delayed = null;
    const { effects } = advance(this.state, this.now, {
      submitted: [],
      completed: expired,
      withdrawn: [],
      renewed: [],
    });
    if (script === 'update') this.state.delayed = delayed;
    const messages = this.follow(effects);
    return { ...this.outcome(operation, script, args), messages };
  }

  private outcome(operation: Operation, script: ScriptName, args: Arg[]): Expectation {
    return {
      operation,
      call: { script, args },
      effects: null,
      messages: [],
      runningAfterCompletions: null,
      wait: this.wait(),
      check: null,
      reservoirBefore: undefined,
      state: this.snapshot(),
    };
  }

  // ---------------------------------------------------------------- what the scheduler and Redis see to

  /** In Redis an expiration frees the slot by itself; in memory the scheduler completes the job. */
  private takeExpired(): ModelTicket[] {
    const expired = [...this.started].filter(({ expiresAt }) => expiresAt !== null && expiresAt < this.now);
    expired.sort((a, b) => a.expiresAt! - b.expiresAt!);
    for (const ticket of expired) this.leaveSlot(ticket);
    return expired;
  }

  private leaveSlot(ticket: ModelTicket): void {
    if (!this.started.delete(ticket)) return;
    ticket.owner.running = rounded(ticket.owner.running - ticket.weight);
    ticket.expiresAt = null;
  }

  /** The owner is done with a ticket, wherever it stands. */
  private forget(ticket: ModelTicket): void {
    ticket.owner.held.delete(ticket);
    this.leaveSlot(ticket);
    if (!this.delayed.delete(ticket) && ticket.place === Place.Queued) ticket.owner.queued--;
  }

  /** Keeps the accounts of the clients along with what happened, and says what each of them is told. */
  private follow(effects: readonly Effect[]): ToldEffect[][] {
    for (const ticket of this.delayed) {
      if (ticket.place === Place.Delayed) continue;
      this.delayed.delete(ticket);
      ticket.owner.queued++;
    }
    const told: ToldEffect[][] = this.clients.map(() => []);
    for (const effect of effects) {
      if (effect.kind === 'completed') continue;
      const ticket = effect.ticket as ModelTicket;
      this.account(ticket, effect);
      told[this.clients.indexOf(ticket.owner)]!.push(inWords(effect));
    }
    return told;
  }

  private account(ticket: ModelTicket, effect: Effect): void {
    const { owner } = ticket;
    if (effect.kind === 'queued') {
      ticket.accepted = true;
      if (ticket.delay === 0) {
        owner.queued++;
        return;
      }
      ticket.due = this.now + ticket.delay;
      this.delayed.add(ticket);
    } else if (effect.kind === 'started') {
      owner.queued--;
      owner.notices++;
      owner.running = rounded(owner.running + ticket.weight);
      this.started.add(ticket);
      if (ticket.expiration !== null) {
        ticket.expiresAt = Math.ceil(this.now + effect.wait + ticket.expiration + EXPIRY_GRACE);
      }
    } else {
      owner.held.delete(ticket);
      if (!ticket.accepted) return;
      owner.queued--;
      owner.notices++;
    }
  }

  /** ms until time alone can do something: in Redis that includes an expiration that frees a slot for the head. */
  private wait(): number | null {
    const { state, now } = this;
    const head = state.queue.peek();
    const withoutDelayed = { ...state, delayed: null };
    let wait = head === null ? null : nextIn(withoutDelayed, now);
    if (head !== null && wait === null) {
      const expirations = [...this.started].flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt]));
      if (expirations.length > 0) wait = Math.max(0, Math.min(...expirations) - now) + 1;
    }
    const due = state.delayed?.peek()?.at;
    if (due === undefined) return wait;
    return Math.min(wait ?? Number.POSITIVE_INFINITY, Math.max(0, due - now));
  }

  private snapshot(): ExpectedState {
    const { state, now } = this;
    const started = [...this.started];
    return {
      now,
      running: state.running,
      done: state.done,
      reservoir: state.reservoir,
      nextRequest: Math.max(now, state.nextRequest),
      lastReservoirRefresh: state.lastReservoirRefresh,
      lastReservoirIncrease: state.lastReservoirIncrease,
      unblockTime: state.unblockTime,
      bucketTokens: state.bucketTokens,
      windowStarts: [...state.windowStarts],
      queue: [...state.queue].map((ticket) => queuedTicket(ticket as ModelTicket)),
      delayed: this.delayedInOrder(),
      started: Object.fromEntries(started.map((ticket) => [ticket.index, ticket.weight])),
      expirations: Object.fromEntries(
        started.filter((ticket) => ticket.expiresAt !== null).map((ticket) => [ticket.index, ticket.expiresAt!]),
      ),
      clients: this.clients.map(({ id, step, notices, queued, running }) => ({ id, step, notices, queued, running })),
    };
  }

  private delayedInOrder(): ExpectedState['delayed'] {
    const inOrder = [...this.delayed].sort((a, b) => a.due - b.due);
    return inOrder.map((ticket) => ({ ...queuedTicket(ticket), due: ticket.due }));
  }
}

function hasStarted(ticket: ModelTicket): boolean {
  // A ticket that the process knows of and that is outside had its slot taken back.
  return ticket.place === Place.Started || ticket.place === Place.Outside;
}

/** The chosen ones, each at most once. */
function choose(choices: readonly Choice[], among: readonly ModelTicket[]): ModelTicket[] {
  const left = [...among];
  const chosen: ModelTicket[] = [];
  for (const choice of choices) if (left.length > 0) chosen.push(...left.splice(choice % left.length, 1));
  return chosen;
}

function inWords(effect: Exclude<Effect, { kind: 'completed' }>): ToldEffect {
  const { kind } = effect;
  const { seq } = effect.ticket;
  switch (kind) {
    case 'queued':
      return { kind, seq, value: effect.reachedHighWater };
    case 'started':
      return { kind, seq, value: effect.wait, reservoir: effect.reservoir };
    case 'dropped':
      return { kind, seq, value: effect.reason };
    case 'overweight':
      return { kind, seq, value: effect.maxConcurrent };
    default:
      throw new Error(`no ticket has details here, yet it was ${kind}`);
  }
}

function queuedTicket(ticket: ModelTicket): QueuedTicket {
  return { text: ticket.text, priority: ticket.priority };
}

/** As the stores round sums of weights. */
function rounded(sum: number): number {
  return Math.round(sum * 1e9) / 1e9;
}

function numbered(ticket: ModelTicket): { seq: number; ticket: ModelTicket } {
  return { seq: ticket.seq, ticket };
}
