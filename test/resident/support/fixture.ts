import {
  DistributedLimiter,
  type DistributedLimiterOptions,
  type OrphanedJob,
  WorkerPool,
  type WorkerPoolOptions,
} from '../../../lib/resident';
import { failOnLeaks } from '../../support/leaks';
import { type RedisFixture, useRedis } from '../../support/redis-fixture';
import { WorkerProcess } from '../../support/worker-process';

/** ms of silence after which a process counts as dead in these tests. */
export const VISIBILITY = 600;

export interface ResidentFixture {
  readonly redis: RedisFixture;
  /** A pool of this test, stopped after it. */
  pool(options?: Partial<WorkerPoolOptions>): Promise<WorkerPool>;
  /** A limiter of this test on the given pool, or on one that is made for it. */
  limiter(options?: Partial<DistributedLimiterOptions>): Promise<DistributedLimiter>;
  /** Another process with a pool and a limiter, killed after the test. */
  process(options: RemoteOptions): Promise<RemoteLimiter>;
}

export interface RemoteOptions {
  limiter: Record<string, unknown> & { id: string };
  pool?: Record<string, unknown>;
}

/** A limiter in another process. */
export class RemoteLimiter {
  /** Jobs that it was told of as orphaned. */
  readonly orphaned: OrphanedJob[] = [];

  constructor(
    readonly worker: WorkerProcess,
    readonly poolId: string,
  ) {
    worker.onMessage(({ type, job }) => {
      if (type === 'orphaned') this.orphaned.push(job as OrphanedJob);
    });
  }

  /** Schedules a job there that runs until `release`. Resolves when the limiter has taken it. */
  async hold(id: string, options: Record<string, unknown> = {}): Promise<void> {
    this.worker.send({ type: 'hold', id, options });
    await this.worker.waitFor(`taken ${id}`);
  }

  release(id: string): void {
    this.worker.send({ type: 'release', id });
  }

  async started(id: string): Promise<void> {
    await this.worker.waitFor(`started ${id}`);
  }

  hasStarted(id: string): boolean {
    return this.worker.messages.some(({ type }) => type === `started ${id}`);
  }

  /** `fulfilled`, or the code of the error. */
  async settled(id: string): Promise<string> {
    return (await this.worker.waitFor(`settled ${id}`)).outcome as string;
  }

  /** Calls a method of the limiter there. */
  async call(method: string, ...args: unknown[]): Promise<unknown> {
    const call = `${method} ${calls++}`;
    this.worker.send({ type: 'call', method, args, call });
    return (await this.worker.waitFor(`answer ${call}`)).value;
  }
}

let calls = 0;

/** In a `describe`: pools, limiters and processes on a private Redis, all gone after each test. */
export function useResident(): ResidentFixture {
  const redis = useRedis();
  failOnLeaks();
  let pools: WorkerPool[] = [];
  let workers: WorkerProcess[] = [];

  beforeEach('what a limiter leaves without a ttl, as with Bottleneck', () => redis.allowKeys(/^b_.*_settings$/));

  afterEach('end pools and processes', async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await Promise.all(pools.map((pool) => pool.stop({ deadlineMs: 0 })));
    pools = [];
    workers = [];
    // Killed processes leave what only the next living one would find.
    await redis.admin.flushall();
  });

  const pool = async (options: Partial<WorkerPoolOptions> = {}): Promise<WorkerPool> => {
    const { host, port } = redis.server;
    const name = `pool ${pools.length} of ${redis.prefix}`;
    const made = await WorkerPool.create({ redis: { host, port }, name, visibilityTimeoutMs: VISIBILITY, ...options });
    if (!pools.includes(made)) pools.push(made);
    return made;
  };

  return {
    redis,
    pool,
    limiter: async (options = {}) =>
      new DistributedLimiter({ id: redis.id(), ...options, pool: options.pool ?? (await pool()) }),
    process: async ({ limiter, pool: poolOptions = {} }) => {
      const { host, port } = redis.server;
      const settings = { limiter, pool: { redis: { host, port }, visibilityTimeoutMs: VISIBILITY, ...poolOptions } };
      const worker = new WorkerProcess(require.resolve('./limiter-process.ts'), { args: [JSON.stringify(settings)] });
      workers.push(worker);
      const { poolId } = await worker.waitFor('ready');
      return new RemoteLimiter(worker, poolId as string);
    },
  };
}
