/** submit, schedule, wrap and the options of jobs. */
import { expect } from 'chai';
import { scenario } from './scenario';

type Callback = (error: unknown, ...results: unknown[]) => void;
// biome-ignore lint/suspicious/noExplicitAny: calls that the types forbid
type Any = any;

export const jobs = [
  scenario({
    id: 'schedule-passes-arguments-and-result',
    title: 'schedule() calls the function with the arguments and gives its result, promise or not',
    covers: ['schedule()'],
    async run(world) {
      const limiter = world.limiter();
      const sum = (a: number, b: number): number => a + b;
      const later = async (a: number, b: number): Promise<number> => a * b;
      const results = [
        limiter.schedule(sum as Any, 2, 3),
        limiter.schedule(later, 2, 3),
        limiter.schedule({ priority: 1 }, sum as Any, 20, 30),
        limiter.schedule({}, (() => undefined) as Any),
      ];
      return world.waitFor(Promise.all(results));
    },
    holds: (results) => expect(results).to.deep.equal([5, 6, 50, undefined]),
  }),
  scenario({
    id: 'schedule-rejects-with-what-was-thrown',
    title: 'the promise rejects with the very thing that the job threw or rejected with',
    covers: ['schedule()'],
    async run(world) {
      const limiter = world.limiter();
      const thrown = [new Error('rejected'), new TypeError('thrown'), 'text', undefined];
      const tasks = [
        () => Promise.reject(thrown[0]),
        () => {
          throw thrown[1];
        },
        () => Promise.reject(thrown[2]),
        () => Promise.reject(thrown[3]),
      ];
      const errors: unknown[] = [];
      for (const task of tasks) {
        const caught = limiter.schedule(task).then(
          () => 'resolved',
          (error) => error,
        );
        errors.push(await world.waitFor(caught));
      }
      return errors.map((error, index) => error === thrown[index]);
    },
    holds: (same) => expect(same).to.deep.equal([true, true, true, true]),
  }),
  scenario({
    id: 'schedule-waits-for-the-returned-promise',
    title: 'a job lasts until the promise it returns has settled, however many promises that stands for',
    covers: ['schedule()', 'maxConcurrent'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      const all = world.outcome('all');
      world.follow(
        all,
        limiter.schedule(() => Promise.all([30, 80, 50].map((ms) => world.pause(ms)))),
      );
      const next = world.job(limiter, 'next');
      await world.time.sleep(500);
      return [all.settled, next.began[0]];
    },
    holds: (result) => expect(result).to.deep.equal([80, 80]),
  }),
  scenario({
    id: 'submit-calls-back',
    title: 'submit() hands the results or the error of the function to the callback',
    covers: ['submit()'],
    async run(world) {
      const limiter = world.limiter();
      const calls: unknown[][] = [];
      const callback = (...args: unknown[]): void => {
        calls.push(args.map((arg) => (arg instanceof Error ? arg.message : arg)));
      };
      const good = (a: number, b: number, done: Callback): void => done(null, a + b, 'more');
      const bad = (done: Callback): void => done(new Error('no'), 'detail');
      limiter.submit(good as Any, 2, 3, callback as Any);
      limiter.submit({ priority: 9 }, good as Any, 4, 5, callback as Any);
      limiter.submit(bad as Any, callback as Any);
      await world.time.sleep(100);
      return calls;
    },
    holds: (calls) =>
      expect(calls).to.have.deep.members([
        [null, 5, 'more'],
        [null, 9, 'more'],
        ['no', 'detail'],
      ]),
  }),
  scenario({
    id: 'submit-without-a-callback',
    title: 'null stands for no callback; the function still has to call its own to end the job',
    covers: ['submit()', 'maxConcurrent'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      limiter.submit(((done: Callback) => setTimeout(() => done(null), 200)) as Any, null as Any);
      const next = world.job(limiter, 'next');
      await world.time.sleep(1000);
      return next.began;
    },
    holds: (began) => expect(began).to.deep.equal([200]),
  }),
  scenario({
    id: 'submit-ignores-further-calls-back',
    title: 'a function may call its callback more than once: only the first call counts',
    covers: ['submit()'],
    async run(world) {
      const limiter = world.limiter();
      const calls: unknown[][] = [];
      const twice = (done: Callback): void => {
        done(null, 'first');
        done(null, 'second');
        done(new Error('third'));
      };
      limiter.submit(twice as Any, ((...args: unknown[]) => calls.push(args)) as Any);
      await world.time.sleep(100);
      return { calls, running: await world.waitFor(limiter.running()), done: await world.waitFor(limiter.done()) };
    },
    holds: (result) => expect(result).to.deep.equal({ calls: [[null, 'first']], running: 0, done: 1 }),
  }),
  scenario({
    id: 'submit-that-never-calls-back-expires',
    title: 'an expiration ends a job whose function never calls back',
    covers: ['submit()', 'expiration'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      const calls: string[] = [];
      limiter.submit(
        { expiration: 300 },
        (() => {}) as Any,
        ((error: unknown) => {
          calls.push(world.recorder.show(error));
        }) as Any,
      );
      const next = world.job(limiter, 'next');
      await world.time.sleep(1000);
      return { calls, next: next.began };
    },
    holds: (result) =>
      expect(result).to.deep.equal({ calls: ['BottleneckError(This job timed out after 300 ms.)'], next: [300] }),
  }),
  scenario({
    id: 'submit-tells-whether-the-queue-was-full',
    title: 'submit() resolves to whether the job met a full queue',
    covers: ['submit()', 'highWater'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1, highWater: 1, strategy: world.Bottleneck.strategy.OVERFLOW });
      const slow = (done: Callback): void => void setTimeout(() => done(null), 100);
      const answers = [0, 1, 2].map(() => limiter.submit(slow as Any, (() => {}) as Any) as unknown);
      return world.waitFor(Promise.all(answers));
    },
    holds: (answers) => expect(answers).to.deep.equal([false, false, true]),
  }),
  scenario({
    id: 'wrap-keeps-this-and-arguments',
    title: 'a wrapped function passes on `this`, arguments and result, and obeys the limits',
    covers: ['wrap()'],
    async run(world) {
      const limiter = world.limiter({ minTime: 100 });
      const counter = {
        total: 10,
        add: limiter.wrap(async function (this: { total: number }, by: number): Promise<number> {
          this.total += by;
          return world.time.now;
        } as Any),
      } as Any;
      const times = await world.waitFor(Promise.all([counter.add(1), counter.add(2)]));
      return { total: counter.total, times };
    },
    holds: (result) => expect(result).to.deep.equal({ total: 13, times: [0, 100] }),
  }),
  scenario({
    id: 'wrap-with-options',
    title: 'withOptions of a wrapped function takes job options before the arguments',
    covers: ['wrap()', 'withOptions()', 'priority'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      const order: string[] = [];
      const wrapped = limiter.wrap(async (label: string) => {
        order.push(label);
        await world.pause(10);
      });
      void wrapped('first');
      void wrapped.withOptions({ priority: 9 }, 'low');
      void wrapped('normal');
      void wrapped.withOptions({ priority: 0 }, 'high');
      await world.time.sleep(1000);
      return order;
    },
    holds: (order) => expect(order).to.deep.equal(['first', 'high', 'normal', 'low']),
  }),
  scenario({
    id: 'wrap-rejects-with-errors-of-the-limiter',
    title: 'a wrapped function can reject although the original never does',
    covers: ['wrap()', 'expiration'],
    async run(world) {
      const limiter = world.limiter();
      const outcome = world.outcome('job');
      world.follow(outcome, limiter.wrap(() => world.pause(100)).withOptions({ expiration: 40 }));
      await world.time.sleep(500);
      return outcome.error;
    },
    holds: (error) => expect(error).to.equal('BottleneckError(This job timed out after 40 ms.)'),
  }),
  scenario({
    id: 'wrap-goes-through-an-overridden-schedule',
    title: 'wrap() uses the schedule() of a subclass',
    covers: ['wrap()', 'schedule()'],
    async run(world) {
      class Counting extends world.Bottleneck {
        scheduled = 0;
        override schedule(...args: Any[]): Any {
          this.scheduled++;
          return (super.schedule as Any)(...args);
        }
      }
      const limiter = new Counting();
      const value = await world.waitFor(limiter.wrap(async () => 'value')());
      return { value, scheduled: limiter.scheduled };
    },
    holds: (result) => expect(result).to.deep.equal({ value: 'value', scheduled: 1 }),
  }),
  scenario({
    id: 'priority-orders-the-queue',
    title: 'the lower the number the earlier: 0 before 4 before 5 (the default) before 9',
    covers: ['priority'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      world.job(limiter, 'running', { takes: 100 });
      for (const priority of [9, undefined, 5, 4, 0]) {
        world.job(limiter, `${priority}`, { options: priority === undefined ? {} : { priority } });
      }
      await world.time.sleep(1000);
      return world.recorder.entries('starts limiter 0').map((entry) => entry.text);
    },
    holds: (order) => expect(order).to.deep.equal(['running', '0', '4', 'undefined', '5', '9']),
  }),
  scenario({
    id: 'priority-out-of-range',
    title: 'a priority out of range counts as the nearest, and one that is no whole number as 5',
    covers: ['priority', 'queued()'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      world.job(limiter, 'running', { takes: 100 });
      const given: unknown[] = [-3, 12, 4.5, Number.NaN, 'high', '2', null];
      for (const priority of given) world.job(limiter, `${priority}`, { options: { priority: priority as number } });
      await world.time.sleep(10);
      await world.look();
      const waiting = [0, 5, 9].map((priority) => limiter.queued(priority));
      await world.time.sleep(1000);
      return waiting;
    },
    holds: (waiting) => expect(waiting).to.deep.equal([1, 5, 1]),
  }),
  scenario({
    id: 'priority-among-jobs-that-take-no-time',
    title: 'jobs scheduled in one go behind a trivial one run in the order of their priority',
    covers: ['priority'],
    difference: 'order-behind-jobs-that-take-no-time',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      for (const [label, priority] of [
        ['first', 5],
        ['second', 5],
        ['low', 9],
        ['high', 0],
      ] as const) {
        world.job(limiter, label, { takes: 0, options: { priority } });
      }
      await world.time.sleep(100);
      return world.recorder.entries('starts limiter 0').map((entry) => entry.text);
    },
    holds: (order) => expect(order).to.deep.equal(['first', 'second', 'high', 'low']),
  }),
  scenario({
    id: 'weight-counts-as-running',
    title: 'a job takes its weight from maxConcurrent and from the reservoir',
    covers: ['weight', 'running()', 'reservoir', 'done()'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 5, reservoir: 10 });
      for (const weight of [2, 3, 1]) world.job(limiter, `weight ${weight}`, { takes: 100, options: { weight } });
      await world.time.sleep(50);
      await world.look();
      const running = await world.waitFor(limiter.running());
      const reservoir = await world.waitFor(limiter.currentReservoir());
      await world.time.sleep(500);
      return { running, reservoir, done: await world.waitFor(limiter.done()) };
    },
    holds: (result) => expect(result).to.deep.equal({ running: 5, reservoir: 5, done: 6 }),
  }),
  scenario({
    id: 'weight-zero-always-fits',
    title: 'a job of weight 0 starts although maxConcurrent and the reservoir are used up',
    covers: ['weight'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1, reservoir: 1 });
      world.job(limiter, 'running', { takes: 100 });
      await world.time.sleep(10);
      const light = world.job(limiter, 'light', { options: { weight: 0 } });
      await world.time.sleep(500);
      return light.began;
    },
    holds: (began) => expect(began).to.deep.equal([10]),
  }),
  scenario({
    id: 'weight-over-max-concurrent-is-refused',
    title: 'a job heavier than maxConcurrent rejects with a BottleneckError',
    covers: ['weight', 'maxConcurrent', 'on:dropped'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 2 });
      const outcome = world.job(limiter, 'heavy', { options: { weight: 5 } });
      await world.time.sleep(10);
      return outcome.error;
    },
    holds: (error) =>
      expect(error).to.equal(
        'BottleneckError(Impossible to add a job having a weight of 5 to a limiter having a maxConcurrent setting of 2)',
      ),
  }),
  scenario({
    id: 'expiration-fails-the-job',
    title: 'a job that executes for longer than its expiration fails with a BottleneckError, and frees its slot',
    covers: ['expiration', 'on:failed', 'on:done'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1, minTime: 100 });
      world.job(limiter, 'first');
      const slow = world.job(limiter, 'slow', { takes: 500, options: { expiration: 60 } });
      const next = world.job(limiter, 'next');
      await world.time.sleep(1000);
      await world.look();
      return { error: slow.error, settled: slow.settled, next: next.began };
    },
    holds: (result) =>
      expect(result).to.deep.equal({
        error: 'BottleneckError(This job timed out after 60 ms.)',
        settled: 160,
        next: [200],
      }),
  }),
  scenario({
    id: 'expiration-in-time',
    title: 'a job that ends before its expiration is not touched by it, nor is one that waits',
    covers: ['expiration'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      const options = { expiration: 100 };
      const outcomes = ['a', 'b', 'c'].map((label) => world.job(limiter, label, { takes: 90, options }));
      await world.time.sleep(1000);
      return outcomes.map((outcome) => outcome.value);
    },
    holds: (values) => expect(values).to.deep.equal(['a done', 'b done', 'c done']),
  }),
  scenario({
    id: 'id-is-made-up-when-none-is-given',
    title: 'a job without an id gets one of its own, and can be found by it',
    covers: ['id', 'jobs()', 'jobStatus()'],
    async run(world) {
      const limiter = world.limiter();
      void limiter.schedule(() => world.pause(100));
      void limiter.schedule({ id: '<no-id>' }, () => world.pause(100));
      await world.time.sleep(10);
      const ids = limiter.jobs();
      return {
        different: new Set(ids).size,
        named: ids.every((id) => id.startsWith('<no-id>-')),
        status: ids.map((id) => limiter.jobStatus(id)),
      };
    },
    holds: (result) => expect(result).to.deep.equal({ different: 2, named: true, status: ['EXECUTING', 'EXECUTING'] }),
  }),
  scenario({
    id: 'id-must-be-unique-among-unfinished-jobs',
    title: 'a second job with the id of an unfinished one is refused; once that one is done the id is free',
    covers: ['id'],
    async run(world) {
      const limiter = world.limiter();
      world.job(limiter, 'same', { takes: 100 });
      const refused = world.job(limiter, 'twin', { options: { id: 'same' } });
      await world.time.sleep(200);
      const again = world.job(limiter, 'again', { options: { id: 'same' } });
      await world.time.sleep(100);
      return [refused.error, again.value];
    },
    holds: (result) =>
      expect(result).to.deep.equal(['BottleneckError(A job with the same id already exists (id=same))', 'again done']),
  }),
  scenario({
    id: 'id-stays-taken-with-track-done-status',
    title: 'with trackDoneStatus the ids of finished jobs stay taken',
    covers: ['id', 'trackDoneStatus'],
    async run(world) {
      const limiter = world.limiter({ trackDoneStatus: true });
      world.job(limiter, 'same');
      await world.time.sleep(200);
      const again = world.job(limiter, 'again', { options: { id: 'same' } });
      await world.time.sleep(100);
      return again.error;
    },
    holds: (error) => expect(error).to.equal('BottleneckError(A job with the same id already exists (id=same))'),
  }),
  scenario({
    id: 'job-options-are-not-changed',
    title: "the caller's options object stays as it was, and can be used again",
    covers: ['schedule()', 'id'],
    async run(world) {
      const limiter = world.limiter();
      const options = { priority: 12, weight: 1 };
      await world.waitFor(
        Promise.all([limiter.schedule(options, async () => 1), limiter.schedule(options, async () => 2)]),
      );
      return options;
    },
    holds: (options) => expect(options).to.deep.equal({ priority: 12, weight: 1 }),
  }),
  scenario({
    id: 'schedule-refuses-what-is-no-function',
    title: 'what is no function is refused when it is scheduled, and takes no slot',
    covers: ['schedule()'],
    difference: 'jobs-that-are-no-functions',
    async run(world) {
      const limiter = world.limiter();
      let received = 0;
      limiter.on('received', () => received++);
      const outcome = world.outcome('nothing');
      world.follow(outcome, limiter.schedule({ id: 'nothing' }, 5 as Any));
      await world.time.sleep(10);
      return { received, error: outcome.error };
    },
    holds: (result) =>
      expect(result).to.deep.equal({
        received: 0,
        error: 'BottleneckError(Invalid job: expected a function, got 5)',
      }),
  }),
];
