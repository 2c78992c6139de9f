import { startTimer, type Timer } from '../../clock';
import type { Off } from './clients/client';
import type { RedisLink } from './link';
import { type ClientMessage, parseMessage } from './replies';

/** What a pool needs of a limiter on its connection. */
export interface PoolClient {
  readonly clientId: string;
  /** The limiter's own channel. */
  readonly channel: string;
  /** ms between heartbeats. */
  readonly heartbeatEvery: number;
  /** Whether anything is queued or running: only then it sends heartbeats. */
  readonly isBusy: boolean;
  heartbeat(): void;
  onClientMessage(message: ClientMessage): void;
  onBroadcast(type: string, data: string): void;
  /** The connection was lost and is usable again: messages may have been missed. */
  onReconnect(): void;
}

const pools = new WeakMap<RedisLink, Pool>();

/** The pool of all limiters on a pair of connections that do not say which one is theirs. It lives as long as they do. */
export function poolOf(link: RedisLink): Pool {
  const existing = pools.get(link);
  if (existing !== undefined) return existing;
  const pool = new Pool(link);
  pools.set(link, pool);
  return pool;
}

/**
 * What the limiters of one process share on one pair of connections: the channel on which other processes reach them,
 * and one timer for all their heartbeats.
 */
export class Pool {
  /** Names this process to others: client ids begin with it. */
  readonly id = randomId();
  private readonly clients = new Map<string, PoolClient>();
  private readonly byChannel = new Map<string, Set<PoolClient>>();
  private clientCount = 0;
  private listening: Promise<void> | null = null;
  private timer: Timer | null = null;
  private everyMs = Number.POSITIVE_INFINITY;
  private readonly offs: Off[];

  private reconnectedAt = Number.NEGATIVE_INFINITY;

  constructor(readonly link: RedisLink) {
    let connectedBefore = false;
    const onReady = (): void => {
      if (connectedBefore) {
        this.reconnectedAt = Date.now();
        for (const client of [...this.clients.values()]) client.onReconnect();
      }
      connectedBefore = true;
    };
    const { subscriptions } = link;
    this.offs = [
      subscriptions.onMessage((channel, message) => this.onMessage(channel, message)),
      subscriptions.onReady(onReady),
    ];
    if (link.subscriptions.isReady) connectedBefore = true;
  }

  /** The channel for messages to this process; see `channel_of` in lua/include/clients.lua. */
  get channel(): string {
    return `b_rebottle:${this.id}`;
  }

  /** ms since the connection for subscriptions came back, Infinity when it never was lost. */
  get sinceReconnect(): number {
    return Date.now() - this.reconnectedAt;
  }

  /** An id for a limiter instance. The dot tells it from ids of Bottleneck clients. */
  nextClientId(): string {
    return `${this.id}.${(this.clientCount++).toString(36)}`;
  }

  /** Resolves when messages for the client reach it. */
  async add(client: PoolClient): Promise<void> {
    this.clients.set(client.clientId, client);
    const { subscriptions } = this.link;
    this.listening ??= this.listen();
    const onChannel = this.byChannel.get(client.channel) ?? new Set();
    onChannel.add(client);
    this.byChannel.set(client.channel, onChannel);
    this.beatEvery(client.heartbeatEvery);
    const own = subscriptions.subscribe(client.channel);
    own.catch(() => {}); // awaited below, unless the pool's own channel is refused first
    try {
      await this.listening;
    } catch (error) {
      // Both are asked for again.
      await own.then(() => subscriptions.unsubscribe(client.channel)).catch(() => {});
      throw error;
    }
    await own;
  }

  private async listen(): Promise<void> {
    try {
      await this.link.subscriptions.subscribe(this.channel);
    } catch (error) {
      this.listening = null; // to be tried again
      throw error;
    }
  }

  /** A client goes on under another id. */
  rename(client: PoolClient, oldId: string): void {
    if (!this.clients.delete(oldId)) return;
    this.clients.set(client.clientId, client);
  }

  /** Takes the client off at once; resolves when its channel is unsubscribed. */
  async remove(client: PoolClient): Promise<void> {
    if (!this.clients.delete(client.clientId)) return;
    const onChannel = this.byChannel.get(client.channel);
    onChannel?.delete(client);
    if (onChannel?.size === 0) this.byChannel.delete(client.channel);
    if (this.clients.size === 0) this.stopBeating();
    await this.link.subscriptions.unsubscribe(client.channel);
  }

  /** For a pool whose limiters have left while its connections go on. */
  async close(): Promise<void> {
    for (const off of this.offs) off();
    this.stopBeating();
    const listening = this.listening;
    if (listening === null) return;
    this.listening = null;
    await listening.then(() => this.link.subscriptions.unsubscribe(this.channel)).catch(() => {});
  }

  private onMessage(channel: string, text: string): void {
    if (channel === this.channel) {
      const message = parseMessage(text);
      if (message !== null) this.clients.get(message.client)?.onClientMessage(message);
      return;
    }
    const colon = text.indexOf(':');
    if (colon < 0) return;
    for (const client of this.byChannel.get(channel) ?? [])
      client.onBroadcast(text.slice(0, colon), text.slice(colon + 1));
  }

  /** One timer beats for all: as often as the client that needs it most often. */
  private beatEvery(every: number): void {
    if (every >= this.everyMs) return;
    this.everyMs = every;
    this.timer?.cancel();
    this.scheduleBeat();
  }

  private scheduleBeat(): void {
    this.timer = startTimer(this.everyMs, () => {
      this.scheduleBeat();
      for (const client of [...this.clients.values()]) if (client.isBusy) client.heartbeat();
    });
    this.timer.unref();
  }

  private stopBeating(): void {
    this.timer?.cancel();
    this.timer = null;
    this.everyMs = Number.POSITIVE_INFINITY;
  }
}

/** Long enough to be the only one of its fleet, 42 bits; each queued ticket in Redis carries it. */
const ID_LENGTH = 7;
const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

function randomId(): string {
  const letter = (): string => ALPHABET[Math.floor(Math.random() * ALPHABET.length)]!;
  return Array.from({ length: ID_LENGTH }, letter).join('');
}
