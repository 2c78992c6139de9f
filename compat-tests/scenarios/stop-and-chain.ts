/** stop() and chain(). */
import { expect } from 'chai';
import { scenario } from './scenario';

const STOPPED = 'BottleneckError(This limiter has been stopped.)';
const REFUSED = 'BottleneckError(This limiter has been stopped and cannot accept new jobs.)';

export const stopAndChain = [
  scenario({
    id: 'stop-drops-what-waits',
    title: 'stop() drops QUEUED and RUNNING jobs and resolves when the EXECUTING ones have ended',
    covers: ['stop()', 'dropWaitingJobs', 'on:dropped'],
    difference: 'stop-leaks-running-weight',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 2, minTime: 50 });
      const outcomes = ['executing', 'running', 'queued'].map((label) => world.job(limiter, label, { takes: 300 }));
      await world.time.sleep(20);
      const stopped = world.outcome('stop');
      world.follow(stopped, limiter.stop());
      await world.time.sleep(1000);
      return {
        ends: outcomes.map(({ value, error }) => value ?? error),
        stopped: stopped.settled,
        running: await world.waitFor(limiter.running()),
      };
    },
    holds: (result) =>
      expect(result).to.deep.equal({ ends: ['executing done', STOPPED, STOPPED], stopped: 300, running: 0 }),
  }),
  scenario({
    id: 'stop-drops-received-jobs',
    title: 'stop() also drops jobs that are only RECEIVED, without another word about them',
    covers: ['stop()'],
    difference: 'stop-queues-received-jobs',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      const queued: unknown[] = [];
      limiter.on('queued', ({ args }) => queued.push(args[0]));
      const outcomes = ['a', 'b'].map((label) => world.job(limiter, label));
      await world.waitFor(limiter.stop());
      return { ends: outcomes.map(({ error, began }) => [error, began.length]), queued };
    },
    holds: (result) =>
      expect(result).to.deep.equal({
        ends: [
          [STOPPED, 0],
          [STOPPED, 0],
        ],
        queued: [],
      }),
  }),
  scenario({
    id: 'stop-on-an-idle-limiter',
    title: 'stop() of an idle limiter resolves at once, with nothing',
    covers: ['stop()'],
    async run(world) {
      const stopped = world.outcome('stop');
      world.follow(stopped, world.limiter().stop());
      await world.time.sleep(10);
      return [stopped.settled, stopped.value];
    },
    holds: (result) => expect(result).to.deep.equal([0, undefined]),
  }),
  scenario({
    id: 'stop-refuses-new-jobs',
    title: 'a stopped limiter refuses new jobs with a BottleneckError, through all three methods',
    covers: ['stop()', 'schedule()', 'wrap()', 'submit()'],
    async run(world) {
      const limiter = world.limiter();
      await world.waitFor(limiter.stop());
      const scheduled = world.job(limiter, 'scheduled');
      const wrapped = world.outcome('wrapped');
      world.follow(wrapped, limiter.wrap(async () => 1)());
      const submitted: string[] = [];
      limiter.submit(
        ((done: (error: null) => void) => done(null)) as never,
        ((error: unknown) => {
          submitted.push(world.recorder.show(error));
        }) as never,
      );
      await world.time.sleep(10);
      return [scheduled.error, wrapped.error, ...submitted];
    },
    holds: (errors) => expect(errors).to.deep.equal([REFUSED, REFUSED, REFUSED]),
  }),
  scenario({
    id: 'stop-with-messages-of-your-own',
    title: 'both messages can be chosen',
    covers: ['stop()', 'dropErrorMessage', 'enqueueErrorMessage'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      world.job(limiter, 'executing', { takes: 50 });
      const waiting = world.job(limiter, 'waiting');
      await world.time.sleep(10);
      const stopped = limiter.stop({ dropErrorMessage: 'dropped by us', enqueueErrorMessage: 'refused by us' });
      const late = world.job(limiter, 'late');
      await world.waitFor(stopped);
      return [waiting.error, late.error];
    },
    holds: (errors) =>
      expect(errors).to.deep.equal(['BottleneckError(dropped by us)', 'BottleneckError(refused by us)']),
  }),
  scenario({
    id: 'stop-lets-waiting-jobs-run',
    title: 'stop({ dropWaitingJobs: false }) lets all jobs run and then resolves; new ones are refused from the start',
    covers: ['stop()', 'dropWaitingJobs'],
    difference: 'stop-waits-in-a-job-of-its-own',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      const received: unknown[] = [];
      limiter.on('received', ({ options }) => received.push(options.priority));
      const outcomes = ['a', 'b', 'c'].map((label) => world.job(limiter, label, { takes: 50 }));
      await world.time.sleep(10);
      const stopped = world.outcome('stop');
      world.follow(stopped, limiter.stop({ dropWaitingJobs: false }));
      const late = world.job(limiter, 'late');
      await world.time.sleep(1000);
      return {
        ends: outcomes.map((outcome) => outcome.settled),
        stopped: stopped.settled,
        late: late.error,
        received,
      };
    },
    holds: (result) =>
      expect(result).to.deep.equal({
        ends: [50, 100, 150],
        stopped: 150,
        late: REFUSED,
        received: [5, 5, 5],
      }),
  }),
  scenario({
    id: 'stop-only-once',
    title: 'a second stop() rejects with a BottleneckError',
    covers: ['stop()'],
    async run(world) {
      const limiter = world.limiter();
      const outcome = world.outcome('second');
      const first = limiter.stop();
      world.follow(outcome, limiter.stop());
      await world.waitFor(first);
      return outcome.error;
    },
    holds: (error) => expect(error).to.equal('BottleneckError(stop() has already been called)'),
  }),
  scenario({
    id: 'stop-waits-for-retries',
    title: 'a job that is being retried is EXECUTING: stop() waits for it',
    covers: ['stop()', 'on:failed'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 }, (_label, count) => (count === 0 ? 100 : null));
      const outcome = world.job(limiter, 'job', { failures: 1 });
      await world.time.sleep(50);
      const stopped = world.outcome('stop');
      world.follow(stopped, limiter.stop({ dropWaitingJobs: true }));
      await world.time.sleep(500);
      return { outcome: [outcome.value, outcome.settled], stopped: stopped.settled };
    },
    holds: (result) => expect(result).to.deep.equal({ outcome: ['job done', 120], stopped: 120 }),
  }),
  scenario({
    id: 'chain-obeys-both-limiters',
    title: 'jobs of chained limiters obey their own limits and those of the limiter they are chained to',
    covers: ['chain()'],
    async run(world) {
      const a = world.limiter({ maxConcurrent: 1 });
      const b = world.limiter({ minTime: 40 });
      const global = world.limiter({ maxConcurrent: 2 });
      a.chain(global);
      b.chain(global);
      const outcomes = [a, a, b, b, b, global].map((limiter, index) =>
        world.job(limiter, `job ${index}`, { takes: 100 }),
      );
      await world.time.sleep(2000);
      const at = (time: number): number =>
        outcomes.filter((one) => Number(one.began[0]) <= time && time < Number(one.settled)).length;
      return {
        ended: outcomes.filter((outcome) => outcome.value !== undefined).length,
        most: Math.max(...outcomes.map((outcome) => at(Number(outcome.began[0])))),
      };
    },
    holds: (result) => expect(result).to.deep.equal({ ended: 6, most: 2 }),
  }),
  scenario({
    id: 'chain-passes-on-options-and-results',
    title: 'a job keeps its options, result and errors on its way through a chain',
    covers: ['chain()', 'priority', 'weight'],
    async run(world) {
      const first = world.limiter({ maxConcurrent: 5 });
      const second = world.limiter({ maxConcurrent: 2 });
      first.chain(second);
      const good = world.job(first, 'good', { options: { priority: 1, weight: 2 } });
      const bad = world.job(first, 'bad', { failures: 1 });
      const heavy = world.job(first, 'heavy', { options: { weight: 3 } });
      await world.time.sleep(500);
      return [good.value, bad.error, heavy.error];
    },
    holds: (result) =>
      expect(result).to.deep.equal([
        'good done',
        'Error(bad failed)',
        'BottleneckError(Impossible to add a job having a weight of 3 to a limiter having a maxConcurrent setting of 2)',
      ]),
  }),
  scenario({
    id: 'chain-null-unchains',
    title: 'chain() gives the limiter; chain(null) ends the chain',
    covers: ['chain()'],
    async run(world) {
      const first = world.limiter();
      const second = world.limiter({ maxConcurrent: 1 });
      const same = first.chain(second) === first;
      const chained = ['a', 'b'].map((label) => world.job(first, label, { takes: 100 }));
      await world.time.sleep(500);
      first.chain(null as never);
      const free = ['c', 'd'].map((label) => world.job(first, label, { takes: 100 }));
      await world.time.sleep(500);
      return { same, began: [...chained, ...free].map((outcome) => outcome.began[0]) };
    },
    holds: (result) => expect(result).to.deep.equal({ same: true, began: [0, 100, 500, 500] }),
  }),
];
