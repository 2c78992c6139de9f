import { startTimer, type Timer, withinTime } from '../../clock';
import { BottleneckError } from '../../errors';
import type {
  Effect,
  Notice,
  Outcome,
  QueuedTicket,
  QueueSnapshot,
  SharedStore,
  Step,
  StoredJob,
  StoredJobState,
  StoreSettings,
  StoreSnapshot,
  Ticket,
} from '../store';
import { RedisCallError } from './clients/call-error';
import { type Arg, type Off, replyPairs } from './clients/client';
import type { Connection } from './connection';
import {
  arrivalOf,
  completionTexts,
  type Held,
  HeldTickets,
  nameText,
  seqText,
  submissionTexts,
  ticketText,
} from './held-tickets';
import { takeTurn } from './join-order';
import { limiterKeys } from './keys';
import { MixedFleet } from './mixed-fleet';
import { NoticeOrder } from './notice-order';
import { type Pool, type PoolClient, poolOf } from './pool';
import {
  type AdvanceReply,
  type ClientMessage,
  Code,
  dropReason,
  EffectKind,
  type HoldsReply,
  isStart,
  numberOrNull,
  parseHolds,
  parseJobState,
  parseOrphans,
  parseRead,
  parseReconcile,
  parseTickets,
  type RawEffect,
  type ReadReply,
  runB,
  takeAdvance,
} from './replies';
import { orStopped, type RetryOptions, retrying, StoppedError, StopSignal } from './retrying';
import { type ScriptName, scripts } from './scripts';
import { FORMAT_VERSION, fromFields, storable, toFields } from './stored-settings';
import { type Watch, type WorkerSource, watchFromThread } from './worker-heartbeat';

/** Options of a Redis-resident limiter that are not limits. Times in ms. */
export interface RedisStoreOptions {
  id: string;
  connection: Connection;
  /** Closes the connection, or gives it back. */
  release: (flush: boolean) => Promise<void>;
  settings: StoreSettings;
  /** Lifetime of the keys without use, or null for ever. */
  timeout: number | null;
  heartbeatInterval: number;
  /** A process silent for that long counts as dead. */
  clientTimeout: number;
  /** Delete what is stored under the id first. */
  clear: boolean;
  /** Whom it belongs to on that connection. Default: the one pool of all others on it. */
  pool?: Pool;
  /** How a thread for heartbeats connects, or null for none. */
  heartbeatThread?: WorkerSource | null;
}

const NOTHING: readonly Held[] = [];

/** Tickets that one call of reset takes out when there are more; see lua/reset.lua. */
const RESET_BATCH = 2000;
/** Tickets told of in one call of reconcile. */
const RECONCILE_BATCH = 400;
/** ms to wait for a message that must have been lost. */
const LOST_MESSAGE_AFTER = 250;
/** Heartbeats in one clientTimeout, at least: two may be lost. */
const BEATS_PER_TIMEOUT = 3;
/** Part of clientTimeout for which what Redis said is taken as still true. The rest is for what it notes coarsely. */
const TRUSTED_PART = 0.75;
/** ms that leaving may take before the connection is closed without it. */
export const LEAVE_TIMEOUT = 2000;
const LEAVE_TIMEOUT_UNFLUSHED = 250;

/**
 * A limiter whose state and queue live in Redis. Sends steps to `lua/advance.lua`, each until it is answered, and sees to
 * it that Redis and this process agree about this client's tickets: after lost messages, lost writes, an empty Redis,
 * or when this process was thought dead, it tells what it has (`lua/reconcile.lua`).
 */
export class RedisStore implements SharedStore, PoolClient {
  readonly synchronous = false;
  readonly maxBatch = 500;
  readonly ready: Promise<Record<string, unknown>>;
  clientId: string;
  clients: Record<string, unknown> = {};
  currentSettings: StoreSettings;
  onNotice: (notice: Notice) => void = () => {};
  readonly channel: string;
  heartbeatEvery: number;

  private readonly pool: Pool;
  private readonly keys: string[];
  private readonly exact: 0 | 1;
  private readonly held = new HeldTickets();
  private readonly order: NoticeOrder;
  private readonly mixed: MixedFleet;
  /** Starts that reached tickets we no longer have: their slots go back with the next step. */
  private orphans: string[] = [];
  private step = 0;
  /** What the step in flight submits: Redis does not have that yet. */
  private unsent: readonly Held[] = NOTHING;
  private stepInFlight = false;
  private telling: Promise<unknown> = Promise.resolve();
  private tellers = 0;
  private epoch = '';
  private closed = false;
  private readonly stopped = new StopSignal();
  private expiryTimer: Timer | null = null;
  private readonly watch: Watch | null;
  private readonly offDisconnect: Off;
  private readonly offEnd: Off[];
  private readonly joined: Promise<Record<string, unknown>>;
  private isReady = false;
  /** The connection ended by itself. */
  private lost = false;
  /** Redis has been told of all that this client has, as far as it has to be told. */
  private agreed = true;
  /** When Redis was asked for the last time when it had the same tickets of this client, by `Date.now()`. */
  private agreedAt = Date.now();
  /** The reservoir as last heard of, and when, by `Date.now()`. */
  private reservoirSeen: number | null = null;
  private reservoirSeenAt = 0;
  /** Messages that came while Redis was being told. */
  private meanwhile: ClientMessage[] = [];

