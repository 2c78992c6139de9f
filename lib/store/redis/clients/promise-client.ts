import { BaseClient, type Native } from './base-client';
import { callError } from './call-error';
import type { Arg, RedisNode } from './client';

/** Replies in their plain form, whatever mapping the user has set for the client. Ignored by node-redis 4. */
const PLAIN_REPLIES = { typeMapping: {} };

/** A cluster connects by one attempt only; ms between the attempts that we make, which grow up to the last. */
const CONNECT_DELAYS_MS = [50, 100, 200, 500, 1000, 2000];
/** How often to look whether the user has connected a cluster of theirs, ms. */
const CLUSTER_POLL_MS = 50;

/** node-redis 4, 5 and 6: one server, or a cluster. */
export class PromiseClient extends BaseClient {
  readonly kind = 'node-redis';
  override readonly isCluster: boolean;
  private wasOpen = false;
  private connectFailed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(raw: Native, owned: boolean) {
    super(raw, owned);
    this.isCluster = isNodeRedisCluster(raw);
    this.listen('error', (error) => {
      this.emitError(error);
      this.checkEndSoon();
    });
    this.listen('end', () => this.checkEndSoon());
    if (this.isCluster) this.listenToNodes();
    // It resubscribes before it says that it is ready.
    else this.listen('ready', () => this.opened());
    if (this.isReady) this.opened();
    else if (owned) void this.connect(0);
    // A client that was given is connected by whoever made it. A cluster does not say when it is.
    else if (this.isCluster) this.awaitCluster();
  }

  get keyPrefix(): string {
    const prefix = this.raw._keyPrefix ?? '';
    return String(prefix);
  }

  get isReady(): boolean {
    return this.isCluster ? this.raw.isOpen === true && this.raw.masters.length > 0 : this.raw.isReady === true;
  }

  override async nodes(): Promise<RedisNode[]> {
    if (!this.isCluster) return [this];
    // Version 4 lists a primary once for each of its ranges of slots.
    const masters = new Map<string, Native>(this.raw.masters.map((master: Native) => [master.address, master]));
    return [...masters.values()].map((master) => ({
      call: async (command: string, args: readonly Arg[]) => {
        try {
          const node = await this.raw.nodeClient(master);
          return await node.sendCommand([command, ...args.map(toArg)], PLAIN_REPLIES);
        } catch (cause) {
          throw callError(cause);
        }
      },
    }));
  }

  protected send(command: string, args: readonly Arg[], keyCount: number): Promise<unknown> {
    const prefix = this.keyPrefix;
    const sent = args.map((arg, i) => (i < keyCount && prefix !== '' ? `${prefix}${arg}` : toArg(arg)));
    return this.sendRaw(keyCount > 0 ? sent[0] : undefined, [command, ...sent]);
  }

  protected sendEval(command: string, code: string, keys: readonly string[], args: readonly Arg[]): Promise<unknown> {
    const prefix = this.keyPrefix;
    const prefixed = prefix === '' ? keys : keys.map((key) => prefix + key);
    return this.sendRaw(prefixed[0], [command, code, String(keys.length), ...prefixed, ...args.map(toArg)]);
  }

  protected sendSubscribe(channels: string[]): Promise<unknown> {
    return this.raw.subscribe(channels, this.onChannelMessage);
  }

  protected sendUnsubscribe(channel: string): Promise<unknown> {
    return this.raw.unsubscribe(channel, this.onChannelMessage);
  }

  protected async shut(flush: boolean): Promise<unknown> {
    // Once it was asked to close in an orderly way, no version before 6 can be closed at once any more. Replies come in
    // order, so the last one tells the same.
    if (flush && this.channels.size === 0) {
      await Promise.all((await this.nodes()).map((node) => node.call('PING', [])));
    }
    const { raw } = this;
    return typeof raw.destroy === 'function' ? raw.destroy() : raw.disconnect();
  }

  override close(flush: boolean): Promise<void> {
    clearTimeout(this.timer);
    return super.close(flush);
  }

  protected hasGivenUp(): boolean {
    return (this.wasOpen || this.connectFailed) && this.raw.isOpen === false;
  }

  /** Only from version 5 on a cluster tells of its nodes. */
  private listenToNodes(): void {
    this.listen('node-error', (error) => this.emitError(error));
    this.listen('node-ready', () => {
      if (this.wasOpen) void this.becameReady();
    });
  }

  private awaitCluster(): void {
    this.timer = setTimeout(() => {
      if (this.isReady) this.opened();
      else if (!this.isEnded) this.awaitCluster();
    }, CLUSTER_POLL_MS);
    (this.timer as { unref?: () => void }).unref?.();
  }

  private readonly onChannelMessage = (message: string, channel: string): void => {
    this.emitMessage(channel, message);
  };

  private sendRaw(key: string | Buffer | undefined, args: (string | Buffer)[]): Promise<unknown> {
    if (this.isCluster) return this.raw.sendCommand(key, false, args, PLAIN_REPLIES);
    // In the legacy mode of version 4 the commands of the client itself take callbacks.
    const api = this.raw.options?.legacyMode ? this.raw.v4 : this.raw;
    return api.sendCommand(args, PLAIN_REPLIES);
  }

  private async connect(attempt: number): Promise<void> {
    try {
      await this.raw.connect();
      if (this.isCluster) this.opened();
    } catch (error) {
      if (this.isEnded) return;
      if (this.isCluster) this.connectLater(attempt, error);
      else {
        this.connectFailed = true;
        this.checkEnd();
      }
    }
  }

  private connectLater(attempt: number, error: unknown): void {
    this.emitError(error);
    const delay = CONNECT_DELAYS_MS[Math.min(attempt, CONNECT_DELAYS_MS.length - 1)];
    this.timer = setTimeout(() => void this.connect(attempt + 1), delay);
  }

  private opened(): void {
    this.wasOpen = true;
    void this.becameReady();
  }

  /** The client marks itself as closed only after it has told its listeners. */
  private checkEndSoon(): void {
    void Promise.resolve().then(() => this.checkEnd());
  }
}

export function isNodeRedisCluster(raw: Native): boolean {
  return typeof raw.nodeClient === 'function' && 'masters' in raw;
}

function toArg(arg: Arg): string | Buffer {
  return typeof arg === 'number' ? String(arg) : arg;
}
