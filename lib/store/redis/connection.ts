import { type Emitter, Events } from '../../events';
import type { Off, RedisClient, RedisNode } from './clients/client';
import { type ClientSource, openClients, type RedisDatastore } from './clients/open-clients';
import { escapeGlob, groupKeyOf, groupPatterns, limiterKeys } from './keys';
import { RedisLink } from './link';

// biome-ignore lint/suspicious/noExplicitAny: native clients, limiters and promise classes of the user's choice
type Any = any;

/** Options of a Connection. Without any of them it connects to the default port of this machine. */
export interface ConnectionOptions {
  /** The client library. Without it (and without `client`) the installed `redis` or `ioredis` is loaded. */
  Redis?: Any;
  /** Passed to the client library as it is. */
  clientOptions?: Any;
  /** Makes a cluster client of these nodes (ioredis, or node-redis 4 and later). */
  clusterNodes?: Any;
  /** A client to use. It is never closed; the second client, for subscriptions, is a duplicate of it. */
  client?: Any;
  /** The promise class of `ready` and of what the methods return. */
  Promise?: Any;
  /** Where errors of the connection go. Without it the Connection has `on` and `once` itself. */
  Events?: Events | null;
}

/** Runs when a connection is disconnected, before its clients are closed. */
export type DisconnectListener = (flush: boolean) => void | PromiseLike<void>;

const SCAN_COUNT = 1000;

/** What both public classes are. Use one of them. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: Events adds these methods
export class Connection {
  readonly datastore: RedisDatastore;
  declare Events: Events;
  Promise: Any;
  /** The native client that commands go through. */
  client: Any;
  /** The native client that is subscribed to channels. */
  subscriber: Any;
  /** The limiters on this connection by the channels that they listen to. */
  limiters: Record<string, Any> = {};
  terminated = false;
  /** Resolves to both native clients when they are usable for the first time. */
  ready: Promise<{ client: Any; subscriber: Any }>;

  /** @internal The clients, which other connections of this process may share. */
  readonly link: RedisLink;
  /** @internal */
  _disconnectListeners = new Set<DisconnectListener>();
  /** @internal */
  _disconnecting: Promise<void> | undefined;
  /** @internal */
  _offError: Off;

  /** @param link a pair of clients to use in place of new ones. */
  constructor(datastore: RedisDatastore, options: ConnectionOptions = {}, link?: RedisLink) {
    this.datastore = datastore;
    this.Promise = options.Promise ?? Promise;
    this.Events = options.Events ?? new Events(this);
    this.link = link ?? new RedisLink(openClients(datastore, clientSource(options)));
    this.link.retain();
    this.client = this.commands.raw;
    this.subscriber = this.subscriptions.raw;
    this._offError = this.link.onError((error) => this.Events.emit('error', error));
    this.ready = this._whenReady();
  }

  /** @internal */
  get commands(): RedisClient {
    return this.link.commands;
  }

  /** @internal */
  get subscriptions(): RedisClient {
    return this.link.subscriptions;
  }

  /**
   * Closes both clients, except a client that was given, and clients that other limiters of this process still use.
   *
   * @param flush whether to wait for the replies of commands that were sent. Default true.
   */
  disconnect(flush = true): Promise<void> {
    this._disconnecting ??= this._disconnect(flush);
    return this.Promise.resolve(this._disconnecting);
  }

  /** @internal */
  onDisconnect(listener: DisconnectListener): Off {
    this._disconnectListeners.add(listener);
    return () => void this._disconnectListeners.delete(listener);
  }

  /** @internal The keys of a Group that have a limiter in Redis. */
  async groupKeys(groupId: string): Promise<string[]> {
    const naming = { cluster: this.link.isCluster };
    const found = await Promise.all(groupPatterns(groupId, naming).map((pattern) => this.scanKeys(pattern)));
    const keys = found.flat().map((name) => groupKeyOf(name, groupId, naming));
    return [...new Set(keys)].filter((key) => key !== undefined);
  }

  /** @internal Removes all keys of a limiter. Resolves to how many there were. */
  async deleteLimiterKeys(id: string): Promise<number> {
    await this.commands.ready();
    const keys = limiterKeys(id, { cluster: this.link.isCluster });
    return Number(await this.commands.call('del', keys, keys.length));
  }

  /** @internal The names of the keys that match, on all primaries, without the key prefix of the client. */
  async scanKeys(pattern: string): Promise<string[]> {
    await this.commands.ready();
    const prefix = this.commands.keyPrefix;
    const nodes = await this.commands.nodes();
    const names = await Promise.all(nodes.map((node) => scanNode(node, escapeGlob(prefix) + pattern)));
    return [...new Set(names.flat())].map((name) => name.slice(prefix.length));
  }

  /** @internal */
  _whenReady(): Promise<{ client: Any; subscriber: Any }> {
    const { client, subscriber } = this;
    const ready = new this.Promise((resolve: (clients: Any) => void, reject: (error: unknown) => void) => {
      this.link.ready.then(
        () => resolve({ client, subscriber }),
        // Whoever disconnects before it is ready gets no rejection that nobody waits for.
        (error) => !this.terminated && reject(error),
      );
    });
    ready.then(undefined, () => {});
    return ready;
  }

  /** @internal */
  async _disconnect(flush: boolean): Promise<void> {
    this.terminated = true;
    this.limiters = {};
    this._offError();
    await Promise.all([...this._disconnectListeners].map((listener) => listener(flush)));
    await this.link.release(flush);
  }
}

export interface Connection extends Emitter {}

/** Two clients of node-redis. */
export class RedisConnection extends Connection {
  constructor(options: ConnectionOptions = {}, link?: RedisLink) {
    super('redis', options, link);
  }
}

/** Two clients of ioredis (or iovalkey). */
export class IORedisConnection extends Connection {
  constructor(options: ConnectionOptions = {}, link?: RedisLink) {
    super('ioredis', options, link);
  }
}

function clientSource({ Redis, clientOptions, clusterNodes, client }: ConnectionOptions): ClientSource {
  return { Redis, clientOptions, clusterNodes, client };
}

async function scanNode(node: RedisNode, pattern: string): Promise<string[]> {
  const names: string[] = [];
  let cursor = '0';
  do {
    const reply = await node.call('scan', [cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT]);
    const [next, found] = reply as [unknown, string[]];
    cursor = String(next);
    names.push(...found);
  } while (cursor !== '0');
  return names;
}
