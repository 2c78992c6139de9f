import { expect } from 'chai';
import { nextEvent, recordEvents } from '../support/events';
import { eventually } from '../support/eventually';
import { useResident } from './support/fixture';
import { failure, hold, rejection } from './support/hold';

describe('retries of a DistributedLimiter', () => {
  const fixture = useResident();

  /** Fails as often as told, then succeeds. */
  function flaky(failures: number) {
    let calls = 0;
    return () => (calls++ < failures ? Promise.reject(failure(`failure ${calls}`)) : Promise.resolve(calls));
  }

  it('happen up to maxRetries, by default three', async () => {
    const limiter = await fixture.limiter({ backoff: { initialMs: 1 } });
    expect(await limiter.schedule(flaky(3))).to.equal(4);
    const error = await rejection(limiter.schedule(flaky(9), { id: 'hopeless' }));
    expect(error).to.include({ code: 'JOB_MAX_RETRIES', jobId: 'hopeless', attempts: 4 });
    expect((error.cause as Error).message).to.equal('failure 4');
    expect(error.message).to.equal('The job "hopeless" failed after 4 attempts: failure 4');
  });

  it('are bounded for a job alone too', async () => {
    const limiter = await fixture.limiter({ backoff: { initialMs: 1 }, maxRetries: 0 });
    expect(await rejection(limiter.schedule(flaky(9)))).to.include({ code: 'JOB_MAX_RETRIES', attempts: 1 });
    expect(await rejection(limiter.schedule(flaky(9), { maxRetries: 1 }))).to.include({ attempts: 2 });
    expect(await limiter.schedule(flaky(5), { maxRetries: 5 })).to.equal(6);
  });

  it('can be switched off: then the first error itself comes back', async () => {
    const limiter = await fixture.limiter({ retryOnFailure: false });
    const mine = failure();
    expect(await rejection(limiter.schedule(() => Promise.reject(mine)))).to.equal(mine);
    const thrown = await rejection(
      limiter.schedule(() => {
        throw mine;
      }),
    );
    expect(thrown).to.equal(mine);
  });

  it('wait 1, 2, 4, 8 s and so on, at most 30 s, unless told otherwise', async () => {
    const limiter = await fixture.limiter();
    const first = nextEvent(limiter, 'retry');
    const job = limiter.schedule(flaky(1), { id: 'job' });
    expect((await first)[0]).to.include({ delay: 1000, attempt: 2 });
    // The event comes before Redis is told.
    const waiting = await eventually(async () => {
      const found = await limiter.getJob('job');
      return found?.state === 'delayed' ? found : undefined;
    });
    expect(waiting.attempt).to.equal(2);
    const [seconds, microseconds] = (await fixture.redis.admin.time()).map(Number);
    expect(waiting.dueAt! - (seconds! * 1000 + microseconds! / 1000)).to.be.within(500, 1000);
    await limiter.cancel('job');
    await rejection(job);
  });

  it('wait as a function says, which may also end them', async () => {
    const seen: [number, string][] = [];
    const backoff = (attempt: number, error: unknown): number | null => {
      seen.push([attempt, (error as Error).message]);
      return attempt < 3 ? attempt : null;
    };
    const limiter = await fixture.limiter({ backoff, maxRetries: 10 });
    const events = recordEvents(limiter, ['retry']);
    expect((await rejection(limiter.schedule(flaky(9)))).message).to.equal('failure 3');
    expect(seen).to.deep.equal([
      [1, 'failure 1'],
      [2, 'failure 2'],
      [3, 'failure 3'],
    ]);
    expect(events.map(({ args }) => (args[0] as { delay: number }).delay)).to.deep.equal([1, 2]);
  });

  it('tell when that function itself fails', async () => {
    const limiter = await fixture.limiter({
      backoff: () => {
        throw failure('in backoff');
      },
    });
    const heard = nextEvent(limiter, 'error');
    expect((await rejection(limiter.schedule(flaky(1)))).message).to.equal('failure 1');
    expect(((await heard)[0] as Error).message).to.equal('in backoff');
  });

  it('hold no slot while they wait', async () => {
    const limiter = await fixture.limiter({ maxConcurrent: 1, backoff: { initialMs: 300 } });
    const retried = nextEvent(limiter, 'retry');
    const order: string[] = [];
    const failing = limiter.schedule(({ attempt }) => {
      order.push(`attempt ${attempt}`);
      return attempt === 1 ? Promise.reject(failure()) : undefined;
    });
    await retried;
    await Promise.all(Array.from({ length: 5 }, (_, i) => limiter.schedule(() => void order.push(`other ${i}`))));
    expect(order).to.deep.equal(['attempt 1', 'other 0', 'other 1', 'other 2', 'other 3', 'other 4']);
    await failing;
    expect(order.at(-1)).to.equal('attempt 2');
  });

  it('obey the limits as other starts do', async () => {
    const limiter = await fixture.limiter({ maxConcurrent: null, minTime: 80, backoff: { initialMs: 1 } });
    const starts: number[] = [];
    await limiter.schedule(({ attempt }) => {
      starts.push(performance.now());
      return attempt < 3 ? Promise.reject(failure()) : undefined;
    });
    expect(starts[1]! - starts[0]!).to.be.at.least(75);
    expect(starts[2]! - starts[1]!).to.be.at.least(75);
  });

  it('keep the priority of the job', async () => {
    const limiter = await fixture.limiter({ backoff: { initialMs: 20 } });
    const order: string[] = [];
    const retried = nextEvent(limiter, 'retry');
    const blocker = hold();
    const jobs: Promise<unknown>[] = [
      limiter.schedule(({ attempt }) => (attempt === 1 ? Promise.reject(failure()) : void order.push('retry')), {
        priority: 1,
        id: 'retried',
      }),
    ];
    await retried;
    jobs.push(limiter.schedule(blocker.fn));
    await blocker.started;
    jobs.push(limiter.schedule(() => void order.push('other'), { priority: 2 }));
    await eventually(async () => (await limiter.position('retried')) === 0);
    blocker.release();
    await Promise.all(jobs);
    expect(order).to.deep.equal(['retry', 'other']);
  });

  it('are dropped with their pool', async () => {
    const limiter = await fixture.limiter({ backoff: { initialMs: 60_000, maxMs: 60_000 } });
    const retried = nextEvent(limiter, 'retry');
    const job = limiter.schedule(flaky(1), { id: 'retried' });
    await retried;
    const stopped = limiter.pool.stop();
    expect(await rejection(job)).to.include({ code: 'JOB_ORPHANED', jobId: 'retried' });
    await stopped;
    expect((await fixture.redis.admin.keys('*')).filter((key) => !key.endsWith('_settings'))).to.deep.equal([]);
  });
});
