import { closedError, type RedisCallError } from './call-error';

/** How a client sends its two commands; they reject with {@link RedisCallError}. */
export interface ChannelCommands {
  subscribe(channels: string[]): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
}

interface Channel {
  users: number;
  /** Set while the subscription is asked for or in force; a lost connection leaves it as it is. */
  subscribed: Promise<void> | undefined;
  /** Settle `subscribed` when it waits for the connection to come back. */
  waiting: { resolve(): void; reject(error: unknown): void } | undefined;
}

/** How many channels go into one command when all are subscribed again. */
const RESTORE_BATCH = 500;

/** The channels that a client should be subscribed to, whatever happens to its connection. */
export class Channels {
  private readonly channels = new Map<string, Channel>();
  private closed = false;

  constructor(private readonly commands: ChannelCommands) {}

  get size(): number {
    return this.channels.size;
  }

  has(name: string): boolean {
    return this.channels.has(name);
  }

  /** How many want to listen to a channel. */
  usersOf(name: string): number {
    return this.channels.get(name)?.users ?? 0;
  }

  async add(name: string): Promise<void> {
    if (this.closed) throw closedError();
    const channel = this.channels.get(name) ?? { users: 0, subscribed: undefined, waiting: undefined };
    this.channels.set(name, channel);
    channel.users++;
    channel.subscribed ??= this.request(name, channel);
    try {
      await channel.subscribed;
    } catch (error) {
      channel.users--;
      channel.subscribed = undefined;
      if (channel.users <= 0 && this.channels.get(name) === channel) this.channels.delete(name);
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    const channel = this.channels.get(name);
    if (channel === undefined || --channel.users > 0) return;
    this.channels.delete(name);
    channel.waiting?.resolve();
    if (this.closed) return;
    try {
      await this.commands.unsubscribe(name);
    } catch (error) {
      // The connection took the subscription with it.
      if ((error as RedisCallError).kind !== 'connection') throw error;
    }
  }

  /** Subscribes everything again. Rejects when the connection was lost meanwhile; then it is called again. */
  async restore(): Promise<void> {
    const names = [...this.channels.keys()];
    for (let i = 0; i < names.length; i += RESTORE_BATCH) {
      const batch = names.slice(i, i + RESTORE_BATCH);
      await this.commands.subscribe(batch);
      for (const name of batch) this.channels.get(name)?.waiting?.resolve();
    }
  }

  close(): void {
    this.closed = true;
    for (const { waiting } of this.channels.values()) waiting?.reject(closedError());
  }

  private async request(name: string, channel: Channel): Promise<void> {
    try {
      await this.commands.subscribe([name]);
    } catch (error) {
      if ((error as RedisCallError).kind !== 'connection' || this.closed) throw error;
      await new Promise<void>((resolve, reject) => {
        channel.waiting = { resolve, reject };
      });
      channel.waiting = undefined;
    }
  }
}
