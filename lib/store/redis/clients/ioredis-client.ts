import { BaseClient, type Native } from './base-client';
import { callError } from './call-error';
import type { Arg, RedisNode } from './client';

/** ioredis 4, 5 and 6 and iovalkey: one server (also found through Sentinel), or a cluster. */
export class IoredisClient extends BaseClient {
  readonly kind = 'ioredis';
  override readonly isCluster: boolean;

  constructor(raw: Native, owned: boolean) {
    super(raw, owned);
    this.isCluster = isIoredisCluster(raw);
    this.listen('error', (error) => this.emitError(error));
    this.listen('ready', () => void this.becameReady());
    this.listen('end', () => this.checkEnd());
    this.listen('message', (channel, message) => this.emitMessage(channel, message));
    if (this.isReady) void this.becameReady();
    // With lazyConnect the first command would connect, and none is sent before the client is ready.
    else if (raw.status === 'wait') raw.connect?.().catch(() => {}); // It is told by the error event.
  }

  get keyPrefix(): string {
    return this.raw.options?.keyPrefix ?? '';
  }

  get isReady(): boolean {
    return this.raw.status === 'ready';
  }

  override async nodes(): Promise<RedisNode[]> {
    if (!this.isCluster) return [this];
    return this.raw.nodes('master').map((node: Native) => ({
      call: async (command: string, args: readonly Arg[]) => {
        try {
          return await node.call(command, [...args]);
        } catch (cause) {
          throw callError(cause);
        }
      },
    }));
  }

  /** The client itself finds the keys among the arguments of the commands it knows, by their names in lower case. */
  protected send(command: string, args: readonly Arg[]): Promise<unknown> {
    return this.raw.call(command.toLowerCase(), [...args]);
  }

  protected sendEval(command: string, code: string, keys: readonly string[], args: readonly Arg[]): Promise<unknown> {
    return this.raw.call(command, [code, keys.length, ...keys, ...args]);
  }

  protected async sendSubscribe(channels: string[]): Promise<unknown> {
    // Before it is "ready" ioredis asks the server for INFO, which a connection that is subscribed already may not send.
    if (this.raw.status === 'connect') await this.checked();
    return this.raw.subscribe(...channels);
  }

  protected sendUnsubscribe(channel: string): Promise<unknown> {
    return this.raw.unsubscribe(channel);
  }

  protected async shut(flush: boolean): Promise<unknown> {
    if (!flush) return this.raw.disconnect();
    return this.raw.quit();
  }

  protected hasGivenUp(): boolean {
    return this.raw.status === 'end';
  }

  /** Resolves when the connection that is being made is usable or lost for good. */
  private checked(): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        this.raw.removeListener('ready', settle);
        this.raw.removeListener('end', settle);
        resolve();
      };
      this.raw.on('ready', settle);
      this.raw.on('end', settle);
    });
  }
}

export function isIoredisCluster(raw: Native): boolean {
  return raw.isCluster === true || (typeof raw.nodes === 'function' && raw.startupNodes !== undefined);
}
