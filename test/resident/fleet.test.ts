import { expect } from 'chai';
import Bottleneck from '../../lib/index';
import { DistributedLimiter, type OrphanedJob } from '../../lib/resident';
import { nextEvent, recordEvents } from '../support/events';
import { eventually } from '../support/eventually';
import { useResident, VISIBILITY } from './support/fixture';
import { hold, rejection } from './support/hold';

describe('a fleet of processes', function () {
  this.timeout(30_000);
  const fixture = useResident();

  it('has one order: priority before arrival, whoever scheduled a job', async () => {
    const id = fixture.redis.id();
    const remote = await fixture.process({ limiter: { id } });
    const limiter = await fixture.limiter({ id });
    const first = hold();
    const held = limiter.schedule(first.fn);
    await first.started;
    await remote.hold('theirs 60', { priority: 60 });
    const mine = hold();
    const scheduled = limiter.schedule(mine.fn, { priority: 30, id: 'mine 30' });
    await remote.hold('theirs 10', { priority: 10 });
    expect((await limiter.getJobs('ready')).map((job) => job.id)).to.deep.equal(['theirs 10', 'mine 30', 'theirs 60']);
    first.release();
    await remote.started('theirs 10');
    expect(mine.hasStarted).to.equal(false);
    remote.release('theirs 10');
    await mine.started;
    expect(remote.hasStarted('theirs 60')).to.equal(false);
    mine.release();
    await remote.started('theirs 60');
    remote.release('theirs 60');
    await Promise.all([held, scheduled, remote.settled('theirs 60')]);
  });

  it('keeps maxConcurrent together, and changes it everywhere at once', async () => {
    const id = fixture.redis.id();
    const remote = await fixture.process({ limiter: { id } });
    const limiter = await fixture.limiter({ id });
    const first = hold();
    const held = limiter.schedule(first.fn);
    await first.started;
    await remote.hold('a');
    await remote.hold('b');
    expect(await limiter.getStats()).to.deep.include({ running: 1, ready: 2 });
    await remote.call('updateSettings', { maxConcurrent: 2 });
    await remote.started('a');
    expect(remote.hasStarted('b')).to.equal(false);
    await limiter.updateSettings({ maxConcurrent: 3 });
    await remote.started('b');
    first.release();
    remote.release('a');
    remote.release('b');
    await Promise.all([held, remote.settled('a'), remote.settled('b')]);
  });

  describe('job inspection', () => {
    it('shows the jobs of all processes by state', async () => {
      const id = fixture.redis.id();
      const remote = await fixture.process({ limiter: { id } });
      const limiter = await fixture.limiter({ id });
      await remote.hold('runs', { data: { order: 17 } });
      await remote.started('runs');
      await remote.hold('waits', { priority: 70, weight: 0.5, expiration: 5000 });
      await remote.hold('later', { delay: 60_000 });
      const [executing, ready, delayed] = await Promise.all([
        limiter.getJobs('executing'),
        limiter.getJobs('ready'),
        limiter.getJobs('delayed'),
      ]);
      const theirs = { poolId: remote.poolId, attempt: 1 };
      expect(executing).to.have.length(1);
      expect(executing[0]).to.deep.include({
        ...theirs,
        id: 'runs',
        state: 'executing',
        priority: 5,
        weight: 1,
        data: { order: 17 },
        position: null,
      });
      expect(ready).to.have.length(1);
      expect(ready[0]).to.deep.include({
        ...theirs,
        id: 'waits',
        state: 'ready',
        priority: 70,
        weight: 0.5,
        expiration: 5000,
        position: 0,
        data: undefined,
      });
      expect(delayed).to.have.length(1);
      expect(delayed[0]).to.deep.include({ ...theirs, id: 'later', state: 'delayed' });
      expect(delayed[0]!.dueAt! - delayed[0]!.submittedAt!).to.be.within(59_990, 60_010);
      expect(await limiter.getJob('waits')).to.deep.equal(ready[0]);
      expect(await limiter.getJob('nobody')).to.equal(null);
      expect(await remote.call('getJob', 'later')).to.deep.include({ id: 'later', state: 'delayed' });
    });

    it('gives pages, in the order of the queue', async () => {
      const limiter = await fixture.limiter();
      const first = hold();
      const held = limiter.schedule(first.fn);
      await first.started;
      const jobs = Array.from({ length: 7 }, (_, i) =>
        limiter.schedule(() => {}, { id: `job ${i}`, priority: 90 - i }),
      );
      const ids = async (options: object): Promise<unknown[]> =>
        (await limiter.getJobs('ready', options)).map((job) => job.id);
      expect(await ids({ limit: 3 })).to.deep.equal(['job 6', 'job 5', 'job 4']);
      expect(await ids({ limit: 3, offset: 3 })).to.deep.equal(['job 3', 'job 2', 'job 1']);
      expect(await ids({ limit: 3, offset: 6 })).to.deep.equal(['job 0']);
      expect(await ids({ offset: 7 })).to.deep.equal([]);
      expect(await Promise.all([6, 5, 0].map((n) => limiter.position(`job ${n}`)))).to.deep.equal([0, 1, 6]);
      expect((await rejection(limiter.getJobs('done' as never))).message).to.equal(
        'Invalid state: expected "ready", "delayed" or "executing", got "done"',
      );
      expect((await rejection(limiter.getJobs('ready', { limit: 0 }))).message).to.equal(
        'Invalid limit: expected an integer from 1 to 10000, got 0',
      );
      first.release();
      await Promise.all([held, ...jobs]);
    });

    it('shows jobs of the facade too, without their names', async () => {
      const limiter = await fixture.limiter();
      const { host, port } = fixture.redis.server;
      const facade = new Bottleneck({ id: limiter.id, datastore: 'ioredis', clientOptions: { host, port } });
      const job = hold();
      const held = facade.schedule({ priority: 2, weight: 1 }, job.fn);
      await job.started;
      const [shown] = await limiter.getJobs('executing');
      expect(shown).to.include({ id: null, weight: 1, state: 'executing', submittedAt: null });
      job.release();
      await held;
      await facade.disconnect();
    });
  });

  describe('cancel', () => {
    it('takes a job of another process out: its promise there rejects', async () => {
      const id = fixture.redis.id();
      const remote = await fixture.process({ limiter: { id } });
      const limiter = await fixture.limiter({ id });
      const first = hold();
      const held = limiter.schedule(first.fn);
      await first.started;
      await remote.hold('waits');
      await remote.hold('later', { delay: 60_000 });
      expect(await limiter.cancel('waits')).to.equal(true);
      expect(await limiter.cancel('later')).to.equal(true);
      expect(await remote.settled('waits')).to.equal('JOB_CANCELLED');
      expect(await remote.settled('later')).to.equal('JOB_CANCELLED');
      expect(await limiter.getStats()).to.deep.include({ ready: 0, delayed: 0 });
      expect(await limiter.cancel('waits')).to.equal(false);
      first.release();
      await held;
    });

    it('asks a job that executes in another process to end', async () => {
      const id = fixture.redis.id();
      const remote = await fixture.process({ limiter: { id } });
      const limiter = await fixture.limiter({ id });
      await remote.hold('runs');
      await remote.started('runs');
      expect(await limiter.cancel('runs')).to.equal(true);
      await remote.worker.waitFor('aborted runs');
      expect(await limiter.getRunningCount()).to.equal(1);
      remote.release('runs');
      expect(await remote.settled('runs')).to.equal('fulfilled');
      expect(await limiter.getRunningCount()).to.equal(0);
    });

    it('reaches a process that was out of touch when it is back', async () => {
      const id = fixture.redis.id();
      const pool = { visibilityTimeoutMs: 20_000 };
      const remote = await fixture.process({ limiter: { id }, pool });
      const limiter = await fixture.limiter({ id, pool: await fixture.pool(pool) });
      const first = hold();
      const held = limiter.schedule(first.fn);
      await first.started;
      await remote.hold('waits');
      // As when the network fails: its connections are gone, and it does not get new ones while it is paused.
      remote.worker.pause();
      await fixture.redis.admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub', 'SKIPME', 'yes');
      await eventually(async () => (await limiter.getJobs('ready')).length === 1);
      expect(await limiter.cancel('waits')).to.equal(true);
      remote.worker.resume();
      expect(await remote.settled('waits')).to.equal('JOB_CANCELLED');
      first.release();
      await held;
      expect(await limiter.getStats()).to.deep.include({ ready: 0, delayed: 0, running: 0 });
    });

    it('cancels thousands by reset, in all processes', async () => {
      const id = fixture.redis.id();
      const remote = await fixture.process({ limiter: { id } });
      const limiter = await fixture.limiter({ id });
      const first = hold();
      const held = limiter.schedule(first.fn);
      await first.started;
      const mine = Array.from({ length: 2000 }, () => rejection(limiter.schedule(() => {})));
      await limiter.getStats();
      await remote.hold('theirs');
      expect(await limiter.reset()).to.equal(2001);
      expect(await remote.settled('theirs')).to.equal('JOB_CANCELLED');
      for (const error of await Promise.all(mine)) expect(error.code).to.equal('JOB_CANCELLED');
      first.release();
      await held;
    });
  });

  describe('a process that dies', () => {
    it('gives its slots back, and what it had is reported on every survivor, to be acted on in one', async () => {
      const id = fixture.redis.id();
      const [dying, survivor] = await Promise.all([
        fixture.process({ limiter: { id, maxConcurrent: 1 } }),
        fixture.process({ limiter: { id, maxConcurrent: 1 } }),
      ]);
      const limiter = await fixture.limiter({ id });
      const fromPool: OrphanedJob[] = [];
      limiter.pool.on('orphaned', (job) => fromPool.push(job));
      const orphans = recordEvents(limiter, ['orphaned']);
      await dying.hold('runs', { data: { url: 'https://example.org' }, priority: 3 });
      await dying.started('runs');
      await dying.hold('waits', { weight: 1 });
      await dying.hold('later', { delay: 60_000 });
      const mine = hold();
      const next = limiter.schedule(mine.fn, { priority: 99 });
      await limiter.getStats();

      const died = performance.now();
      await dying.worker.kill('SIGKILL');
      await mine.started;
      expect(performance.now() - died).to.be.below(2 * VISIBILITY + 500);
      mine.release();
      await next;

      await eventually(() => orphans.length === 3);
      const mineSee = orphans.map(({ args }) => args[0] as OrphanedJob);
      const by = (jobId: string): OrphanedJob => mineSee.find((job) => job.id === jobId)!;
      const common = { limiterId: id, poolId: dying.poolId, attempt: 1 };
      expect(by('runs')).to.deep.include({
        ...common,
        state: 'executing',
        priority: 3,
        data: { url: 'https://example.org' },
      });
      expect(by('waits')).to.deep.include({ ...common, state: 'ready' });
      expect(by('later')).to.deep.include({ ...common, state: 'delayed' });
      expect(fromPool).to.deep.equal(mineSee);

      const theySee = survivor.orphaned;
      await eventually(() => theySee.length === 3);
      expect(theySee.map((job) => job.id)).to.have.members(['runs', 'waits', 'later']);
      const acting = [...mineSee, ...theySee].filter(({ reportedHere }) => reportedHere);
      expect(acting.map((job) => job.id)).to.have.members(['runs', 'waits', 'later']);

      const stats = await limiter.getStats();
      expect(stats).to.deep.include({ ready: 0, delayed: 0, running: 0 });
      expect(await fixture.redis.admin.exists(`b_${id}_rb_jobs`)).to.equal(0);
    });

    it('is noticed by survivors that are idle', async () => {
      const id = fixture.redis.id();
      const dying = await fixture.process({ limiter: { id } });
      const limiter = await fixture.limiter({ id });
      await limiter.ready();
      await dying.hold('runs');
      await dying.started('runs');
      const orphaned = nextEvent(limiter, 'orphaned', { within: 5 * VISIBILITY });
      await dying.worker.kill('SIGKILL');
      expect((await orphaned)[0]).to.include({ id: 'runs', reportedHere: true });
    });

    it('may leave very much', async () => {
      const id = fixture.redis.id();
      const dying = await fixture.process({ limiter: { id } });
      const limiter = await fixture.limiter({ id });
      await dying.hold('runs');
      await Promise.all(
        Array.from({ length: 1500 }, (_, i) => dying.worker.send({ type: 'hold', id: `job ${i}`, options: {} })),
      );
      await eventually(async () => (await limiter.getQueueSize()) === 1500, { within: 15_000 });
      const orphans = recordEvents(limiter, ['orphaned']);
      await dying.worker.kill('SIGKILL');
      await eventually(() => orphans.length === 1501, { within: 10_000 });
      expect(new Set(orphans.map(({ args }) => (args[0] as OrphanedJob).id))).to.have.property('size', 1501);
      expect(await limiter.schedule(() => 'goes on')).to.equal('goes on');
      expect(await fixture.redis.admin.exists(`b_${id}_rb_jobs`)).to.equal(0);
    });
  });

  describe('a process that was only paused', () => {
    it('goes on with its jobs when it is back', async () => {
      const id = fixture.redis.id();
      const remote = await fixture.process({ limiter: { id } });
      const limiter = await fixture.limiter({ id });
      await remote.hold('runs');
      await remote.started('runs');
      await remote.hold('waits');
      const orphans = recordEvents(limiter, ['orphaned']);
      remote.worker.pause();
      await eventually(() => orphans.length === 2, { within: 6 * VISIBILITY });
      remote.worker.resume();
      await eventually(async () => (await limiter.getJob('runs')) !== null && (await limiter.getJob('waits')) !== null);
      remote.release('runs');
      expect(await remote.settled('runs')).to.equal('fulfilled');
      await remote.started('waits');
      remote.release('waits');
      expect(await remote.settled('waits')).to.equal('fulfilled');
      expect(await limiter.getStats()).to.deep.include({ ready: 0, running: 0 });
    });
  });

  it('loses nothing when Redis forgets everything', async () => {
    const id = fixture.redis.id();
    const remote = await fixture.process({ limiter: { id } });
    const limiter = await fixture.limiter({ id });
    const job = hold<string>();
    const running = limiter.schedule(job.fn, { id: 'mine', data: 1 });
    await job.started;
    await remote.hold('theirs', { priority: 8 });
    await remote.hold('later', { delay: 60_000, data: { keep: true } });
    await fixture.redis.admin.flushall();
    await eventually(async () => {
      const jobs = await Promise.all(['mine', 'theirs', 'later'].map((name) => limiter.getJob(name)));
      return jobs.every((found) => found !== null);
    });
    expect(await limiter.getJob('later')).to.deep.include({ state: 'delayed', data: { keep: true } });
    expect(await limiter.getJob('theirs')).to.deep.include({ priority: 8 });
    expect(await limiter.getJob('mine')).to.deep.include({ state: 'executing', data: 1 });
    job.release('kept');
    expect(await running).to.equal('kept');
    await remote.started('theirs');
    expect(await limiter.cancel('later')).to.equal(true);
    expect(await remote.settled('later')).to.equal('JOB_CANCELLED');
    remote.release('theirs');
    expect(await remote.settled('theirs')).to.equal('fulfilled');
  });

  it('shares a limiter among several instances in one process', async () => {
    const first = await fixture.limiter({ maxConcurrent: 2 });
    const second = new DistributedLimiter({ id: first.id, pool: first.pool, maxConcurrent: 2 });
    let executing = 0;
    let most = 0;
    const job = async (): Promise<void> => {
      most = Math.max(most, ++executing);
      await new Promise((resolve) => setTimeout(resolve, 2));
      executing--;
    };
    await Promise.all(Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? first : second).schedule(job)));
    expect(most).to.equal(2);
  });
});