  private readonly retries: RetryOptions;

  constructor(private readonly options: RedisStoreOptions) {
    const { id, connection } = options;
    this.retries = {
      signal: this.stopped,
      onError: (error) => this.onNotice({ kind: 'error', error }),
      repair: () => this.init(false),
      whenReady: connection.commands,
    };
    this.pool = options.pool ?? poolOf(connection.link);
    this.clientId = this.pool.nextClientId();
    this.keys = limiterKeys(id, { cluster: connection.link.isCluster });
    this.exact = connection.link.isCluster ? 0 : 1;
    this.channel = `b_${id}`;
    this.heartbeatEvery = Math.min(options.heartbeatInterval, options.clientTimeout / BEATS_PER_TIMEOUT);
    this.currentSettings = options.settings;
    this.order = new NoticeOrder(
      (effects) => this.onNotice({ kind: 'effects', effects: this.decode(effects) }),
      LOST_MESSAGE_AFTER,
      () => this.onLostMessage(),
    );
    this.mixed = this.createMixedFleet();
    this.watch = this.watchFromThread();
    connection.limiters[this.channel] = this;
    this.offDisconnect = connection.onDisconnect((flush) => this.onConnectionClosed(flush));
    const { commands, subscriptions } = connection;
    this.offEnd = [commands, subscriptions].map((client) => client.onEnd(() => this.onConnectionLost()));
    this.joined = this.join();
    this.joined.catch(() => {}); // whoever waits for it gets the rejection
    // A limiter that is disconnected before it was ready never gets ready; nobody has to handle that.
    this.ready = new Promise((resolve, reject) => {
      this.joined.then(resolve, (error) => {
        if (this.lost) reject(new BottleneckError('The connection to Redis was given up.'));
        else if (!(error instanceof StoppedError)) reject(error);
      });
    });
    this.ready.catch(() => {}); // whoever waits for it gets the rejection; jobs and "error" events tell the others
  }

  // ---------------------------------------------------------------- joining and leaving

  private async join(): Promise<Record<string, unknown>> {
    const { connection } = this.options;
    const { turn, joined } = takeTurn(this.options.id);
    // Side by side with registering: nobody has anything to tell a client without tickets.
    const listening = this.persist(() => this.pool.add(this));
    listening.catch(() => {}); // awaited below, unless registering fails first
    try {
      await orStopped(connection.commands.ready(), this.stopped);
      await turn;
      await this.persist(() => this.init(this.options.clear));
    } finally {
      joined();
    }
    await listening;
    this.clients = await orStopped(connection.ready, this.stopped);
    this.isReady = true;
    return this.clients;
  }

  private watchFromThread(): Watch | null {
    const { heartbeatThread, clientTimeout } = this.options;
    if (heartbeatThread == null) return null;
    const every = Math.min(this.heartbeatEvery, clientTimeout / BEATS_PER_TIMEOUT);
    return watchFromThread(heartbeatThread, { clientId: this.clientId, keys: this.keys, every }, (error) =>
      this.onNotice({ kind: 'error', error }),
    );
  }

  private async init(clear: boolean): Promise<void> {
    const { id, timeout, clientTimeout } = this.options;
    const fields = [
      ...toFields(this.currentSettings),
      ...['id', id, 'groupTimeout', timeout === null ? '' : String(timeout), 'clientTimeout', String(clientTimeout)],
    ];
    const args = [this.clientId, clear ? 1 : 0, '', FORMAT_VERSION, this.lossToTell()];
    const reply = await this.run('init', [...args, fields.length, ...fields]);
    const [epoch, stored, mixed] = reply as [string, unknown, unknown];
    this.mixed.isActive = Number(mixed) === 1;
    if (this.epoch === '') this.epoch = String(epoch); // later, only when Redis has been told what is here
    this.obeyClientTimeout(replyPairs(stored));
    this.tellDifferences(fromFields(replyPairs(stored)));
  }

  /** Whether it can only have been lost when the limiter is not there: it does not end while a client uses it. */
  private wouldBeLoss(): boolean {
    return this.epoch !== '' && (this.options.timeout === null || this.held.size > this.unsent.length);
  }

  /** See `lost` in lua/init.lua. Subscribers who all had to come back after a lost connection may not be there yet. */
  private lossToTell(): 0 | 1 | 2 {
    if (!this.wouldBeLoss()) return 0;
    const { clientTimeout, connection } = this.options;
    const everybodyListens = this.exact === 1 && this.pool.sinceReconnect > clientTimeout;
    return everybodyListens && connection.subscriptions.listenersOn(this.channel) === 1 ? 2 : 1;
  }

