// The engine's own API: from the root and from its own entry, with typed events, results and errors.
import Bottleneck, {
  DistributedLimiter,
  JobMaxRetriesError,
  LimiterManager,
  RebottleError,
  WorkerPool,
} from 'rebottle';
import type { DistributedLimiterOptions, JobContext, JobInfo, OrphanedJob, ScheduleOptions } from 'rebottle';
import * as resident from 'rebottle/resident';

const sameClass: typeof resident.WorkerPool = WorkerPool;
const onTheClass: typeof Bottleneck.DistributedLimiter = DistributedLimiter;

export async function use(): Promise<void> {
  const pool: WorkerPool = await WorkerPool.create({ redis: { host: '127.0.0.1', tls: {} }, workers: 8 });
  const options: DistributedLimiterOptions = { id: 'x', maxConcurrent: null, window: { max: 1, duration: 1000 } };
  const limiter = new DistributedLimiter({ ...options, pool, backoff: (attempt: number) => (attempt < 3 ? 10 : null) });

  const text: string = await limiter.schedule(async (context: JobContext) => context.id);
  const count: number = await limiter.schedule(
    { priority: 99, scheduleAt: new Date(), data: { any: 'thing' } },
    () => 1,
  );
  const job: ScheduleOptions = { delay: 5, signal: null };
  // @ts-expect-error: an id is a text
  limiter.schedule(() => 1, { id: 7 });
  // @ts-expect-error: no such option
  limiter.schedule(() => 1, { prio: 7 });

  limiter.on('retry', ({ id, attempt, delay }) => [id.length, attempt + delay]);
  limiter.on('orphaned', (orphan: OrphanedJob) => orphan.reportedHere && orphan.limiterId.length);
  limiter.once('drained', () => {}).off('error', (error: unknown) => error);
  // @ts-expect-error: no such event
  limiter.on('finished', () => {});

  const jobs: JobInfo[] = await limiter.getJobs('ready', { limit: 5 });
  const place: number | null = await limiter.position('id');
  const { ready, local } = await limiter.getStats();
  const cancelled: boolean = await limiter.cancel('id');
  const { heldBy, earliestStart, holds } = await limiter.explain('id');
  const why: string = `${heldBy} ${earliestStart ?? 'for ever'} ${holds.map(({ by, until }) => `${by} ${until}`)}`;
  await limiter.updateSettings({ minTime: 10, bucket: null });
  await limiter.stop({ waiting: 'run', deadlineMs: 10 });

  const manager = new LimiterManager({ pool });
  await manager.registerFeatureConfig('mail', { maxConcurrent: 2, ttl: 1000 });
  const sent: boolean = await manager.getLimiter('scope', 'mail').schedule(async (to: string) => to !== '', 'ann');
  const timed: number = await manager
    .getLimiter('scope', 'mail')
    .schedule({ timeout: 5 }, (a: number, b: number) => a + b, 1, 2);
  // @ts-expect-error: the argument has to fit
  manager.getLimiter('scope', 'mail').schedule(async (to: string) => to, 5);

  const isOurs = (error: unknown): error is RebottleError => error instanceof RebottleError;
  const attempts = (error: JobMaxRetriesError): number => error.attempts + error.code.length + error.jobId.length;
  const [first] = await pool.live();
  console.log(
    text,
    count,
    job,
    jobs,
    why,
    place,
    ready + local.pending,
    cancelled,
    sent,
    timed,
    isOurs,
    attempts,
    first?.poolId,
  );
}

declare const console: { log(...values: unknown[]): void };
export { onTheClass, sameClass };
