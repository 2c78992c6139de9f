import type { RedisClient, Script } from '../../../lib/store/redis/clients/client';
import type { Connection } from '../../../lib/store/redis/connection';
import { type ScriptName, scripts } from '../../../lib/store/redis/scripts';

export interface ScriptCall {
  name: ScriptName;
  args: unknown[];
  answer(reply: unknown): void;
  fail(error: unknown): void;
}

/** A connection on which a test sees each call of a script and answers it when it likes. */
export class FakeConnection {
  readonly calls: ScriptCall[] = [];
  readonly subscribed: string[] = [];
  limiters: Record<string, unknown> = {};
  ready = Promise.resolve({});
  /** The next so many calls of `subscribe` are refused. */
  refusals = 0;
  private readonly listeners = {
    message: new Set<(channel: string, text: string) => void>(),
    ready: new Set<() => void>(),
  };
  private waiting: (() => void) | null = null;

  get commands() {
    return this.link.commands;
  }

  get subscriptions() {
    return this.link.subscriptions;
  }

  readonly link = {
    isCluster: false,
    commands: {
      isReady: true,
      ready: async () => {},
      onReady: () => () => {},
      onEnd: () => () => {},
      evalScript: ({ sha }: Script, _keys: unknown, args: unknown[]) => this.call(sha, args),
      call: async () => 1,
      publish: async () => 1,
    } as unknown as RedisClient,
    subscriptions: {
      isReady: true,
      onMessage: (listener: (channel: string, text: string) => void) => this.listeners.message.add(listener),
      onReady: (listener: () => void) => this.listeners.ready.add(listener),
      onEnd: () => () => {},
      subscribe: (channel: string) => this.subscribe(channel),
      listenersOn: (channel: string) => this.subscribed.filter((one) => one === channel).length,
      unsubscribe: async (channel: string) => void this.subscribed.splice(this.subscribed.indexOf(channel), 1),
    } as unknown as RedisClient,
  };

  onDisconnect(): () => void {
    return () => {};
  }

  asConnection(): Connection {
    return this as unknown as Connection;
  }

  /** The next call of a script, which may still be to come. */
  async next(name: ScriptName): Promise<ScriptCall> {
    while (this.calls.length === 0) await new Promise<void>((resolve) => (this.waiting = resolve));
    const call = this.calls.shift()!;
    if (call.name !== name) throw new Error(`${name} was expected to be called, and it was ${call.name}`);
    return call;
  }

  /** What comes on a channel. */
  hear(channel: string, text: string): void {
    for (const listener of this.listeners.message) listener(channel, text);
  }

  /** The subscriptions were lost and are back. */
  reconnect(): void {
    for (const listener of this.listeners.ready) listener();
  }

  private call(sha: string, args: unknown[]): Promise<unknown> {
    const name = (Object.keys(scripts) as ScriptName[]).find((one) => scripts[one].sha === sha)!;
    return new Promise((answer, fail) => {
      this.calls.push({ name, args, answer, fail });
      this.waiting?.();
    });
  }

  private async subscribe(channel: string): Promise<void> {
    if (this.refusals-- > 0) throw new Error('LOADING Redis is loading the dataset in memory');
    this.subscribed.push(channel);
  }
}