  /** The stored clientTimeout counts for all, whatever this process asked for. */
  private obeyClientTimeout(stored: ReadonlyArray<[string, string]>): void {
    const clientTimeout = Number(stored.find(([name]) => name === 'clientTimeout')?.[1]);
    if (clientTimeout > 0) this.heartbeatEvery = Math.min(this.heartbeatEvery, clientTimeout / BEATS_PER_TIMEOUT);
  }

  /** Bottleneck's rule: who comes first decides. Whoever comes later with other settings should be able to see it. */
  private tellDifferences(stored: StoreSettings): void {
    const asked = storable(this.currentSettings) as Record<string, unknown>;
    const found = stored as unknown as Record<string, unknown>;
    const differing = Object.keys(asked).filter((name) => name !== 'reservoir' && asked[name] !== found[name]);
    if (differing.length === 0) return;
    const differences = Object.fromEntries(
      differing.map((name) => [name, { asked: asked[name], stored: found[name] }]),
    );
    this.onNotice({ kind: 'conflict', differences });
  }

  async disconnect(flush: boolean): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.stopped.stop();
    this.order.stop();
    this.offDisconnect();
    for (const off of this.offEnd) off();
    this.expiryTimer?.cancel();
    this.mixed.stop();
    this.watch?.end();
    const { connection, release } = this.options;
    if (connection.limiters[this.channel] === this) delete connection.limiters[this.channel];
    const leaving = this.pool.remove(this).catch(() => {});
    if (this.isReady && connection.commands.isReady) {
      const left = this.run('leave', [this.clientId, this.options.id, '']).catch(() => {});
      await withinTime(Promise.all([left, leaving]), flush ? LEAVE_TIMEOUT : LEAVE_TIMEOUT_UNFLUSHED);
    }
    await release(flush);
  }

  /** The user closed the connection that this limiter is on. */
  private onConnectionClosed(flush: boolean): Promise<void> {
    this.onNotice({ kind: 'closed' });
    return this.disconnect(flush);
  }

  /** A client was closed by others, or gave up reaching Redis: nothing will ever be answered. */
  private onConnectionLost(): void {
    if (this.closed) return;
    this.lost = true;
    void this.onConnectionClosed(false).catch(() => {});
  }

  // ---------------------------------------------------------------- steps

  advance(step: Step): Promise<Outcome> {
    if (!this.isReady) return this.joined.then(() => this.advance(step));
    // The step is on its way when this returns: what the caller does next, Redis works beside.
    this.stepInFlight = true;
    return this.exclusively(() => this.takeStep(step));
  }

  /** A step and a reconciliation would both tell Redis of the same tickets: one at a time. */
  private exclusively<T>(task: () => Promise<T>): Promise<T> {
    const done = this.tellers++ === 0 ? task() : this.telling.then(task);
    this.telling = done.then(this.told, this.told);
    return done;
  }

  private readonly told = (): void => void this.tellers--;

  /** With many limiters as many steps are in flight at a time: each should go through few promises, and keep little. */
  private async takeStep(step: Step): Promise<Outcome> {
    const sent = this.prepare(step);
    const asked = this.askedNow();
    let reply: AdvanceReply | null = null;
    let failed: { error: unknown } | undefined;
    try {
      // Nearly always one attempt is all. None for a client that has left: it would be registered again.
      if (this.agreed && !this.stopped.isStopped) {
        reply = takeAdvance(await orStopped(this.run('advance', this.argsOf(sent)), this.stopped));
      }
    } catch (error) {
      failed = { error };
    }
    try {
      if (reply?.code !== Code.Ok) reply = await this.sendAgain(sent, asked, reply, failed);
      const outcome = this.conclude(step, sent, asked, reply);
      return outcome instanceof Promise ? await outcome : outcome;
    } finally {
      this.stepInFlight = false;
    }
  }

  private prepare(step: Step): SentStep {
    const number = ++this.step;
    const holds = this.held.size;
    const completed = this.heldOf(step.completed);
    const withdrawn = this.heldOf(step.withdrawn);
    const renewed = step.renewed.map(({ ticket, expiresIn }) => ({ held: this.held.get(ticket.seq), expiresIn }));
    for (const { held, expiresIn } of renewed) if (held?.expiresAt != null) held.expiresAt = Date.now() + expiresIn;
    // Last, since one of them may be withdrawn in this very step (a retry that queues again): it gets a new number.
    const submitted = step.submitted.map((ticket) => this.held.add(ticket));
    this.unsent = submitted;
    this.watch?.setBusy(true);
    const ended = withdrawn.length === 0 ? completed : completed.concat(withdrawn);
    const leases = this.mixed.takeLeases(this.held, ended);
    const { orphans } = this;
    if (orphans.length > 0) this.orphans = [];
    return { number, holds, completed, withdrawn, ended, orphans, renewed, leases, submitted };
  }

  private argsOf({ number, holds, completed, withdrawn, orphans, renewed, leases, submitted }: SentStep): Arg[] {
    const done = completionTexts(completed);
    const fresh = submissionTexts(submitted);
    const args: Arg[] = [this.clientId, number, this.options.id, this.exact, '', holds];
    args.push(done.length, withdrawn.length + orphans.length, renewed.length + leases.length, fresh.length / 2);
    for (const run of done) args.push(run);
    for (const held of withdrawn) args.push(seqText(held.seq), held.ticket.priority, ticketText(this.clientId, held));
    for (const seq of orphans) args.push(seq, 0, `${this.clientId}:${seq}`);
    for (const { held, expiresIn } of renewed) args.push(seqText(held?.seq ?? 0), expiresIn);
    for (const [seq, lease] of leases) args.push(seqText(seq), lease);
    for (const text of fresh) args.push(text);
    return args;
  }

  get mayBegin(): boolean {
    return this.agreed && !this.wasAwaySince(this.agreedAt);
  }

  async confirm(): Promise<void> {
    await this.exclusively(async () => {
      if (!this.mayBegin) await this.persist(() => this.reconcile(false));
    });
  }

  /**
   * Whether this process stood still (stopped, suspended, or busy) or was out of reach for so long that Redis may have
   * given it up, and its slots to others. What was started for it and has not begun must be confirmed: Redis is told what
   * this client has, and answers which of it is started still.
   */
  private wasAwaySince(time: number): boolean {
    return Date.now() - time > this.options.clientTimeout * TRUSTED_PART;
  }

  /** Nobody can have given this client up: where Redis does not know it, that is because it came back in the past. */
  private get wasJustThere(): boolean {
    return !this.wasAwaySince(this.agreedAt);
  }

  private heldOf(tickets: readonly Ticket[]): Held[] {
    const found: Held[] = [];
    for (const { seq } of tickets) {
      const held = this.held.get(seq);
      if (held !== undefined) found.push(held);
    }
    return found;
  }

  /**
   * Sends a step until it is answered.
   * @param asked gets the time of the last attempt
   * @param unheeded the answer to the first, if there was one: what it tells of is to be mended
   * @param failed what the first attempt failed with
   */
  private sendAgain(
    sent: SentStep,
    asked: Asked,
    unheeded: AdvanceReply | null,
    failed?: { error: unknown },
  ): Promise<AdvanceReply> {
    let next = unheeded;
    const attempt = (): Promise<AdvanceReply> => {
      const reply = next;
      next = null;
      return this.attempt(sent, asked, reply);
    };
    return retrying(attempt, this.retries, failed);
  }

  /** One attempt. When Redis has lost the limiter or this client, that is mended first. */
  private async attempt(sent: SentStep, asked: Asked, unheeded: AdvanceReply | null): Promise<AdvanceReply> {
    for (let reply = unheeded; ; ) {
      if (reply !== null) await this.mend(reply);
      if (!this.agreed) await this.reconcile(true); // that was attempted, and failed halfway
      Object.assign(asked, this.askedNow());
      reply = takeAdvance(await this.run('advance', this.argsOf(sent)));
      if (reply.code === Code.Ok) return reply;
    }
  }

  private async mend({ code, epoch }: AdvanceReply): Promise<void> {
    const sameState = code !== Code.NoSettings && epoch === this.epoch;
    const isPast = sameState && (code === Code.Past || this.wasJustThere);
    if (code === Code.NoSettings) await this.init(false);
    await this.reconcile(sameState, isPast);
  }

  private askedNow(): Asked {
    return { at: Date.now(), heard: this.order.heard };
  }

  /** Notes what a reply tells. */
  private conclude(step: Step, sent: SentStep, asked: Asked, reply: AdvanceReply): Outcome | Promise<Outcome> {
    this.unsent = NOTHING;
    for (const held of sent.ended) this.held.remove(held);
    this.watch?.setBusy(this.isBusy);
    if (this.wasAwaySince(asked.at)) reply.effects = reply.effects.map(withoutStart);
    const heldNothing = sent.holds === 0;
    const begunAnew = reply.epoch !== this.epoch && !heldNothing;
    if (!begunAnew) this.epoch = reply.epoch;
    this.mixed.onReply(reply.mixed);
    const effects = completionsOf(step.completed, sent.completed, reply.running);
    const tell = (): Outcome | Promise<Outcome> => {
      this.decode(reply.effects, effects);
      reply.effects = []; // let go of them, see takeAdvance
      // In a state that was made anew numbers begin anew, too.
      const isPast = !begunAnew && !heldNothing && asked.heard > reply.notices;
      const disagrees = begunAnew || isPast || this.disagrees(reply);
      const outcome = { effects, nextIn: this.orphans.length > 0 ? 0 : reply.nextIn };
      if (disagrees || this.wasAwaySince(asked.at)) return this.agree(outcome, disagrees, isPast);
      this.agreedAt = Math.max(this.agreedAt, asked.at);
      return outcome;
    };
    const before = this.order.takeReply(reply, heldNothing);
    return before === null ? tell() : before.then(tell);
  }

  /** What comes of telling Redis follows upon what the step did. */
  private async agree({ effects, nextIn }: Outcome, disagrees: boolean, isPast: boolean): Promise<Outcome> {
    this.onNotice({ kind: 'effects', effects });
    await this.persist(() => this.reconcile(disagrees, isPast));
    this.onNotice({ kind: 'capacity' });
    return { effects: [], nextIn };
  }

  /** Whether Redis has other tickets of this client than the client itself, although every message was heard. */
  private disagrees(reply: AdvanceReply): boolean {
    const { held } = this;
    // Something is on its way, or a message was faster than this reply.
    if (this.order.heard !== reply.notices || this.order.isWaiting) return false;
    if (reply.queuedHere < held.queued || reply.queuedHere > held.queued + held.delayed) return true;
    // Nothing is due by time, so that no ticket of anybody is delayed.
    if (reply.nextIn === null && reply.queuedHere < held.queued + held.delayed) return true;
    if (this.orphans.length > 0) return false;
    return reply.runningHere > held.running + 1e-6 || (held.expiring === 0 && reply.runningHere < held.running - 1e-6);
  }

  /** Adds what they mean to `effects`. */
  private decode(raw: readonly RawEffect[], effects: Effect[] = []): Effect[] {
    for (const run of raw) for (let i = 0; i < run.count; i++) this.decodeOne(run, i, effects);
    return effects;
  }

  /** The i-th of a run. */
  private decodeOne(raw: RawEffect, i: number, effects: Effect[]): void {
    if (raw.kind === EffectKind.Unconfirmed) return;
    const held = this.held.get(raw.seq + i);
    if (held === undefined || (held.started && isStart(raw.kind))) {
      if (held === undefined && isStart(raw.kind)) this.orphans.push(seqText(raw.seq + i));
      return;
    }
    const { ticket } = held;
    switch (raw.kind) {
      case EffectKind.Queued:
        if (raw.b.startsWith('@')) this.held.delayUntilDue(held, Number(raw.b.slice(1)));
        else held.arrival = runB(raw, i);
        effects.push({ kind: 'queued', ticket, reachedHighWater: raw.a === 1 });
        return;
      case EffectKind.QueuedAndStarted:
        effects.push({ kind: 'queued', ticket, reachedHighWater: false });
        return this.decodeStart(held, raw.a, runB(raw, i), effects);
      case EffectKind.Started:
        return this.decodeStart(held, raw.a, runB(raw, i), effects);
      case EffectKind.Dropped:
        this.held.remove(held);
        effects.push({ kind: 'dropped', ticket, reason: dropReason(raw) });
        return;
      case EffectKind.Overweight:
        this.held.remove(held);
        effects.push({ kind: 'overweight', ticket, maxConcurrent: raw.a });
        return;
      case EffectKind.Duplicate:
        this.held.remove(held);
        effects.push({ kind: 'duplicate', ticket });
        return;
      case EffectKind.Cancelled:
        effects.push({ kind: 'cancelled', ticket });
    }
  }

  private decodeStart(held: Held, micros: number, left: string, effects: Effect[]): void {
    const wait = micros / 1000;
    const reservoir = numberOrNull(left);
    this.held.start(held, wait);
    if (reservoir !== null) this.sawReservoir(reservoir);
    effects.push({ kind: 'started', ticket: held.ticket, wait, reservoir });
  }

  // ---------------------------------------------------------------- agreeing with Redis

  /**
   * Tells Redis what this client has. With `abandon`, under a new id, and what stands under the old one is freed: when
   * Redis thought it dead, or has tickets of it that it does not know. Nothing begins until that is done: starts that have
   * not begun are good only if Redis still knows them.
   * @param isPast Redis lacks something that it had told
   */
  private async reconcile(abandon: boolean, isPast = false): Promise<void> {
    const askedAt = Date.now();
    abandon ||= !this.agreed;
    this.agreed = false;
    const wasJustThere = this.wasJustThere;
    const stranger = await this.tellAll(abandon, isPast);
    // A state that was made anew has another epoch: only one that is as it was, but for this client, is an old one.
    if (stranger !== null) return this.reconcile(true, isPast || (wasJustThere && stranger === this.epoch));
    this.agreed = true;
    this.agreedAt = askedAt;
    for (const message of this.meanwhile.splice(0)) this.order.takeMessage(message);
  }

  /** The epoch of a state that does not know this client any more; null when it was told. */
  private async tellAll(abandon: boolean, isPast: boolean): Promise<string | null> {
    const oldId = this.clientId;
    if (abandon) {
      this.clientId = this.pool.nextClientId();
      this.pool.rename(this, oldId);
      this.watch?.rename(this.clientId);
      this.orphans = [];
      // What was told to the old id is void, and numbers begin anew.
      this.meanwhile = [];
      this.order.forget();
    }
    // They are numbered in the order in which they are sent.
    const unsentFrom = this.unsent[0]?.seq ?? Number.POSITIVE_INFINITY;
    const held = [...this.held].filter(({ seq }) => seq < unsentFrom);
    const isBegun = (one: Held): boolean => one.started && one.ticket.begun;
    const started = held.filter(isBegun);
    const queued = held.filter((one) => !isBegun(one));
    const found: RawEffect[] = [];
    let first = true;
    for (const batch of batches(started, queued)) {
      const reply = await this.sendReconcile(batch, abandon && first ? oldId : '', isPast && first);
      first = false;
      if (reply.code === Code.UnknownClient) return reply.epoch;
      this.epoch = reply.epoch;
      this.takeBack(batch.queued, reply.effects);
      this.order.restart(reply.notices);
      found.push(...reply.effects);
    }
    const effects = this.decode(found);
    if (effects.length > 0) this.onNotice({ kind: 'effects', effects });
    return null;
  }

  /** What Redis may have forgotten of the past: the last start, and the reservoir; empty for unknown. */
  private memories(now: number): Arg[] {
    const { lastStart } = this.held;
    const start = lastStart === Number.NEGATIVE_INFINITY ? '' : now - lastStart;
    return [start, this.reservoirSeen ?? '', this.reservoirSeen === null ? '' : now - this.reservoirSeenAt];
  }

  private sawReservoir(reservoir: number | null): void {
    this.reservoirSeen = reservoir;
    this.reservoirSeenAt = Date.now();
  }

  /** Starts that had not begun and that Redis does not confirm are void. */
  private takeBack(told: readonly Held[], answered: readonly RawEffect[]): void {
    const known = new Set(answered.map(({ seq }) => seq));
    const returned = told.filter((held) => held.started && !known.has(held.seq));
    for (const held of returned) this.held.returnToQueue(held);
    if (returned.length === 0) return;
    const effects = returned.map(({ ticket }): Effect => ({ kind: 'returned', ticket }));
    this.onNotice({ kind: 'effects', effects });
    this.onNotice({ kind: 'capacity' });
  }

  private async sendReconcile(batch: ReconcileBatch, abandoned: string, isPast: boolean) {
    for (;;) {
      const now = Date.now();
      const args: Arg[] = [
        this.clientId,
        this.options.id,
        this.exact,
        '',
        abandoned,
        this.wouldBeLoss() ? this.epoch : '',
        isPast ? 1 : 0,
        ...this.memories(now),
        batch.started.length,
        batch.queued.length,
      ];
      for (const { seq, ticket, expiresAt } of batch.started) {
        args.push(
          seqText(seq),
          ticket.weight,
          expiresAt === null ? '' : Math.max(0, expiresAt - now),
          nameText(ticket),
        );
      }
      for (const held of batch.queued) {
        const dueIn = held.dueAt === null ? '' : Math.max(0, held.dueAt - now);
        args.push(seqText(held.seq), held.ticket.priority, arrivalOf(held), dueIn, ticketText(this.clientId, held));
        args.push(nameText(held.ticket), held.started ? 1 : 0);
      }
      const reply = parseReconcile(await this.run('reconcile', args));
      if (reply.code !== Code.NoSettings) return reply;
      await this.init(false);
    }
  }

  private onLostMessage(): void {
    if (this.closed) return;
    void this.exclusively(() => this.persist(() => this.reconcile(false)))
      .then(() => this.onNotice({ kind: 'capacity' }))
      .catch(ignoreStop);
  }

  // ---------------------------------------------------------------- what comes unasked

  get isBusy(): boolean {
    // Beside Bottleneck processes also when idle: they cannot recover by themselves when Redis loses the limiter.
    return this.held.size > 0 || this.mixed.isActive;
  }

  heartbeat(): void {
    this.mixed.onHeartbeat();
    if (!this.stepInFlight) this.onNotice({ kind: 'capacity' });
  }

  onClientMessage(message: ClientMessage): void {
    if (!this.agreed) {
      this.meanwhile.push(message);
      return;
    }
    if (this.wasAwaySince(this.agreedAt)) {
      this.onLostMessage(); // asks anew instead
      return;
    }
    this.order.takeMessage(message);
    if (this.orphans.length > 0) this.onNotice({ kind: 'capacity' });
  }

  onBroadcast(type: string, data: string): void {
    this.mixed.onBroadcast(type, data);
    if (type === 'message') this.onNotice({ kind: 'message', message: data });
    else if (type === 'rebottle-expiry') this.tickIn(Number(data));
    else if (type === 'rebottle-orphaned') this.tellOrphans(data);
  }

  private tellOrphans(text: string): void {
    const orphans = parseOrphans(text);
    if (orphans === null) return;
    this.onNotice({ kind: 'orphaned', jobs: orphans.jobs, reportedHere: orphans.by === this.clientId });
  }

  private createMixedFleet(): MixedFleet {
    const store = this;
    return new MixedFleet({
      get clientId() {
        return store.clientId;
      },
      get hasWaiting() {
        return store.held.queued > 0;
      },
      poke: () => this.onNotice({ kind: 'capacity' }),
      answer: (counters) => this.answer(counters),
      debug: (message, data) => this.onNotice({ kind: 'debug', message, data }),
    });
  }

  /** Where it fails, Bottleneck processes wait a second for the answer, and go on. */
  private async answer(counters: readonly string[]): Promise<void> {
    const args = [this.clientId, this.options.id, this.exact, '', ...counters];
    await this.run('answer', args).catch(() => {});
  }

  onReconnect(): void {
    if (this.isReady && this.isBusy) this.onLostMessage();
  }

  /** Another process left with jobs that will expire: somebody has to be there when they do. */
  private tickIn(delay: number): void {
    this.expiryTimer?.cancel();
    this.expiryTimer = startTimer(delay + 1 + Math.random() * 10, () => void this.read().catch(ignoreStop));
    this.expiryTimer.unref();
  }

  // ---------------------------------------------------------------- reading and changing

  async running(): Promise<number> {
    return (await this.read()).running;
  }

  async done(): Promise<number> {
    return (await this.read()).done;
  }

  async queued(): Promise<number> {
    return (await this.read()).queued;
  }

  async check(weight: number): Promise<boolean> {
    return (await this.read(weight)).check;
  }

  async reservoir(): Promise<number | null> {
    return (await this.read()).reservoir;
  }

  async inspect(): Promise<StoreSnapshot> {
    const { holds: _, ...read } = await this.read();
    return snapshotOf(read);
  }

  async inspectQueue(ticket: Ticket | null): Promise<QueueSnapshot> {
    const held = ticket === null ? undefined : this.held.get(ticket.seq);
    const waiting = held === undefined || held.started ? '' : ticketText(this.clientId, held);
    const { holds, ...read } = await this.read(1, [waiting, ticket?.priority ?? 0]);
    const { head, ...rest } = holds!;
    return { ...snapshotOf(read), ...rest, head: head && this.headOf(head) };
  }

  private headOf({ text, priority }: { text: string; priority: number }): QueuedTicket {
    const [client, seq, weight] = text.split(':');
    const ticket = client === this.clientId ? (this.held.get(Number.parseInt(seq!, 36))?.ticket ?? null) : null;
    return { ticket, priority, weight: Number(weight || 1) };
  }

  private async read(weight = 1, asked: readonly Arg[] = []): Promise<ReadReply & { holds: HoldsReply | null }> {
    await this.joined;
    return this.withSettings(async () => {
      const reply = await this.run('read', [this.clientId, this.options.id, this.exact, '', weight, ...asked]);
      const read = parseRead(reply);
      return { ...read, holds: asked.length > 0 && read.code === Code.Ok ? parseHolds(reply) : null };
    });
  }

  async incrementReservoir(by: number): Promise<number> {
    const reservoir = numberOrNull(await this.change('update', [String(by), 0]));
    this.sawReservoir(reservoir);
    return reservoir ?? 0;
  }

  async updateSettings(patch: Partial<StoreSettings>): Promise<void> {
    const fields = toFields(patch);
    await this.change('update', ['', fields.length, ...fields]);
    if (patch.reservoir !== undefined) this.sawReservoir(patch.reservoir);
    this.currentSettings = { ...this.currentSettings, ...patch };
  }

  // ---------------------------------------------------------------- jobs of any process

  async listJobs(state: StoredJobState, offset: number, limit: number): Promise<{ total: number; jobs: StoredJob[] }> {
    await this.joined;
    this.assertOpen();
    return parseTickets(await this.run('tickets', [state, offset, limit]));
  }

  async findJob(id: string): Promise<StoredJob | null> {
    await this.joined;
    this.assertOpen();
    const { jobs } = parseTickets(await this.run('tickets', [`=${id}`, 0, 1]));
    return jobs[0] ?? null;
  }

  async cancelJob(id: string): Promise<StoredJobState | null> {
    return parseJobState(await this.change('cancel', [id]));
  }

  async reset(settings: Partial<StoreSettings>): Promise<number> {
    const fields = toFields(settings);
    let total = 0;
    for (;;) {
      const count = Number(await this.change('reset', [fields.length, ...fields]));
      total += count;
      if (count < RESET_BATCH) return total;
    }
  }

  async sweep(): Promise<void> {
    for (;;) {
      const { now, settings } = await this.read();
      const { rb_buryAt: buryAt } = Object.fromEntries(replyPairs(settings));
      // It stays in the past while more is left than one call may take out.
      if (buryAt !== undefined && Number(buryAt) > now) return;
    }
  }

  /** Runs a script that answers with a code and one value. */
  private async change(name: ScriptName, args: Arg[]): Promise<unknown> {
    await this.joined;
    const reply = await this.withSettings(async () => {
      const [code, value] = (await this.run(name, [
        this.clientId,
        this.options.id,
        this.exact,
        '',
        ...args,
      ])) as unknown[];
      return { code: Number(code), value };
    });
    this.onNotice({ kind: 'capacity' }); // what could not start yet may be due at another time now
    return reply.value;
  }

  private async withSettings<T extends { code: Code }>(call: () => Promise<T>): Promise<T> {
    this.assertOpen();
    for (let repaired = false; ; repaired = true) {
      const reply = await call().catch((error: unknown) => {
        // A script fails on keys that somebody has broken: those can be mended.
        if (repaired || !(error instanceof RedisCallError && error.kind === 'script')) throw error;
        return null;
      });
      if (reply !== null && reply.code !== Code.NoSettings) return reply;
      await this.init(false);
      if (this.isBusy) await this.exclusively(() => this.reconcile(false));
    }
  }

  async publish(message: string): Promise<void> {
    await this.joined;
    this.assertOpen();
    const { commands } = this.options.connection;
    const text = `message:${message}`;
    if (commands.isCluster) await this.run('publish', [this.channel, text]);
    else await commands.publish(this.channel, text);
  }

  async isExpired(): Promise<boolean> {
    await this.joined;
    return Number(await this.options.connection.commands.call('exists', [this.keys[0]!], 1)) === 0;
  }

  // ---------------------------------------------------------------- calling

  private run(name: ScriptName, args: readonly Arg[]): Promise<unknown> {
    return this.options.connection.commands.evalScript(scripts[name], this.keys, args);
  }

  /** Tries until it succeeds, telling of each kind of failure, until the limiter is disconnected. */
  private persist<T>(call: () => Promise<T>): Promise<T> {
    return retrying(call, this.retries);
  }

  private assertOpen(): void {
    if (this.closed) throw new BottleneckError('This limiter has been disconnected.');
  }
}

