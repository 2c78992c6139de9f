/** The states of a job and the questions about them. */
import { expect } from 'chai';
import { scenario } from './scenario';

export const lifecycle = [
  scenario({
    id: 'job-goes-through-the-states',
    title: 'a job is RECEIVED, QUEUED, RUNNING while it waits for minTime, EXECUTING and DONE',
    covers: ['jobStatus()', 'counts()', 'trackDoneStatus'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 2, minTime: 100, trackDoneStatus: true });
      const seen: unknown[] = [];
      const look = (): number => seen.push(['a', 'b', 'c'].map((id) => limiter.jobStatus(id)));
      for (const label of ['a', 'b', 'c']) world.job(limiter, label, { takes: 150 });
      look();
      for (const at of [50, 120, 160, 500]) {
        await world.time.until(at);
        look();
        await world.look();
      }
      return { seen, counts: limiter.counts() };
    },
    holds: (result) =>
      expect(result).to.deep.equal({
        seen: [
          ['RECEIVED', 'RECEIVED', 'RECEIVED'],
          ['EXECUTING', 'RUNNING', 'QUEUED'],
          ['EXECUTING', 'EXECUTING', 'QUEUED'],
          ['DONE', 'EXECUTING', 'RUNNING'],
          ['DONE', 'DONE', 'DONE'],
        ],
        counts: { RECEIVED: 0, QUEUED: 0, RUNNING: 0, EXECUTING: 0, DONE: 3 },
      }),
  }),
  scenario({
    id: 'done-jobs-are-forgotten',
    title: 'without trackDoneStatus a finished job is unknown, and there is no count of DONE',
    covers: ['jobStatus()', 'counts()', 'trackDoneStatus'],
    async run(world) {
      const limiter = world.limiter();
      world.job(limiter, 'job');
      await world.time.sleep(100);
      return { counts: limiter.counts(), status: limiter.jobStatus('job'), never: limiter.jobStatus('never') };
    },
    holds: (result) =>
      expect(result).to.deep.equal({
        counts: { RECEIVED: 0, QUEUED: 0, RUNNING: 0, EXECUTING: 0 },
        status: null,
        never: null,
      }),
  }),
  scenario({
    id: 'jobs-lists-ids-by-status',
    title: 'jobs() gives the ids in a state, or all of them',
    covers: ['jobs()'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 2, trackDoneStatus: true });
      for (const [label, takes] of Object.entries({ a: 10, b: 200, c: 200, d: 200 })) {
        world.job(limiter, label, { takes });
      }
      await world.time.sleep(50);
      const status = ['RECEIVED', 'QUEUED', 'RUNNING', 'EXECUTING', 'DONE', undefined] as const;
      return status.map((one) => [...limiter.jobs(one as never)].sort());
    },
    holds: (lists) => expect(lists).to.deep.equal([[], ['d'], [], ['b', 'c'], ['a'], ['a', 'b', 'c', 'd']]),
  }),
  scenario({
    id: 'jobs-refuses-an-unknown-status',
    title: 'jobs() throws a BottleneckError that names the states there are',
    covers: ['jobs()'],
    run(world) {
      const [plain, tracking] = [world.limiter(), world.limiter({ trackDoneStatus: true })];
      return [
        world.thrownBy(() => plain.jobs('DONE' as never)),
        world.thrownBy(() => tracking.jobs('WAITING' as never)),
      ];
    },
    holds: (errors) =>
      expect(errors).to.deep.equal([
        'BottleneckError(status must be one of RECEIVED, QUEUED, RUNNING, EXECUTING)',
        'BottleneckError(status must be one of RECEIVED, QUEUED, RUNNING, EXECUTING, DONE)',
      ]),
  }),
  scenario({
    id: 'queued-counts-by-priority',
    title: 'queued() counts the waiting jobs, all or of one priority, and so does clusterQueued()',
    covers: ['queued()', 'clusterQueued()'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      world.job(limiter, 'running', { takes: 100 });
      for (const [index, priority] of [5, 5, 2, 9].entries()) {
        world.job(limiter, `job ${index}`, { options: { priority } });
      }
      await world.time.sleep(10);
      const counts = [undefined, 0, 2, 5, 9].map((priority) => limiter.queued(priority as number));
      return { counts, cluster: await world.waitFor(limiter.clusterQueued()) };
    },
    holds: (result) => expect(result).to.deep.equal({ counts: [4, 0, 1, 2, 1], cluster: 4 }),
  }),
  scenario({
    id: 'empty-counts-received-jobs',
    title: 'empty() is false while a job is RECEIVED or QUEUED',
    covers: ['empty()'],
    difference: 'empty-while-received',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      const before = limiter.empty();
      world.job(limiter, 'job');
      const received = limiter.empty();
      await world.time.sleep(5);
      return [before, received, limiter.empty()];
    },
    holds: (result) => expect(result).to.deep.equal([true, false, true]),
  }),
  scenario({
    id: 'empty-counts-queued-jobs',
    title: 'empty() is false while a job waits, and true once it has its slot',
    covers: ['empty()', 'minTime'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1, minTime: 50 });
      for (const label of ['a', 'b']) world.job(limiter, label, { takes: 20 });
      const seen: boolean[] = [];
      for (const at of [10, 30, 100]) {
        await world.time.until(at);
        seen.push(limiter.empty());
      }
      return seen;
    },
    holds: (seen) => expect(seen).to.deep.equal([false, true, true]),
  }),
  scenario({
    id: 'running-is-the-weight-of-running-and-executing',
    title: 'running() is the total weight of the RUNNING and EXECUTING jobs',
    covers: ['running()', 'weight', 'minTime'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 6, minTime: 100 });
      for (const weight of [1, 2, 3, 4]) world.job(limiter, `weight ${weight}`, { takes: 150, options: { weight } });
      await world.time.sleep(50);
      await world.look();
      return world.waitFor(limiter.running());
    },
    holds: (running) => expect(running).to.equal(6),
  }),
  scenario({
    id: 'done-is-the-weight-of-finished-jobs',
    title:
      'done() is the total weight of the jobs that ended, failed ones too, dropped ones not; trackDoneStatus or not',
    covers: ['done()', 'weight'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 3, highWater: 0, strategy: world.Bottleneck.strategy.OVERFLOW });
      world.job(limiter, 'good', { options: { weight: 2 } });
      world.job(limiter, 'bad', { failures: 9 });
      world.job(limiter, 'dropped');
      await world.time.sleep(100);
      return world.waitFor(limiter.done());
    },
    holds: (done) => expect(done).to.equal(3),
  }),
  scenario({
    id: 'check-tells-whether-a-job-would-start',
    title: 'check() is true if a job would start at once: with respect to maxConcurrent, minTime and the reservoir',
    covers: ['check()'],
    async run(world) {
      const answers: boolean[] = [];
      for (const options of [{ maxConcurrent: 1 }, { minTime: 100 }, { reservoir: 1 }]) {
        const limiter = world.limiter(options);
        answers.push(await world.waitFor(limiter.check()));
        world.job(limiter, JSON.stringify(options), { takes: 50 });
        await world.time.sleep(10);
        answers.push(await world.waitFor(limiter.check()));
        await world.time.sleep(500);
        answers.push(await world.waitFor(limiter.check()));
      }
      return answers;
    },
    holds: (answers) => expect(answers).to.deep.equal([true, false, true, true, false, true, true, false, false]),
  }),
  scenario({
    id: 'check-takes-a-weight',
    title: 'check() takes the weight of the job in question',
    covers: ['check()', 'weight'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 5, reservoir: 4 });
      world.job(limiter, 'running', { takes: 100, options: { weight: 2 } });
      await world.time.sleep(10);
      return world.waitFor(Promise.all([0, 1, 2, 3, 4].map((weight) => limiter.check(weight))));
    },
    holds: (answers) => expect(answers).to.deep.equal([true, true, true, false, false]),
  }),
  scenario({
    id: 'jobs-lists-ids-in-their-order',
    title: 'jobs() lists the ids in the order in which the jobs came',
    covers: ['jobs()'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1, trackDoneStatus: true });
      const ids = ['d', 'a', 'c', 'b'];
      for (const id of ids) world.job(limiter, id, { takes: 100 });
      await world.time.sleep(150);
      return [limiter.jobs(), limiter.jobs('QUEUED' as never)];
    },
    holds: (lists) =>
      expect(lists).to.deep.equal([
        ['d', 'a', 'c', 'b'],
        ['c', 'b'],
      ]),
  }),
];
