/**
 * One small interface over every Redis client that is supported: ioredis 4 to 6 and iovalkey, node-redis 2 and 3
 * (callbacks), node-redis 4 to 6 (promises), each for one server and for a cluster. Nothing outside this folder knows
 * which of them is in use.
 */

/** An argument of a command. Numbers are sent in their decimal form. */
export type Arg = string | number | Buffer;

/** A Lua script and the SHA-1 of its source in hex. */
export interface Script {
  readonly sha: string;
  readonly source: string;
}

/** Takes a listener off again. */
export type Off = () => void;

/** One server that commands can be sent to. */
export interface RedisNode {
  /**
   * Sends one command.
   *
   * Replies are those of RESP2 as far as scripts and the commands used here go: strings, integers, arrays and null.
   * A map (HGETALL) comes as pairs in one array or as an object, see `replyPairs`. A client of the user's own with the
   * option `stringNumbers` gives integers as strings: pass what must be a number through `Number`.
   *
   * @param keyCount how many of the first arguments are keys. They get the client's key prefix, and in a cluster the
   *   first of them decides which node is asked.
   * @throws {RedisCallError}
   */
  call(command: string, args: readonly Arg[], keyCount?: number): Promise<unknown>;
}

export interface RedisClient extends RedisNode {
  readonly kind: 'ioredis' | 'node-redis';
  /** The native client. */
  // biome-ignore lint/suspicious/noExplicitAny: the native clients have nothing in common
  readonly raw: any;
  /** Whether we made it. A client that was given is never closed. */
  readonly owned: boolean;
  readonly isCluster: boolean;
  /** What the client puts before every key, "" for nothing. Names of channels never get it. */
  readonly keyPrefix: string;
  /** Whether a command would be sent at once. */
  readonly isReady: boolean;
  /** Whether the client has given up for good: closed, or its retry strategy said so. */
  readonly isEnded: boolean;

  /** Resolves when the client is usable for the first time; rejects when it is closed or gives up before. */
  ready(): Promise<void>;

  /**
   * Runs a script: by its source the first time, then by its SHA, unless the server has forgotten it (SCRIPT FLUSH).
   * Calls are pipelined: many can be under way, and they reach the server in the order in which they were made.
   *
   * @throws {RedisCallError}
   */
  evalScript(script: Script, keys: readonly string[], args: readonly Arg[]): Promise<unknown>;

  /**
   * Resolves to the number of receivers; in a cluster only those of one node are counted.
   * The channel is used as given: no client puts its key prefix before it.
   */
  publish(channel: string, message: string): Promise<number>;

  /**
   * Resolves when messages of `channel` arrive. A lost connection only delays that, and a subscription outlives it.
   * Calls are counted: a channel stays subscribed until it was unsubscribed as often as it was subscribed.
   *
   * @throws {RedisCallError} when the server refuses, or the client is closed or gives up.
   */
  subscribe(channel: string): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  /** How many calls of `subscribe` hold the channel subscribed. */
  listenersOn(channel: string): number;

  onMessage(listener: (channel: string, message: string) => void): Off;
  /** Errors of the connection, as the native client emits them. */
  onError(listener: (error: unknown) => void): Off;
  /** The client is usable (again), and all its channels are subscribed again. */
  onReady(listener: () => void): Off;
  /** The client is closed or has given up. */
  onEnd(listener: () => void): Off;

  /** The primaries of a cluster, or the one server. */
  nodes(): Promise<RedisNode[]>;

  /**
   * Stops using the client; one that we made is closed.
   *
   * @param flush whether to wait for the replies of what was sent, up to 2 s. Otherwise, after that, or when there is
   *   no connection now, outstanding calls reject.
   */
  close(flush: boolean): Promise<void>;
}

/** The pairs of a map reply, whatever shape the client gave it. */
export function replyPairs(reply: unknown): [string, string][] {
  if (Array.isArray(reply)) {
    return Array.from({ length: reply.length / 2 }, (_, i) => [String(reply[2 * i]), String(reply[2 * i + 1])]);
  }
  if (reply instanceof Map) return [...reply].map(([name, value]) => [String(name), String(value)]);
  return Object.entries((reply ?? {}) as object).map(([name, value]) => [name, String(value)]);
}
