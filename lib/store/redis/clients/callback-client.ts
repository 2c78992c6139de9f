import { BaseClient, type Native } from './base-client';
import type { Arg } from './client';

/** node-redis 2 and 3, whose commands take callbacks. */
export class CallbackClient extends BaseClient {
  readonly kind = 'node-redis';

  constructor(raw: Native, owned: boolean) {
    super(raw, owned);
    this.listen('error', (error) => {
      this.emitError(error);
      this.checkEndSoon();
    });
    // It resubscribes before it says that it is ready.
    this.listen('ready', () => void this.becameReady());
    this.listen('end', () => this.checkEndSoon());
    this.listen('message', (channel, message) => this.emitMessage(String(channel), String(message)));
    if (this.isReady) void this.becameReady();
  }

  get keyPrefix(): string {
    return this.raw.options?.prefix ?? '';
  }

  get isReady(): boolean {
    return this.raw.ready === true;
  }

  protected send(command: string, args: readonly Arg[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { return_buffers: buffers } = this.raw.options ?? {};
      this.raw.send_command(command.toLowerCase(), args.map(toArg), (error: unknown, reply: unknown) => {
        if (error) reject(error);
        else resolve(buffers ? toText(reply) : reply);
      });
    });
  }

  protected sendEval(command: string, code: string, keys: readonly string[], args: readonly Arg[]): Promise<unknown> {
    return this.send(command, [code, keys.length, ...keys, ...args]);
  }

  protected sendSubscribe(channels: string[]): Promise<unknown> {
    return this.send('subscribe', channels);
  }

  protected sendUnsubscribe(channel: string): Promise<unknown> {
    return this.send('unsubscribe', [channel]);
  }

  protected async shut(flush: boolean): Promise<unknown> {
    // It says that it gave up by the "closing" flag alone, so nothing of it may be awaited after end().
    if (flush) return this.send('quit', []);
    return this.raw.end(true);
  }

  protected hasGivenUp(): boolean {
    return this.raw.closing === true;
  }

  /** The client marks itself as given up only after it has told its listeners. */
  private checkEndSoon(): void {
    void Promise.resolve().then(() => this.checkEnd());
  }
}

function toArg(arg: Arg): string | Buffer {
  return typeof arg === 'number' ? String(arg) : arg;
}

function toText(reply: unknown): unknown {
  if (Buffer.isBuffer(reply)) return reply.toString();
  return Array.isArray(reply) ? reply.map(toText) : reply;
}
