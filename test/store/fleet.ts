import type { Connection } from '../../lib/store/redis/connection';
import { limiterKeys } from '../../lib/store/redis/keys';
import { RedisStore, type RedisStoreOptions } from '../../lib/store/redis/redis-store';
import type { StoreSettings } from '../../lib/store/store';
import { eventually } from '../support/eventually';
import type { RedisFixture } from '../support/redis-fixture';
import { connect, familyNamed, openStore } from './redis-stores';
import { StoreDriver, type TestTicket } from './store-driver';

/** One client of a fleet: a limiter instance on connections of its own, as in a process of its own. */
export class FleetMember extends StoreDriver {
  private readonly finished = new Set<TestTicket>();

  constructor(
    override readonly store: RedisStore,
    readonly connection: Connection,
  ) {
    super(store);
  }

  /** Tickets that started and that were not completed yet. */
  get executing(): TestTicket[] {
    return this.startsOf()
      .map(({ ticket }) => ticket as TestTicket)
      .filter((ticket) => !this.finished.has(ticket));
  }

  async finish(...tickets: TestTicket[]): Promise<void> {
    for (const ticket of tickets) this.finished.add(ticket);
    await this.complete(...tickets);
  }

  hasFinished(ticket: TestTicket): boolean {
    return this.finished.has(ticket);
  }

  /** The process hangs: it tells nothing of itself any more, until it takes a step. */
  fallSilent(): void {
    this.store.heartbeat = () => {};
  }

  /** It sends heartbeats again. */
  speakAgain(): void {
    this.store.heartbeat = RedisStore.prototype.heartbeat;
  }

  /** The process is gone, and told nobody. */
  die(): void {
    for (const client of [this.connection.client, this.connection.subscriber]) client.disconnect();
  }

  /** Others see that nobody listens, and messages get lost, while the process itself notices nothing. */
  async stopListening(): Promise<void> {
    await this.connection.subscriber.unsubscribe(this.processChannel);
  }

  async listenAgain(): Promise<void> {
    await this.connection.subscriber.subscribe(this.processChannel);
    this.store.onReconnect();
  }

  private get processChannel(): string {
    return `b_rebottle:${this.store.clientId.split('.')[0]}`;
  }
}

export interface FleetOptions
  extends Partial<Pick<RedisStoreOptions, 'timeout' | 'heartbeatInterval' | 'clientTimeout' | 'clear'>> {
  library?: string;
}

/** Clients that share one limiter. Keys may stay behind: settings do, as with Bottleneck. */
export class Fleet {
  readonly members: FleetMember[] = [];

  constructor(
    private readonly redis: RedisFixture,
    private readonly settings: Partial<StoreSettings> = {},
    private readonly options: FleetOptions = {},
    readonly id = redis.id(),
  ) {
    redis.allowKeys(/./);
  }

  get keys(): string[] {
    return limiterKeys(this.id, { cluster: false });
  }

  async join(settings = this.settings): Promise<FleetMember> {
    const { library = 'ioredis 6', ...options } = this.options;
    const connection = connect(familyNamed(library), this.redis.server.port);
    const member = new FleetMember(openStore(connection, { id: this.id, settings, ...options }), connection);
    this.members.push(member);
    await member.store.ready;
    return member;
  }

  async joinAll<N extends number>(count: N): Promise<FleetMember[] & { length: N }> {
    const members: FleetMember[] = [];
    for (let i = 0; i < count; i++) members.push(await this.join());
    return members as FleetMember[] & { length: N };
  }

  /** Completes whatever starts until these tickets have all ended, and waits until nothing is left. */
  async drain(tickets: readonly TestTicket[], within = 5000): Promise<void> {
    const left = new Set(tickets);
    const isEmpty = async () => {
      for (const member of this.members) {
        const { executing } = member;
        if (executing.length > 0) await member.finish(...executing);
        for (const ticket of executing) left.delete(ticket);
      }
      return left.size === 0;
    };
    await eventually(isEmpty, {
      within,
      that: `the end of every ticket (of ${tickets.map(({ name }) => name).join(', ')})`,
    });
    const isIdle = async () => {
      const { running, queued, delayed } = await this.members[0]!.store.inspect();
      return running === 0 && queued === 0 && delayed === 0;
    };
    await eventually(isIdle, { within, that: 'an empty limiter' });
  }

  async end(): Promise<void> {
    await Promise.all(this.members.map((member) => member.end()));
  }
}

/** Names of the tickets that started, over all members, as often as they did. */
export function startedNames(members: readonly FleetMember[]): string[] {
  return members.flatMap((member) => member.startsOf().map(({ ticket }) => (ticket as TestTicket).name)).sort();
}
