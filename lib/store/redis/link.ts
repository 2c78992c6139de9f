import type { Off, RedisClient } from './clients/client';
import type { ClientPair } from './clients/open-clients';

/**
 * The two clients of a connection, counted: several Connection objects of a process may stand on one pair. The last one
 * that is disconnected closes it.
 */
export class RedisLink {
  readonly commands: RedisClient;
  readonly subscriptions: RedisClient;
  /** Resolves when both clients are usable; rejects when one of them is closed or gives up before. */
  readonly ready: Promise<void>;

  private users = 0;
  private readonly closeListeners = new Set<() => void>();
  private closing: Promise<void> | undefined;

  constructor({ commands, subscriptions }: ClientPair) {
    this.commands = commands;
    this.subscriptions = subscriptions;
    this.ready = Promise.all([commands.ready(), subscriptions.ready()]).then(() => {});
    this.ready.catch(() => {}); // Whoever waits for it gets the rejection.
  }

  get isCluster(): boolean {
    return this.commands.isCluster;
  }

  /** Closed, or one of its clients has given up for good: nothing will ever come through it again. */
  get isDead(): boolean {
    return this.closing !== undefined || this.commands.isEnded || this.subscriptions.isEnded;
  }

  retain(): void {
    this.users++;
  }

  /** Resolves when the clients are closed, at once when others still use them. */
  release(flush: boolean): Promise<void> {
    if (--this.users > 0) return Promise.resolve();
    this.closing ??= this.close(flush);
    return this.closing;
  }

  /** Errors of either client's connection. */
  onError(listener: (error: unknown) => void): Off {
    const offs = [this.commands.onError(listener), this.subscriptions.onError(listener)];
    return () => {
      for (const off of offs) off();
    };
  }

  /** The last user has gone. Called before the clients are closed. */
  onClose(listener: () => void): Off {
    this.closeListeners.add(listener);
    return () => void this.closeListeners.delete(listener);
  }

  private async close(flush: boolean): Promise<void> {
    for (const listener of this.closeListeners) listener();
    await Promise.all([this.commands.close(flush), this.subscriptions.close(flush)]);
  }
}