/**
 * Redis tells the weight that runs after the last completion: before it there was more.
 * @param freed those of the tickets that Redis had, in the same order
 */
function completionsOf(tickets: readonly Ticket[], freed: readonly Held[], runningAfter: number): Effect[] {
  const effects: Effect[] = new Array(tickets.length);
  let running = runningAfter;
  let last = freed.length - 1;
  for (let i = tickets.length - 1; i >= 0; i--) {
    const ticket = tickets[i]!;
    effects[i] = { kind: 'completed', ticket, running };
    if (last < 0 || freed[last]!.ticket !== ticket) continue;
    if (freed[last--]!.started) running += ticket.weight;
  }
  return effects;
}

function snapshotOf({ code: _, check: __, settings, ...numbers }: ReadReply): StoreSnapshot {
  return { ...numbers, settings: fromFields(replyPairs(settings)) };
}

/** What was known when Redis was asked. */
interface Asked {
  /** By `Date.now()`. */
  at: number;
  /** Notices heard. */
  heard: number;
}

/** A step as it was made ready to be sent, and sent again. */
interface SentStep {
  number: number;
  /** Tickets that this client had in Redis before. */
  holds: number;
  completed: Held[];
  withdrawn: Held[];
  /** Completed and withdrawn. */
  ended: Held[];
  orphans: string[];
  renewed: Array<{ held: Held | undefined; expiresIn: number }>;
  leases: Array<[seq: number, lease: string]>;
  submitted: Held[];
}

interface ReconcileBatch {
  started: Held[];
  queued: Held[];
}

/** Started tickets first: their slots must be back before anybody counts on them. At least one batch, maybe empty. */
function* batches(started: Held[], queued: Held[]): Generator<ReconcileBatch> {
  if (started.length + queued.length === 0) yield { started: [], queued: [] };
  for (let i = 0; i < started.length; i += RECONCILE_BATCH)
    yield { started: started.slice(i, i + RECONCILE_BATCH), queued: [] };
  for (let i = 0; i < queued.length; i += RECONCILE_BATCH)
    yield { started: [], queued: queued.slice(i, i + RECONCILE_BATCH) };
}

/** What is left of an effect whose start is not to be believed: the ticket was queued, at least. */
function withoutStart(effect: RawEffect): RawEffect {
  if (effect.kind === EffectKind.QueuedAndStarted) return { ...effect, kind: EffectKind.Queued, a: 0, b: '' };
  if (effect.kind === EffectKind.Started) return { ...effect, kind: EffectKind.Unconfirmed };
  return effect;
}

function ignoreStop(error: unknown): void {
  if (!(error instanceof StoppedError)) throw error;
}
