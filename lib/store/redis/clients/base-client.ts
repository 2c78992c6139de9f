import { withinTime } from '../../../clock';
import { callError, closedError, isUnknownScript, type RedisCallError } from './call-error';
import { Channels } from './channels';
import type { Arg, Off, RedisClient, RedisNode, Script } from './client';

// biome-ignore lint/suspicious/noExplicitAny: the native clients have nothing in common
export type Native = any;

// biome-ignore lint/suspicious/noExplicitAny: a native event has whatever arguments it has
type NativeListener = (...args: any[]) => void;

/** ms for which closing waits for a server that does not answer. */
const FLUSH_TIMEOUT = 2000;

/** What all families share: readiness, listeners, subscriptions that outlive a connection, errors of one kind. */
export abstract class BaseClient implements RedisClient {
  abstract readonly kind: 'ioredis' | 'node-redis';
  readonly isCluster: boolean = false;

  protected readonly channels = new Channels({
    subscribe: (channels) => this.attempt(() => this.sendSubscribe(channels)),
    unsubscribe: (channel) => this.attempt(() => this.sendUnsubscribe(channel)),
  });
  private readonly messageListeners = new Set<(channel: string, message: string) => void>();
  private readonly errorListeners = new Set<(error: unknown) => void>();
  private readonly readyListeners = new Set<() => void>();
  private readonly endListeners = new Set<() => void>();
  /** SHAs of the scripts that were sent in full. */
  private readonly sentScripts = new Set<string>();
  private readonly nativeListeners: [string, NativeListener][] = [];
  private readonly firstReady: Promise<void>;
  private settleFirstReady!: (error?: unknown) => void;
  private ended = false;
  private closing: Promise<void> | undefined;

  constructor(
    readonly raw: Native,
    readonly owned: boolean,
  ) {
    this.firstReady = new Promise((resolve, reject) => {
      this.settleFirstReady = (error) => (error === undefined ? resolve() : reject(error));
    });
    this.firstReady.catch(() => {}); // Whoever waits for it gets the rejection.
    raw.setMaxListeners?.(0);
  }

  abstract get keyPrefix(): string;
  abstract get isReady(): boolean;
  /** Sends one command; rejects with the native error. */
  protected abstract send(command: string, args: readonly Arg[], keyCount: number): Promise<unknown>;
  protected abstract sendEval(
    command: string,
    code: string,
    keys: readonly string[],
    args: readonly Arg[],
  ): Promise<unknown>;
  protected abstract sendSubscribe(channels: string[]): Promise<unknown>;
  protected abstract sendUnsubscribe(channel: string): Promise<unknown>;
  /** Closes the native client. */
  protected abstract shut(flush: boolean): Promise<unknown>;
  /** Whether the native client has given up for good. */
  protected abstract hasGivenUp(): boolean;

  get isEnded(): boolean {
    return this.ended;
  }

  ready(): Promise<void> {
    return this.firstReady;
  }

  async call(command: string, args: readonly Arg[], keyCount = 0): Promise<unknown> {
    try {
      return await this.send(command, args, keyCount);
    } catch (cause) {
      throw this.failure(cause);
    }
  }

  async evalScript(script: Script, keys: readonly string[], args: readonly Arg[]): Promise<unknown> {
    // In full the first time, whatever the server knows: who waits for a limiter to become ready waits for this.
    const isNew = !this.sentScripts.has(script.sha);
    this.sentScripts.add(script.sha);
    try {
      // Both in one place: replies that come together are heard in the order in which they were asked for.
      return await (isNew
        ? this.sendEval('eval', script.source, keys, args)
        : this.sendEval('evalsha', script.sha, keys, args));
    } catch (cause) {
      const error = this.failure(cause);
      if (isNew || !isUnknownScript(error)) throw error;
    }
    return this.attempt(() => this.sendEval('eval', script.source, keys, args));
  }

  async publish(channel: string, message: string): Promise<number> {
    return Number(await this.call('publish', [channel, message]));
  }

  subscribe(channel: string): Promise<void> {
    return this.channels.add(channel);
  }

  unsubscribe(channel: string): Promise<void> {
    return this.channels.remove(channel);
  }

  listenersOn(channel: string): number {
    return this.channels.usersOf(channel);
  }

  onMessage(listener: (channel: string, message: string) => void): Off {
    return listen(this.messageListeners, listener);
  }

  onError(listener: (error: unknown) => void): Off {
    return listen(this.errorListeners, listener);
  }

  onReady(listener: () => void): Off {
    return listen(this.readyListeners, listener);
  }

  onEnd(listener: () => void): Off {
    return listen(this.endListeners, listener);
  }

  async nodes(): Promise<RedisNode[]> {
    return [this];
  }

  close(flush: boolean): Promise<void> {
    this.closing ??= this.end(flush);
    return this.closing;
  }

  /** Listens on the native client until this one is closed. */
  protected listen(event: string, listener: NativeListener): void {
    this.nativeListeners.push([event, listener]);
    this.raw.on(event, listener);
  }

  protected emitMessage(channel: string, message: string): void {
    for (const listener of this.messageListeners) listener(channel, message);
  }

  protected emitError(error: unknown): void {
    for (const listener of this.errorListeners) listener(error);
  }

  /** The native client has a usable connection, for the first time or again. */
  protected async becameReady(): Promise<void> {
    if (this.channels.size > 0) {
      try {
        await this.channels.restore();
      } catch (error) {
        // A connection lost meanwhile comes back, and then this is done again.
        if ((error as RedisCallError).kind !== 'connection') this.emitError(error);
        else return;
      }
    }
    if (this.ended) return;
    this.settleFirstReady();
    for (const listener of this.readyListeners) listener();
  }

  /** To be called whenever the native client may have given up. */
  protected checkEnd(): void {
    if (!this.ended && this.hasGivenUp()) this.becameEnded();
  }

  private becameEnded(): void {
    if (this.ended) return;
    this.ended = true;
    this.channels.close();
    this.settleFirstReady(closedError());
    for (const listener of this.endListeners) listener();
  }

  private async attempt<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (cause) {
      throw this.failure(cause);
    }
  }

  private failure(cause: unknown): RedisCallError {
    const error = callError(cause);
    if (error.kind === 'connection') this.checkEnd();
    return error;
  }

  private async end(flush: boolean): Promise<void> {
    const alreadyEnded = this.ended;
    this.becameEnded();
    try {
      if (this.owned && !alreadyEnded && !(flush && this.isReady && (await this.flushed()))) await this.shut(false);
    } catch {
      // It was closed, or lost its connection, in the middle: either way it is closed now.
    }
    if (!this.owned) this.detach();
  }

  /** Closes it once everything is answered. Resolves to false when the server is silent for too long: it may hang. */
  private flushed(): Promise<boolean> {
    return withinTime(this.shut(true), FLUSH_TIMEOUT);
  }

  /** Leaves a client of the user's as it was, but never without a listener for errors, which would end the process. */
  private detach(): void {
    for (const [event, listener] of this.nativeListeners) this.raw.removeListener?.(event, listener);
    if (this.raw.listenerCount?.('error') === 0) this.raw.on('error', ignore);
  }
}

function ignore(): void {}

function listen<T>(listeners: Set<T>, listener: T): Off {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
