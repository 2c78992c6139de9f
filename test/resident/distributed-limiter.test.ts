import { expect } from 'chai';
import { BottleneckError } from '../../lib/errors';
import Bottleneck from '../../lib/index';
import {
  DistributedLimiter,
  type DistributedLimiterOptions,
  RebottleError,
  type ScheduleOptions,
} from '../../lib/resident';
import { nextEvent, recordEvents } from '../support/events';
import { eventually } from '../support/eventually';
import { useResident } from './support/fixture';
import { failure, hold, rejection } from './support/hold';

describe('DistributedLimiter', () => {
  const fixture = useResident();

  describe('schedule', () => {
    it('takes a function and options in either order, and gives the context to the function', async () => {
      const limiter = await fixture.limiter();
      const context = await limiter.schedule((given) => given, { id: 'one', priority: 42 });
      expect(context).to.include({ id: 'one', attempt: 1, priority: 42 });
      expect(context.signal.aborted).to.equal(false);
      expect(await limiter.schedule({ id: 'two' }, ({ id }) => id)).to.equal('two');
      expect(await limiter.schedule(() => 'plain')).to.equal('plain');
    });

    it('says what is wrong with a job', async () => {
      const limiter = await fixture.limiter();
      const wrong: [object, string][] = [
        [{ priority: 100 }, 'Invalid priority: expected an integer from 0 to 99, got 100'],
        [{ priority: '1' }, 'Invalid priority: expected an integer from 0 to 99, got "1"'],
        [{ weight: -1 }, 'Invalid weight: expected a number of 0 or more, got -1'],
        [{ expiration: 0 }, 'Invalid expiration: expected a number above 0, got 0'],
        [{ delay: -5 }, 'Invalid delay: expected a number of ms, 0 or more, got -5'],
        [{ scheduleAt: 'tomorrow' }, 'Invalid scheduleAt: expected a date, or ms since 1970, got "tomorrow"'],
        [{ scheduleAt: new Date(Number.NaN) }, 'got the date Invalid Date'],
        [{ delay: 5, scheduleAt: 5 }, 'Invalid delay: expected nothing beside scheduleAt, got 5'],
        [{ maxRetries: 1.5 }, 'Invalid maxRetries: expected an integer of 0 or more, got 1.5'],
        [{ signal: {} }, 'Invalid signal: expected an AbortSignal, got an object'],
        [{ data: 1n }, 'Invalid data: expected anything that JSON can hold, got 1'],
        [{ data: 'x'.repeat(70_000) }, 'Invalid data: expected JSON of at most 65536 characters'],
        [{ prio: 1 }, 'Invalid job options: expected only id, priority, weight'],
      ];
      for (const [options, message] of wrong) {
        const error = await rejection(limiter.schedule(() => {}, options as ScheduleOptions));
        expect(error).to.be.instanceOf(RebottleError).and.include({ code: 'INVALID_OPTION' });
        expect(error.message).to.contain(message);
      }
      expect((await rejection(limiter.schedule({} as never))).message).to.equal(
        'Invalid job: expected a function, got undefined',
      );
    });

    it('starts by priority, 0 to 99, then arrival', async () => {
      const limiter = await fixture.limiter();
      const first = hold();
      const order: number[] = [];
      const jobs = [limiter.schedule(first.fn)];
      await first.started;
      for (const priority of [99, 10, 5, 50, 10, 0])
        jobs.push(limiter.schedule(() => void order.push(priority), { priority }));
      await limiter.getStats();
      first.release();
      await Promise.all(jobs);
      expect(order).to.deep.equal([0, 5, 10, 10, 50, 99]);
    });

    it('obeys priority with minTime alone: jobs leave the queue only when they may start', async () => {
      const limiter = await fixture.limiter({ maxConcurrent: null, minTime: 60 });
      const order: string[] = [];
      const jobs = ['a', 'b', 'c'].map((name) => limiter.schedule(() => void order.push(name), { priority: 9 }));
      await limiter.getStats();
      jobs.push(limiter.schedule(() => void order.push('important'), { priority: 0 }));
      await Promise.all(jobs);
      expect(order).to.deep.equal(['a', 'important', 'b', 'c']);
    });

    it('counts weights, and refuses a job that could never start', async () => {
      const limiter = await fixture.limiter({ maxConcurrent: 3, weight: 2 });
      const [a, b] = [hold(), hold()];
      const jobs = [limiter.schedule(a.fn), limiter.schedule(b.fn)];
      await a.started;
      expect(await limiter.getStats()).to.deep.include({ running: 1, runningWeight: 2, ready: 1 });
      const error = await rejection(limiter.schedule(() => {}, { weight: 4, id: 'heavy' }));
      expect(error).to.include({ code: 'JOB_OVERWEIGHT', jobId: 'heavy' });
      a.release();
      b.release();
      await Promise.all(jobs);
    });

    it('refuses an id that waits or runs, and takes it again afterwards', async () => {
      const limiter = await fixture.limiter();
      const other = new DistributedLimiter({ id: limiter.id, pool: limiter.pool });
      const job = hold();
      const first = limiter.schedule(job.fn, { id: 'same' });
      await job.started;
      expect(await rejection(limiter.schedule(() => {}, { id: 'same' }))).to.include({
        code: 'JOB_DUPLICATE',
        jobId: 'same',
      });
      expect(await rejection(other.schedule(() => {}, { id: 'same' }))).to.include({
        code: 'JOB_DUPLICATE',
        jobId: 'same',
      });
      job.release();
      await first;
      expect(await other.schedule(() => 'again', { id: 'same' })).to.equal('again');
    });

    it('takes ids and data of any text', async () => {
      const limiter = await fixture.limiter();
      const texts = ['a:b', 'ünïcödé ✓', 'new\nline', '{"json":1}', ' ', '%d', '[]*?'];
      for (const text of texts) {
        const job = hold();
        const done = limiter.schedule(job.fn, { id: text, data: { text } });
        await job.started;
        expect(await limiter.getJob(text)).to.deep.include({ id: text, data: { text }, state: 'executing' });
        job.release();
        await done;
      }
    });

    it('drops what is above highWater', async () => {
      const limiter = await fixture.limiter({ highWater: 1, strategy: 'overflow' });
      const job = hold();
      const jobs = [limiter.schedule(job.fn)];
      await job.started;
      jobs.push(limiter.schedule(() => {}));
      const error = await rejection(limiter.schedule(() => {}, { id: 'over' }));
      expect(error).to.include({ code: 'JOB_DROPPED', jobId: 'over', reason: 'high water' });
      expect(await limiter.getJob('over')).to.equal(null);
      job.release();
      await Promise.all(jobs);
    });
  });

  describe('delay and scheduleAt', () => {
    it('waits in the delayed queue, and joins the queue at its priority when it is due', async () => {
      const limiter = await fixture.limiter();
      const first = hold();
      const order: string[] = [];
      const jobs = [limiter.schedule(first.fn)];
      await first.started;
      jobs.push(limiter.schedule(() => void order.push('waiting'), { priority: 5 }));
      jobs.push(limiter.schedule(() => void order.push('delayed'), { priority: 1, delay: 80, id: 'delayed' }));
      expect(await limiter.getStats()).to.deep.include({ ready: 1, delayed: 1 });
      expect(await limiter.position('delayed')).to.equal(null);
      await eventually(async () => (await limiter.position('delayed')) === 0);
      expect(await limiter.getStats()).to.deep.include({ ready: 2, delayed: 0 });
      first.release();
      await Promise.all(jobs);
      expect(order).to.deep.equal(['delayed', 'waiting']);
    });

    it('begins no delayed job early', async () => {
      const limiter = await fixture.limiter({ maxConcurrent: null });
      const before = performance.now();
      const waits = await Promise.all(
        [0, 30, 90, 60].map((delay) => limiter.schedule(() => performance.now() - before, { delay })),
      );
      for (const [i, delay] of [0, 30, 90, 60].entries()) expect(waits[i]).to.be.at.least(delay - 1);
    });

    it('judges scheduleAt by the clock of the server', async () => {
      const limiter = await fixture.limiter();
      const realNow = Date.now;
      const before = performance.now();
      const [seconds, microseconds] = (await fixture.redis.admin.time()).map(Number);
      const serverNow = seconds! * 1000 + microseconds! / 1000;
      // This process is an hour ahead.
      Date.now = () => realNow() + 3_600_000;
      try {
        // By its own clock it would begin at once.
        await limiter.schedule(() => {}, { scheduleAt: new Date(serverNow + 250) });
        expect(performance.now() - before).to.be.at.least(249);
      } finally {
        Date.now = realNow;
      }
    });

    it('takes a date that has passed as now', async () => {
      const limiter = await fixture.limiter();
      expect(await limiter.schedule(() => 'at once', { scheduleAt: new Date(0) })).to.equal('at once');
      expect(await limiter.schedule(() => 'at once', { scheduleAt: 1 })).to.equal('at once');
    });
  });

  describe('expiration', () => {
    it('rejects with a JobTimeoutError and aborts the signal, when there are no retries', async () => {
      const limiter = await fixture.limiter({ retryOnFailure: false });
      let signal: AbortSignal | undefined;
      const job = limiter.schedule(
        (context) => {
          signal = context.signal;
          return new Promise(() => {});
        },
        { expiration: 40, id: 'slow' },
      );
      expect(await rejection(job)).to.include({ code: 'JOB_TIMEOUT', jobId: 'slow', timeout: 40 });
      expect(signal!.aborted).to.equal(true);
      expect(signal!.reason).to.include({ code: 'JOB_TIMEOUT' });
      expect(await limiter.schedule(() => 'free')).to.equal('free');
    });

    it('is a failure like others: the job is tried again', async () => {
      const limiter = await fixture.limiter({ expiration: 60, backoff: { initialMs: 1 } });
      const attempts = await limiter.schedule(({ attempt }) => (attempt === 1 ? new Promise(() => {}) : attempt));
      expect(attempts).to.equal(2);
    });
  });

  describe('signal', () => {
    it('takes a waiting job out', async () => {
      const limiter = await fixture.limiter();
      const first = hold();
      const held = limiter.schedule(first.fn);
      await first.started;
      for (const options of [{}, { delay: 60_000 }]) {
        const controller = new AbortController();
        const waiting = limiter.schedule(() => {}, { ...options, signal: controller.signal, id: 'waiting' });
        await limiter.getStats();
        const reason = failure('changed my mind');
        controller.abort(reason);
        expect(await rejection(waiting)).to.include({ code: 'JOB_CANCELLED', jobId: 'waiting', cause: reason });
        expect(await limiter.getQueueSize()).to.equal(0);
        expect(await limiter.getJob('waiting')).to.equal(null);
      }
      first.release();
      await held;
    });

    it('takes a job out that Redis has not heard of yet', async () => {
      const limiter = await fixture.limiter();
      const controller = new AbortController();
      let ran = false;
      const job = limiter.schedule(() => (ran = true), { signal: controller.signal });
      controller.abort();
      expect(await rejection(job)).to.include({ code: 'JOB_CANCELLED' });
      expect(await limiter.getStats()).to.deep.include({ ready: 0, running: 0 });
      expect(ran).to.equal(false);
    });

    it('refuses a job whose signal is aborted already', async () => {
      const limiter = await fixture.limiter();
      expect(await rejection(limiter.schedule(() => {}, { signal: AbortSignal.abort() }))).to.include({
        code: 'JOB_CANCELLED',
      });
    });

    it('reaches a running job through its context, and ends its retries', async () => {
      const limiter = await fixture.limiter();
      const controller = new AbortController();
      let attempts = 0;
      const job = limiter.schedule(
        ({ signal }) => {
          attempts++;
          return new Promise((_, reject) =>
            signal.addEventListener('abort', () => reject(failure('stopped in the middle'))),
          );
        },
        { signal: controller.signal },
      );
      await nextEvent(limiter, 'executing');
      controller.abort();
      const error = await rejection(job);
      expect(error).to.include({ code: 'JOB_CANCELLED' });
      expect((error.cause as Error).message).to.equal('stopped in the middle');
      expect(attempts).to.equal(1);
    });

    it('ends the wait for a retry', async () => {
      const limiter = await fixture.limiter({ backoff: { initialMs: 60_000, maxMs: 60_000 } });
      const controller = new AbortController();
      const retry = nextEvent(limiter, 'retry');
      const job = limiter.schedule(() => Promise.reject(failure()), { signal: controller.signal });
      await retry;
      await eventually(async () => (await limiter.getStats()).delayed === 1);
      controller.abort();
      expect(await rejection(job)).to.include({ code: 'JOB_CANCELLED' });
      expect(await limiter.getQueueSize()).to.equal(0);
    });

    it('leaves no listener on the signal', async () => {
      const limiter = await fixture.limiter();
      const { signal } = new AbortController();
      let listeners = 0;
      const counted = {
        aborted: false,
        addEventListener: (...args: Parameters<AbortSignal['addEventListener']>) => {
          listeners++;
          signal.addEventListener(...args);
        },
        removeEventListener: (...args: Parameters<AbortSignal['removeEventListener']>) => {
          listeners--;
          signal.removeEventListener(...args);
        },
      };
      await limiter.schedule(() => {}, { signal: counted as never });
      await rejection(limiter.schedule(() => Promise.reject(failure()), { signal: counted as never, maxRetries: 0 }));
      expect(listeners).to.equal(0);
    });
  });

  describe('statistics', () => {
    it('come from Redis, for all processes', async () => {
      const limiter = await fixture.limiter({ maxConcurrent: 2, reservoir: 10 });
      const jobs = [hold(), hold(), hold()];
      const scheduled = jobs.map((job) => limiter.schedule(job.fn));
      scheduled.push(limiter.schedule(() => {}, { delay: 60_000, id: 'later' }));
      await jobs[1]!.started;
      expect(await limiter.getStats()).to.deep.equal({
        ready: 1,
        delayed: 1,
        running: 2,
        runningWeight: 2,
        doneWeight: 0,
        reservoir: 8,
        local: { pending: 2, executing: 2 },
      });
      expect(await limiter.getQueueSize()).to.equal(2);
      expect(await limiter.getRunningCount()).to.equal(2);
      expect(await limiter.getReservoir()).to.equal(8);
      await limiter.cancel('later');
      await rejection(scheduled.pop()!);
      for (const job of jobs) job.release();
      await Promise.all(scheduled);
      expect(await limiter.getStats()).to.deep.include({ running: 0, doneWeight: 3, reservoir: 7 });
    });

    it('share one round trip when they are asked for at the same time', async () => {
      const limiter = await fixture.limiter();
      await limiter.ready();
      const calls = async (): Promise<number> => {
        const info = await fixture.redis.admin.info('commandstats');
        return Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0);
      };
      await limiter.getStats();
      const before = await calls();
      await Promise.all(Array.from({ length: 50 }, () => limiter.getStats()));
      expect((await calls()) - before).to.be.within(1, 3);
    });
  });

  describe('updateSettings', () => {
    it('changes limits at once, and defaults of this instance', async () => {
      const limiter = await fixture.limiter();
      const jobs = [hold(), hold(), hold()];
      const scheduled = jobs.map((job) => limiter.schedule(job.fn));
      await jobs[0]!.started;
      expect(jobs[1]!.hasStarted).to.equal(false);
      await limiter.updateSettings({ maxConcurrent: 3, priority: 77 });
      await Promise.all([jobs[1]!.started, jobs[2]!.started]);
      for (const job of jobs) job.release();
      await Promise.all(scheduled);
      expect(await limiter.schedule(({ priority }) => priority)).to.equal(77);
    });

    it('refuses what makes no sense, and what is fixed', async () => {
      const limiter = await fixture.limiter();
      expect((await rejection(limiter.updateSettings({ minTime: -1 }))).message).to.equal(
        'Invalid minTime: expected a number of 0 or more, got -1',
      );
      expect((await rejection(limiter.updateSettings({ ttl: 1 } as never))).message).to.contain('got "ttl"');
    });
  });

  describe('onConflict', () => {
    it('keeps the limits that the limiter has, and tells', async () => {
      const first = await fixture.limiter({ maxConcurrent: 1 });
      await first.ready();
      const second = new DistributedLimiter({ id: first.id, pool: first.pool, maxConcurrent: 5 });
      const [differences] = await nextEvent(second, 'conflict');
      expect(differences).to.deep.equal({ maxConcurrent: { asked: 5, stored: 1 } });
      await second.drain();
      const held = hold();
      const jobs = [first.schedule(held.fn), second.schedule(() => {})];
      await held.started;
      expect(await second.getStats()).to.deep.include({ running: 1, ready: 1 });
      held.release();
      await Promise.all(jobs);
    });

    it('changes them to its own when told so', async () => {
      const first = await fixture.limiter({ maxConcurrent: 1 });
      await first.ready();
      const second = new DistributedLimiter({
        id: first.id,
        pool: first.pool,
        maxConcurrent: 2,
        onConflict: 'overwrite',
      });
      await second.ready();
      const [a, b] = [hold(), hold()];
      const jobs = [first.schedule(a.fn), first.schedule(b.fn)];
      await Promise.all([a.started, b.started]);
      a.release();
      b.release();
      await Promise.all(jobs);
    });
  });

  describe('events', () => {
    it('tell the life of a job, in order', async () => {
      const limiter = await fixture.limiter({ backoff: { initialMs: 5 } });
      const events = recordEvents(limiter, ['executing', 'done', 'failed', 'retry', 'drained', 'error']);
      await limiter.schedule(({ attempt }) => (attempt === 1 ? Promise.reject(failure()) : 'done'), {
        id: 'job',
        priority: 7,
      });
      expect(events.map(({ name }) => name)).to.deep.equal([
        'executing',
        'failed',
        'retry',
        'executing',
        'done',
        'drained',
      ]);
      const base = { id: 'job', priority: 7, weight: 1 };
      expect(events[0]!.args[0]).to.deep.equal({ ...base, attempt: 1 });
      expect(events[1]!.args[0]).to.deep.include({ ...base, attempt: 1, willRetry: true });
      expect(events[2]!.args[0]).to.deep.include({ ...base, attempt: 2, delay: 5 });
      expect(events[4]!.args[0]).to.deep.equal({ ...base, attempt: 2 });
    });

    it('survive listeners that fail', async () => {
      const limiter = await fixture.limiter();
      limiter.on('executing', () => {
        throw failure('in a listener');
      });
      const heard = nextEvent(limiter, 'error');
      expect(await limiter.schedule(() => 'ran')).to.equal('ran');
      expect(((await heard)[0] as Error).message).to.equal('in a listener');
    });
  });

  describe('explain', () => {
    it('tells why a job is not running now: which limit, or no free worker', async () => {
      const pool = await fixture.pool({ name: 'narrow', workers: 1 });
      const limiter = new DistributedLimiter({ id: fixture.redis.id(), maxConcurrent: 2, pool, ttl: 5000 });
      const first = hold();
      const jobs = [limiter.schedule(first.fn, { id: 'first' })];
      await first.started;
      jobs.push(
        limiter.schedule(() => {}, { id: 'no-worker' }),
        limiter.schedule(() => {}, { id: 'no-slot' }),
      );
      jobs.push(limiter.schedule(() => {}, { id: 'later', delay: 60_000 }));
      await limiter.getStats();
      expect(await limiter.explain('first')).to.include({ state: 'EXECUTING', heldBy: null });
      await eventually(async () => (await limiter.explain('no-worker')).heldBy === 'workers');
      expect(await limiter.explain('no-slot')).to.include({ state: 'QUEUED', heldBy: 'maxConcurrent', ahead: 0 });
      expect((await limiter.explain('no-slot')).text).to.contain('2 of 2 are taken');
      expect(await limiter.explain('later')).to.include({ heldBy: 'delay' });
      expect(await limiter.explain('unknown')).to.include({ jobId: null });
      expect(await limiter.explain()).to.include({ jobId: 'no-slot' });
      await limiter.cancel('later');
      first.release();
      await Promise.allSettled(jobs);
      expect((await limiter.explain()).text).to.contain('Nothing waits');
      await pool.stop();
    });
  });

  describe('questions', () => {
    const questions: Record<string, (limiter: DistributedLimiter) => Promise<unknown>> = {
      getStats: (limiter) => limiter.getStats(),
      getQueueSize: (limiter) => limiter.getQueueSize(),
      getRunningCount: (limiter) => limiter.getRunningCount(),
      getReservoir: (limiter) => limiter.getReservoir(),
      updateSettings: (limiter) => limiter.updateSettings({ maxConcurrent: 2 }),
      reset: (limiter) => limiter.reset(),
      getJobs: (limiter) => limiter.getJobs('ready'),
      getJob: (limiter) => limiter.getJob('x'),
      position: (limiter) => limiter.position('x'),
      cancel: (limiter) => limiter.cancel('x'),
    };

    it('reject with a code once the limiter, its pool or its connection has ended', async () => {
      const { host, port } = fixture.redis.server;
      const connection = new Bottleneck.IORedisConnection({ clientOptions: { host, port } });
      const ended: Record<string, DistributedLimiter> = {};
      for (const code of ['LIMITER_STOPPED', 'POOL_STOPPED', 'LIMITER_DISCONNECTED']) {
        const pool = await fixture.pool({ name: code, ...(code === 'LIMITER_DISCONNECTED' && { redis: connection }) });
        pool.on('error', () => {});
        ended[code] = new DistributedLimiter({ id: fixture.redis.id(), pool, ttl: 5000 });
        await ended[code].ready();
      }
      await ended.LIMITER_STOPPED!.stop();
      await ended.POOL_STOPPED!.pool.stop();
      await connection.disconnect();
      for (const [code, limiter] of Object.entries(ended)) {
        for (const [name, ask] of Object.entries(questions)) {
          const error = await rejection(ask(limiter));
          expect(error, `${name} ${code}`).to.be.instanceOf(RebottleError).and.include({ code });
        }
      }
    });

    it('reject with a code, and the cause, when Redis refuses', async () => {
      const limiter = await fixture.limiter();
      await limiter.ready();
      const { server } = fixture.redis;
      const admin = server.client();
      await admin.call('ACL', 'SETUSER', 'default', '-eval', '-evalsha');
      try {
        const error = await rejection(limiter.getJob('x'));
        expect(error).to.be.instanceOf(RebottleError).and.include({ code: 'LIMITER_REDIS' });
        expect(error.message).to.match(/^Redis did not answer the limiter ".*": NOPERM /);
        expect(String(error.cause)).to.contain('NOPERM');
      } finally {
        await admin.call('ACL', 'SETUSER', 'default', '+@all');
        admin.disconnect();
      }
    });
  });

  describe('ending', () => {
    it('drain waits for all jobs, and gives up after its time', async () => {
      const limiter = await fixture.limiter();
      await limiter.drain();
      const job = hold();
      const done = limiter.schedule(job.fn);
      const error = await rejection(limiter.drain(30));
      expect(error).to.include({ code: 'DRAIN_TIMEOUT', remaining: 1, timeout: 30 });
      const drained = limiter.drain(5000);
      job.release();
      await drained;
      await done;
    });

    it('stop rejects what waits and what comes after', async () => {
      const limiter = await fixture.limiter();
      const job = hold<string>();
      const running = limiter.schedule(job.fn);
      await job.started;
      const waiting = limiter.schedule(() => {});
      const stopped = limiter.stop();
      expect(await rejection(waiting)).to.include({ code: 'LIMITER_STOPPED', limiterId: limiter.id });
      expect(await rejection(limiter.schedule(() => {}))).to.include({ code: 'LIMITER_STOPPED' });
      job.release('finished');
      await stopped;
      expect(await running).to.equal('finished');
      expect(limiter.stop()).to.equal(limiter.stop());
    });

    it('stop can let the waiting jobs run', async () => {
      const limiter = await fixture.limiter();
      const jobs = [1, 2, 3].map((n) => limiter.schedule(() => n));
      await limiter.stop({ waiting: 'run' });
      expect(await Promise.all(jobs)).to.deep.equal([1, 2, 3]);
    });

    it('stop takes tickets out, so that others go on', async () => {
      const limiter = await fixture.limiter();
      const other = new DistributedLimiter({ id: limiter.id, pool: limiter.pool });
      const job = hold();
      const running = limiter.schedule(job.fn);
      await job.started;
      const waiting = Array.from({ length: 20 }, () => limiter.schedule(() => {}));
      const last = other.schedule(() => 'my turn', { priority: 99 });
      await other.getStats();
      const stopped = limiter.stop();
      await Promise.all(waiting.map(rejection));
      expect(await eventually(async () => (await other.getQueueSize()) === 1)).to.equal(true);
      job.release();
      await Promise.all([stopped, running]);
      expect(await last).to.equal('my turn');
    });
  });

  describe('reset', () => {
    it('cancels what waits, fills the reservoir and forgets windows; what runs goes on', async () => {
      const limiter = await fixture.limiter({ reservoir: 2, window: { max: 2, duration: 60_000 } });
      const job = hold<string>();
      await limiter.schedule(() => {});
      const running = limiter.schedule(job.fn);
      await job.started;
      const waiting = [limiter.schedule(() => {}), limiter.schedule(() => {}, { delay: 60_000 })];
      expect(await limiter.getStats()).to.deep.include({ ready: 1, delayed: 1, reservoir: 0 });
      const cancelled = limiter.reset();
      for (const job of waiting) expect(await rejection(job)).to.include({ code: 'JOB_CANCELLED' });
      expect(await cancelled).to.equal(2);
      expect(await limiter.getStats()).to.deep.include({
        ready: 0,
        delayed: 0,
        running: 1,
        reservoir: 2,
        doneWeight: 0,
      });
      job.release('went on');
      expect(await running).to.equal('went on');
      expect(await limiter.schedule(() => 'room again')).to.equal('room again');
    });
  });

  it('lets its keys expire when it has a ttl', async () => {
    const limiter = await fixture.limiter({ ttl: 200 });
    await limiter.schedule(() => {});
    expect(await fixture.redis.admin.pttl(`b_${limiter.id}_settings`)).to.be.within(1, 200);
    await limiter.stop();
    await eventually(async () => (await fixture.redis.admin.keys(`b_${limiter.id}_*`)).length === 0);
  });

  it('says what is wrong with its options', async () => {
    const pool = await fixture.pool();
    const wrong: [object, string][] = [
      [{ id: '' }, 'Invalid id: expected a text that is not empty, got ""'],
      [{ id: undefined }, 'Invalid id: expected a text that is not empty, got undefined'],
      [{ pool: {} }, 'Invalid pool: expected a WorkerPool, got an object'],
      [{ maxConcurrent: '2' }, 'Invalid maxConcurrent: expected a number of 0 or more, got "2"'],
      [{ minTime: Number.NaN }, 'Invalid minTime: expected a number of 0 or more, got NaN'],
      [
        { strategy: 'drop' },
        'Invalid strategy: expected "leak", "overflow", "overflow-priority" or "block", got "drop"',
      ],
      [
        { window: { max: 1 } },
        'Invalid window: expected an object of max (an integer of 1 or more) and duration (a number above 0), got an object',
      ],
      [
        { bucket: { capacity: 1, refillPerSecond: 0 } },
        'Invalid bucket: expected an object of capacity (a number above 0) and refillPerSecond (a number above 0)',
      ],
      [{ retryOnFailure: 'yes' }, 'Invalid retryOnFailure: expected true or false, got "yes"'],
      [
        { backoff: { factor: 0.5 } },
        'Invalid backoff: expected a function, or an object of initialMs, factor, maxMs and jitter, got an object',
      ],
      [
        { backoff: 1000 },
        'Invalid backoff: expected a function, or an object of initialMs, factor, maxMs and jitter, got 1000',
      ],
      [{ maxConcurent: 2 }, 'got "maxConcurent"'],
    ];
    for (const [options, message] of wrong) {
      const make = (): unknown => new DistributedLimiter({ id: 'x', pool, ...options } as DistributedLimiterOptions);
      expect(make).to.throw(RebottleError, message).with.property('code', 'INVALID_OPTION');
    }
  });

  it('raises errors that are BottleneckErrors too', () => {
    expect(new RebottleError('CODE', 'text'))
      .to.be.instanceOf(BottleneckError)
      .and.include({ name: 'RebottleError', code: 'CODE' });
  });

  it('puts a thousand jobs through', async () => {
    const limiter = await fixture.limiter({ maxConcurrent: 20 });
    const results = await Promise.all(Array.from({ length: 1000 }, (_, i) => limiter.schedule(() => i)));
    expect(results).to.deep.equal(Array.from({ length: 1000 }, (_, i) => i));
    expect(await fixture.redis.admin.exists(`b_${limiter.id}_rb_jobs`)).to.equal(0);
  });
});
