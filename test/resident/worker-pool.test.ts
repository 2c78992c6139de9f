import { expect } from 'chai';
import { Redis } from 'ioredis';
import Bottleneck from '../../lib/index';
import { DistributedLimiter, WorkerPool, type WorkerPoolOptions } from '../../lib/resident';
import { freePort } from '../../scripts/support/free-port.cjs';
import { nextEvent } from '../support/events';
import { eventually } from '../support/eventually';
import { useResident, VISIBILITY } from './support/fixture';
import { hold, rejection } from './support/hold';

describe('WorkerPool', () => {
  const fixture = useResident();

  /** Warnings of this package that the process gets while `act` runs. */
  async function warnings(act: () => Promise<unknown>): Promise<string[]> {
    const heard: string[] = [];
    const listener = (warning: Error): void => void (warning.name === 'RebottleWarning' && heard.push(warning.message));
    process.on('warning', listener);
    try {
      await act();
      await new Promise((resolve) => setImmediate(resolve));
      return heard;
    } finally {
      process.off('warning', listener);
    }
  }

  describe('create and getInstance', () => {
    it('throws before a pool was made, and gives it afterwards', async () => {
      expect(() => WorkerPool.getInstance())
        .to.throw('There is no worker pool "default"')
        .with.property('code', 'POOL_NOT_INITIALIZED');
      const pool = await fixture.pool({ name: 'default' });
      expect(WorkerPool.getInstance()).to.equal(pool);
      expect(new DistributedLimiter({ id: fixture.redis.id() }).pool).to.equal(pool);
    });

    it('gives the same pool when it is called again, also at the same time', async () => {
      const heard = await warnings(async () => {
        const [first, second] = await Promise.all([fixture.pool({ name: 'one' }), fixture.pool({ name: 'one' })]);
        expect(first).to.equal(second);
        expect(await fixture.pool({ name: 'one' })).to.equal(first);
      });
      expect(heard).to.deep.equal([]);
    });

    it('warns of options that differ, and keeps those it has', async () => {
      const pool = await fixture.pool({ name: 'one', workers: 3 });
      const heard = await warnings(() => fixture.pool({ name: 'one', workers: 5, pendingJobTimeoutMs: 7 }));
      expect(heard).to.have.length(1);
      expect(heard[0]).to.contain('workers: 3, not 5').and.contain('pendingJobTimeoutMs: null, not 7');
      expect((await pool.live())[0]!.workers).to.equal(3);
    });

    it('makes several pools with names, with connections of their own', async () => {
      const [a, b] = [await fixture.pool({ name: 'a' }), await fixture.pool({ name: 'b' })];
      expect(a.poolId).not.to.equal(b.poolId);
      expect(a.commandClient).not.to.equal(b.commandClient);
      expect(WorkerPool.getInstance('b')).to.equal(b);
      await a.stop();
      expect(() => WorkerPool.getInstance('a')).to.throw('There is no worker pool "a"');
      await new DistributedLimiter({ id: fixture.redis.id(), pool: b }).schedule(() => 'works');
    });

    it('makes several on one connection too: each is one of the fleet, and knows its own jobs', async () => {
      const { admin, server } = fixture.redis;
      const connection = new Bottleneck.IORedisConnection({ clientOptions: { host: server.host, port: server.port } });
      const [a, b] = [
        await fixture.pool({ name: 'a', redis: connection, workers: 3 }),
        await fixture.pool({ name: 'b', redis: connection, workers: 5 }),
      ];
      const channel = (pool: WorkerPool) => `b_rebottle:${pool.poolId}`;
      expect(a.poolId).not.to.equal(b.poolId);
      expect(a.commandClient).to.equal(b.commandClient);
      const live = (await b.live()).map(({ poolId, name, workers }) => [poolId, name, workers]);
      expect(live).to.have.deep.members([
        [a.poolId, 'a', 3],
        [b.poolId, 'b', 5],
      ]);

      const id = fixture.redis.id();
      const [ofA, ofB] = [a, b].map((pool) => new DistributedLimiter({ id, maxConcurrent: 1, pool }));
      const job = hold();
      const jobs = [ofA!.schedule(job.fn, { id: 'first' }), ofB!.schedule(() => 'second', { id: 'second' })];
      await job.started;
      expect(await ofB!.getJob('first')).to.include({ state: 'executing', poolId: a.poolId });
      expect(await ofA!.getJob('second')).to.include({ state: 'ready', poolId: b.poolId });
      job.release();
      await Promise.all(jobs);

      await a.stop();
      expect((await b.live()).map(({ poolId }) => poolId)).to.deep.equal([b.poolId]);
      expect(await admin.pubsub('CHANNELS', channel(a))).to.deep.equal([]);
      expect(await admin.pubsub('CHANNELS', channel(b))).to.deep.equal([channel(b)]);
      expect(await ofB!.schedule(() => 'goes on')).to.equal('goes on');

      const again = await fixture.pool({ name: 'a', redis: connection });
      expect(again.poolId).not.to.equal(a.poolId);
      await Promise.all([again.stop(), b.stop()]);
      expect(await admin.pubsub('CHANNELS', 'b_*')).to.deep.equal([]);
      await connection.disconnect();
    });

    it('makes a new pool after the old one was stopped', async () => {
      const first = await fixture.pool({ name: 'again' });
      await first.stop();
      const second = await fixture.pool({ name: 'again' });
      expect(second).not.to.equal(first);
      expect(await new DistributedLimiter({ id: fixture.redis.id(), pool: second }).schedule(() => 1)).to.equal(1);
    });
  });

  describe('redis', () => {
    it('may be a URL', async () => {
      const { host, port } = fixture.redis.server;
      const pool = await fixture.pool({ redis: `redis://${host}:${port}` });
      expect(await pool.commandClient.ping()).to.equal('PONG');
    });

    it('may be a client, which is used and not closed', async () => {
      const client = new Redis(fixture.redis.server.port, fixture.redis.server.host);
      const pool = await fixture.pool({ redis: client });
      expect(pool.commandClient).to.equal(client);
      expect(await new DistributedLimiter({ id: fixture.redis.id(), pool }).schedule(() => 'ran')).to.equal('ran');
      await pool.stop();
      expect(await client.ping()).to.equal('PONG');
      client.disconnect();
    });

    it('may be a connection, which limiters of the facade use too', async () => {
      const { host, port } = fixture.redis.server;
      const connection = new Bottleneck.IORedisConnection({ clientOptions: { host, port } });
      const pool = await fixture.pool({ redis: connection });
      const id = fixture.redis.id();
      const facade = new Bottleneck({ id, connection, maxConcurrent: 1 });
      await facade.ready();
      const limiter = new DistributedLimiter({ id, pool });
      const job = hold();
      const held = facade.schedule(job.fn);
      await job.started;
      const second = hold();
      const waiting = limiter.schedule(second.fn);
      expect(await limiter.getQueueSize()).to.equal(1);
      expect(second.hasStarted).to.equal(false);
      job.release();
      second.release();
      await Promise.all([held, waiting]);
      await pool.stop();
      await facade.disconnect();
      await connection.disconnect();
    });

    it('rejects, and leaves no pool, when nobody answers in time', async () => {
      const redis = { host: '127.0.0.1', port: await freePort() };
      const error = await rejection(WorkerPool.create({ redis, name: 'nowhere', connectTimeoutMs: 100 }));
      expect(error).to.include({ code: 'POOL_CONNECTION' });
      expect(error.message).to.equal('Redis could not be reached within 100 ms');
      expect(String(error.cause)).to.contain('ECONNREFUSED');
      expect(() => WorkerPool.getInstance('nowhere')).to.throw('There is no worker pool');
    });
  });

  it('says what is wrong with options', async () => {
    const wrong: [Partial<WorkerPoolOptions> | { [name: string]: unknown }, string][] = [
      [{ workers: 0 }, 'Invalid workers: expected an integer of 1 or more, got 0'],
      [{ workers: '8' }, 'Invalid workers: expected an integer of 1 or more, got "8"'],
      [{ visibilityTimeoutMs: -1 }, 'Invalid visibilityTimeoutMs: expected a number above 0, got -1'],
      [
        { heartbeatIntervalMs: 5000, visibilityTimeoutMs: 5000 },
        'Invalid heartbeatIntervalMs: expected a number below visibilityTimeoutMs (5000), got 5000',
      ],
      [{ redis: 7 }, 'Invalid redis: expected options of ioredis, a URL, or a client, got 7'],
      [{ redis: undefined }, 'Invalid redis: expected options of ioredis, a URL, or a client, got undefined'],
      [{ worker: 8 }, 'got "worker"'],
    ];
    for (const [options, message] of wrong) {
      const error = await rejection(WorkerPool.create({ redis: {}, ...options } as WorkerPoolOptions));
      expect(error).to.include({ code: 'INVALID_OPTION' });
      expect(error.message).to.contain(message);
    }
  });

  describe('workers', () => {
    it('bounds what the process executes, over all limiters', async () => {
      const pool = await fixture.pool({ workers: 2 });
      const limiters = [1, 2, 3].map(
        (n) => new DistributedLimiter({ id: fixture.redis.id(`n${n}`), maxConcurrent: 4, pool }),
      );
      let executing = 0;
      let most = 0;
      const job = async (): Promise<void> => {
        most = Math.max(most, ++executing);
        await new Promise((resolve) => setTimeout(resolve, 5));
        executing--;
      };
      await Promise.all(limiters.flatMap((limiter) => Array.from({ length: 10 }, () => limiter.schedule(job))));
      expect(most).to.equal(2);
      expect(pool.executingJobs).to.equal(0);
    });

    it('gives free workers by priority', async () => {
      const pool = await fixture.pool({ workers: 1 });
      const [a, b] = ['a', 'b'].map(
        (name) => new DistributedLimiter({ id: fixture.redis.id(name), maxConcurrent: 10, pool }),
      );
      const first = hold();
      const order: string[] = [];
      const jobs = [a!.schedule(first.fn)];
      await first.started;
      jobs.push(a!.schedule(() => void order.push('a9'), { priority: 9 }));
      jobs.push(b!.schedule(() => void order.push('b5'), { priority: 5 }));
      jobs.push(a!.schedule(() => void order.push('a0'), { priority: 0 }));
      await Promise.all([
        eventually(async () => (await a!.getRunningCount()) === 3),
        eventually(async () => (await b!.getRunningCount()) === 1),
      ]);
      expect(pool.pendingJobs).to.equal(3);
      first.release();
      await Promise.all(jobs);
      expect(order).to.deep.equal(['a0', 'b5', 'a9']);
    });

    it('keeps the slot of a job that waits for a worker longer than its expiration', async () => {
      const pool = await fixture.pool({ workers: 1 });
      const busy = new DistributedLimiter({ id: fixture.redis.id('busy'), pool });
      const limiter = new DistributedLimiter({ id: fixture.redis.id('short'), pool });
      const blocker = hold();
      const held = busy.schedule(blocker.fn);
      await blocker.started;
      const short = hold();
      const waiting = limiter.schedule(short.fn, { expiration: 120 });
      await eventually(async () => (await limiter.getRunningCount()) === 1);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await limiter.getRunningCount()).to.equal(1);
      blocker.release();
      await short.started;
      short.release();
      await Promise.all([held, waiting]);
    });
  });

  describe('pendingJobTimeoutMs', () => {
    it('rejects what waits too long, and takes it out of the queue', async () => {
      const pool = await fixture.pool({ pendingJobTimeoutMs: 60 });
      const limiter = new DistributedLimiter({ id: fixture.redis.id(), pool });
      const first = hold();
      const held = limiter.schedule(first.fn);
      await first.started;
      const error = await rejection(limiter.schedule(() => {}, { id: 'late' }));
      expect(error).to.include({ code: 'JOB_PENDING_TIMEOUT', jobId: 'late', timeout: 60 });
      expect(await limiter.getQueueSize()).to.equal(0);
      first.release();
      await held;
    });

    it('does not count what a job was to wait anyway', async () => {
      const pool = await fixture.pool({ pendingJobTimeoutMs: 80 });
      const limiter = new DistributedLimiter({ id: fixture.redis.id(), pool });
      expect(await limiter.schedule(() => 'ran', { delay: 200 })).to.equal('ran');
      expect(await limiter.schedule(() => 'ran', { scheduleAt: Date.now() + 200 })).to.equal('ran');
    });

    it('holds for jobs that wait for a worker too', async () => {
      const pool = await fixture.pool({ workers: 1, pendingJobTimeoutMs: 80 });
      const limiter = new DistributedLimiter({ id: fixture.redis.id(), maxConcurrent: 2, pool });
      const first = hold();
      const held = limiter.schedule(first.fn);
      await first.started;
      expect(await rejection(limiter.schedule(() => {}))).to.include({ code: 'JOB_PENDING_TIMEOUT' });
      await eventually(async () => (await limiter.getRunningCount()) === 1);
      first.release();
      await held;
    });
  });

  describe('live', () => {
    it('shows the pools of the fleet with their heartbeats', async () => {
      const pool = await fixture.pool({ workers: 7, heartbeatIntervalMs: 50 });
      const remote = await fixture.process({ limiter: { id: fixture.redis.id() } });
      const live = await pool.live();
      expect(live.map(({ poolId }) => poolId)).to.have.members([pool.poolId, remote.poolId]);
      const [mine, theirs] = [pool.poolId, remote.poolId].map((id) => live.find(({ poolId }) => poolId === id)!);
      expect(mine).to.include({ pid: process.pid, workers: 7 });
      expect(theirs).to.include({ pid: remote.worker.pid, workers: 64, name: 'default' });
      const { lastHeartbeat } = mine!;
      await eventually(async () =>
        (await pool.live()).some((one) => one.poolId === pool.poolId && one.lastHeartbeat > lastHeartbeat),
      );
    });

    it('drops a process that died, and one that left at once', async () => {
      const pool = await fixture.pool();
      const killed = await fixture.process({ limiter: { id: fixture.redis.id() } });
      const left = await fixture.process({ limiter: { id: fixture.redis.id() } });
      expect(await pool.live()).to.have.length(3);
      await left.worker.kill('SIGKILL');
      await killed.worker.kill('SIGKILL');
      await eventually(async () => (await pool.live()).length === 1, { within: 4 * VISIBILITY });
      const other = await fixture.pool();
      expect(await pool.live()).to.have.length(2);
      await other.stop();
      expect(await pool.live()).to.have.length(1);
    });
  });

  describe('stop', () => {
    it('rejects what has not started, waits for what runs, and leaves nothing', async () => {
      const pool = await fixture.pool();
      const limiter = new DistributedLimiter({ id: fixture.redis.id(), maxConcurrent: 1, pool });
      const running = hold<string>();
      const jobs = [
        limiter.schedule(running.fn),
        limiter.schedule(() => 'never', { id: 'waiting' }),
        limiter.schedule(() => 'never', { delay: 60_000 }),
      ];
      await running.started;
      await limiter.getStats();
      const stopped = pool.stop();
      expect(await rejection(jobs[1]!)).to.include({ code: 'JOB_ORPHANED', jobId: 'waiting' });
      expect(await rejection(jobs[2]!)).to.include({ code: 'JOB_ORPHANED' });
      expect(await rejection(limiter.schedule(() => 'refused'))).to.include({ code: 'POOL_STOPPED' });
      expect(() => new DistributedLimiter({ id: 'new', pool }))
        .to.throw('stopped')
        .with.property('code', 'POOL_STOPPED');
      running.release('done');
      await stopped;
      expect(await jobs[0]).to.equal('done');
      const left = (await fixture.redis.admin.keys('*')).filter((key) => !key.endsWith('_settings'));
      expect(left).to.deep.equal([]);
    });

    it('waits for running jobs no longer than its deadline; they go on', async () => {
      const pool = await fixture.pool();
      const limiter = new DistributedLimiter({ id: fixture.redis.id(), pool });
      const running = hold<string>();
      const job = limiter.schedule(running.fn);
      await running.started;
      await pool.stop({ deadlineMs: 50 });
      running.release('late');
      expect(await job).to.equal('late');
    });

    it('ends also while Redis is out of reach', async () => {
      const { admin, server } = fixture.redis;
      const pool = await fixture.pool();
      const limiter = new DistributedLimiter({ id: fixture.redis.id(), pool });
      await limiter.schedule(() => {});
      const failed = nextEvent(pool, 'error');
      await server.shutdown();
      await failed;
      const waiting = limiter.schedule(() => {});
      await Promise.all([pool.stop(), rejection(waiting)]);
      await server.start();
      await eventually(() => admin.ping());
    }).timeout(20_000);

    it('ends also while Redis hangs', async () => {
      const pool = await fixture.pool();
      const { server } = fixture.redis;
      server.pause();
      try {
        await pool.stop();
      } finally {
        server.resume();
      }
    });

    it('is no pool of the fleet any more when a connection that goes on comes back', async () => {
      const { admin, server } = fixture.redis;
      const clientOptions = { host: server.host, port: server.port, retryStrategy: () => 20 };
      const connection = new Bottleneck.IORedisConnection({ clientOptions });
      connection.on('error', () => {});
      const pool = await fixture.pool({ name: 'left', redis: connection, heartbeatIntervalMs: 20 });
      const other = await fixture.pool({ name: 'stays', heartbeatIntervalMs: 20 });
      for (const one of [pool, other]) one.on('error', () => {});
      await server.shutdown();
      await eventually(() => pool.commandClient.status !== 'ready');
      await pool.stop();
      await server.start();
      await eventually(() => admin.ping());
      await eventually(() => pool.commandClient.status === 'ready');
      const firstBeat = (await eventually(async () => (await other.live())[0]))!.lastHeartbeat;
      await eventually(async () => (await other.live())[0]!.lastHeartbeat > firstBeat + 60);
      expect((await other.live()).map(({ name }) => name)).to.deep.equal(['stays']);
      await other.stop();
      await connection.disconnect();
    }).timeout(20_000);

    it('gives the same promise when it is called again', async () => {
      const pool = await fixture.pool();
      expect(pool.stop()).to.equal(pool.stop());
      await pool.stop();
      expect(pool.stopped).to.equal(true);
    });
  });
});
