import { startTimer, type Timer } from '../clock';
import type { RedisClient } from '../store/redis/clients/client';
import { scripts } from '../store/redis/scripts';
import type { LivePool } from './types';

export type PoolInfo = Omit<LivePool, 'poolId' | 'lastHeartbeat' | 'silentFor'>;

/** One key for the whole server: the pools of all its limiters. */
const POOLS_KEY = 'b_rebottle_pools';

export interface RegistryOptions {
  commands: RedisClient;
  poolId: string;
  visibilityTimeoutMs: number;
  heartbeatIntervalMs: number;
  info: () => PoolInfo;
  /** Pools were found dead: what they had is to be looked for. Comes once for each. */
  onDead: (poolIds: string[]) => void;
  onError: (error: unknown) => void;
}

/** Tells the fleet that this pool lives, and notices when another dies. */
export class PoolRegistry {
  private timer: Timer | null = null;
  private readonly knownDead = new Set<string>();
  private stopped = false;

  constructor(private readonly options: RegistryOptions) {}

  /** Resolves when the pool is registered. Rejects when that fails. */
  async start(): Promise<void> {
    const { dead } = await this.beat();
    // What died before this pool was made is not news to it.
    for (const id of dead) this.knownDead.add(id);
    this.schedule();
  }

  async live(): Promise<LivePool[]> {
    const { now, live } = await this.run('', '');
    return live.map(({ poolId, seen, info }) => ({
      poolId,
      ...info,
      lastHeartbeat: seen,
      silentFor: Math.max(0, now - seen),
    }));
  }

  /** No sign of life any more. */
  end(): void {
    this.stopped = true;
    this.timer?.cancel();
  }

  /** Tells the fleet so. */
  async leave(): Promise<void> {
    await this.run(this.options.poolId, '');
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = startTimer(this.options.heartbeatIntervalMs, () => {
      this.schedule();
      this.beat().then((reply) => this.onBeat(reply), this.options.onError);
    });
    this.timer.unref();
  }

  private onBeat({ dead }: PoolsReply): void {
    if (!this.stopped) this.hearOfDead(dead);
    // It was on its way when the pool ended: clients send again what was not answered when a connection broke.
    else this.leave().catch(() => {}); // without Redis it counts as dead after a while
  }

  private beat(): Promise<PoolsReply> {
    return this.run(this.options.poolId, JSON.stringify(this.options.info()));
  }

  private hearOfDead(dead: string[]): void {
    const news = dead.filter((id) => !this.knownDead.has(id));
    this.knownDead.clear();
    for (const id of dead) this.knownDead.add(id);
    if (news.length > 0) this.options.onDead(news);
  }

  private async run(pool: string, info: string): Promise<PoolsReply> {
    const args = [pool, info, this.options.visibilityTimeoutMs, ''];
    return parsePools(await this.options.commands.evalScript(scripts.pools, [POOLS_KEY], args));
  }
}

interface PoolsReply {
  now: number;
  dead: string[];
  live: { poolId: string; seen: number; info: PoolInfo }[];
}

function parsePools(reply: unknown): PoolsReply {
  const [now, dead, values] = reply as [unknown, unknown[], unknown[]];
  const live: PoolsReply['live'] = [];
  for (let i = 0; i < values.length; i += 3) {
    live.push({ poolId: String(values[i]), seen: Number(values[i + 1]), info: JSON.parse(String(values[i + 2])) });
  }
  return { now: Number(now), dead: dead.map(String), live };
}
