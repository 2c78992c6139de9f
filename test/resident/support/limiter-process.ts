/** Another process of the fleet: a pool and a limiter, driven by messages of the test. */
import { DistributedLimiter, RebottleError, WorkerPool } from '../../../lib/resident';
import { hold } from './hold';

const settings = JSON.parse(process.argv[2]!);
const holds = new Map<string, ReturnType<typeof hold>>();

function tell(type: string, more: Record<string, unknown> = {}): void {
  if (process.connected) process.send!({ type, ...more });
}

function outcomeOf(error: unknown): string {
  return error instanceof RebottleError ? error.code : String(error);
}

async function main(): Promise<void> {
  const pool = await WorkerPool.create(settings.pool);
  const limiter = new DistributedLimiter(settings.limiter);
  await limiter.ready();
  limiter.on('orphaned', (job) => tell('orphaned', { job }));
  limiter.on('error', (error) => tell('error', { error: String(error) }));

  const holdJob = async (id: string, options: object): Promise<void> => {
    const job = hold();
    holds.set(id, job);
    const scheduled = limiter.schedule(
      ({ signal, attempt }) => {
        signal.addEventListener('abort', () => tell(`aborted ${id}`));
        tell(`started ${id}`, { attempt });
        return job.fn();
      },
      { id, ...options },
    );
    scheduled.then(
      () => tell(`settled ${id}`, { outcome: 'fulfilled' }),
      (error) => tell(`settled ${id}`, { outcome: outcomeOf(error) }),
    );
    await limiter.getStats();
    tell(`taken ${id}`);
  };

  process.on(
    'message',
    async (message: { type: string; id: string; options: object; method: string; args: unknown[]; call: string }) => {
      if (message.type === 'hold') await holdJob(message.id, message.options);
      else if (message.type === 'release') holds.get(message.id)?.release(undefined);
      else if (message.type === 'call') {
        const target = message.method in limiter ? limiter : pool;
        const method = (target as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[message.method]!;
        const value = await method.apply(target, message.args).catch(outcomeOf);
        tell(`answer ${message.call}`, { value: value ?? null });
      }
    },
  );
  process.once('disconnect', () => process.exit());
  tell('ready', { poolId: pool.poolId });
}

void main();
