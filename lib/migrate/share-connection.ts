import type { AnyClass } from './either.js';

/** The two connection classes of a package; its light build has something else in their place. */
export interface ConnectionClasses {
  readonly RedisConnection?: unknown;
  readonly IORedisConnection?: unknown;
}

/** What both packages' connections have in common. */
interface Connection {
  readonly client: Client;
  readonly Events?: { trigger(name: string, ...args: unknown[]): unknown };
  on(name: 'error', listener: (error: unknown) => void): unknown;
  disconnect(flush?: boolean): Promise<unknown>;
}

interface RebottleConnection extends Connection {
  onDisconnect(listener: (flush: boolean) => void): unknown;
}

/** As 2.19.5 has it, which will not change any more. */
interface BottleneckConnection extends Connection {
  readonly subscriber: { disconnect?(): void; end?(flush: boolean): void };
  limiters: Record<string, { _store: { heartbeat: ReturnType<typeof setInterval> } }>;
  terminated: boolean;
}

interface Client {
  on(name: 'end', listener: () => void): unknown;
  /** ioredis. */
  defineCommand?: unknown;
  /** node-redis 2 and 3: false until it is told to quit. */
  closing?: boolean;
  /** node-redis 2 and 3. */
  send_command?: unknown;
}

/**
 * Lets limiters of one package use a connection object of the other: a connection of their own package is opened on
 * the same client. It adds one subscriber connection, which closes when the connection object or the client does.
 */
export class ConnectionSharing {
  private readonly counterparts = new WeakMap<object, object>();

  constructor(
    private readonly bottleneck: ConnectionClasses,
    private readonly rebottle: ConnectionClasses,
  ) {}

  /** @returns `given` itself where Bottleneck can use it as it is. */
  forBottleneck(given: unknown): unknown {
    if (!isConnection(given) || !isOneOf(given, this.rebottle)) return given;
    if (!isIoredis(given.client) && typeof given.client.send_command !== 'function') {
      throw new TypeError(
        'Bottleneck cannot use node-redis 4 or later: build this limiter on rebottle, or use ioredis',
      );
    }
    return this.counterpart(given, () => {
      const opened = open(given.client, this.bottleneck) as BottleneckConnection;
      const close = () => closeSubscriber(opened);
      (given as RebottleConnection).onDisconnect(close);
      onEnd(given.client, close);
      return opened;
    });
  }

  /** @returns `given` itself where it is rebottle's own, or nothing that has a client, such as a stand-in of a test. */
  forRebottle(given: unknown): unknown {
    if (!isConnection(given) || isOneOf(given, this.rebottle)) return given;
    return this.counterpart(given, () => {
      const opened = open(given.client, this.rebottle);
      closeBefore(given, opened);
      onEnd(given.client, () => void opened.disconnect(false));
      return opened;
    });
  }

  private counterpart(given: Connection, openOther: () => Connection): object {
    const known = this.counterparts.get(given);
    if (known !== undefined) return known;
    const opened = openOther();
    forwardErrors(opened, given);
    this.counterparts.set(given, opened);
    return opened;
  }
}

function open(client: Client, classes: ConnectionClasses): Connection {
  const Connection = isIoredis(client) ? classes.IORedisConnection : classes.RedisConnection;
  if (typeof Connection !== 'function') {
    throw new TypeError('This connection cannot be shared: the other package was imported in its build without Redis');
  }
  // Bottleneck requires a Redis library even when it is given a client, unless it is given the library as well.
  return new (Connection as AnyClass)({ client, Redis: client.constructor });
}

/** The counterpart's errors belong to the connection that the user holds; those of the shared client it heard already. */
function forwardErrors(from: Connection, to: Connection): void {
  const heard = new WeakSet<object>();
  to.on('error', (error) => {
    if (isObject(error)) heard.add(error);
  });
  from.on('error', (error) => {
    if (!isObject(error) || !heard.has(error)) to.Events?.trigger('error', error);
  });
}

/** Not by its disconnect(), which would close the shared client too. */
function closeSubscriber(opened: BottleneckConnection): void {
  if (opened.terminated) return;
  for (const limiter of Object.values(opened.limiters)) clearInterval(limiter._store.heartbeat);
  opened.limiters = {};
  opened.terminated = true;
  if (opened.subscriber.disconnect !== undefined) opened.subscriber.disconnect();
  else opened.subscriber.end?.(false);
}

/** Bottleneck's connections tell nobody that they are disconnected; node-redis 3 does not even emit `end` then. */
function closeBefore(given: Connection, opened: Connection): void {
  const disconnect = given.disconnect;
  given.disconnect = async (flush = true) => {
    await opened.disconnect(flush);
    return disconnect.call(given, flush);
  };
}

function onEnd(client: Client, close: () => void): void {
  client.on('end', () => {
    // node-redis 2 and 3 also emit `end` before they reconnect.
    if (isIoredis(client) || client.closing !== false) close();
  });
}

function isIoredis(client: Client): boolean {
  return typeof client.defineCommand === 'function';
}

function isOneOf(value: object, { RedisConnection, IORedisConnection }: ConnectionClasses): boolean {
  return [RedisConnection, IORedisConnection].some((type) => typeof type === 'function' && value instanceof type);
}

function isConnection(value: unknown): value is Connection {
  const client = (value as { client?: Partial<Client> } | null | undefined)?.client;
  return isObject(value) && isObject(client) && typeof client.on === 'function';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
