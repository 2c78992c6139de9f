/** What Bottleneck's users have run into, as they met it; each runs on both packages. Redis's part is elsewhere. */
import Module from 'node:module';
import { expect } from 'chai';
import { Random } from '../fuzz/random';
import { scenario } from './scenario';

const DAY = 24 * 60 * 60 * 1000;

/** A client that looks ready and never answers. */
function fakeClient(): object {
  const nothing = (): undefined => undefined;
  const client = { status: 'ready', options: {}, duplicate: () => fakeClient() };
  return new Proxy(client, {
    get: (target, name) => (Reflect.has(target, name) ? Reflect.get(target, name) : nothing),
  });
}

/** What modules are asked for while `act` runs. */
function requestsDuring(act: () => void): string[] {
  const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const original = loader._load;
  const requests: string[] = [];
  loader._load = function (request, ...rest) {
    requests.push(request);
    return original.call(this, request, ...rest);
  };
  try {
    act();
  } finally {
    loader._load = original;
  }
  return requests;
}

export const faults = [
  scenario({
    id: 'fault-01-shedding-loses-a-slot',
    title: 'shedding load while a job is being started loses neither the job nor its slot',
    covers: ['highWater', 'maxConcurrent', 'minTime', 'priority', 'running()'],
    difference: 'shedding-loses-a-slot',
    hops: 'timed',
    async run(world) {
      const random = new Random(152);
      const errors: unknown[] = [];
      const limiter = world.limiter({ maxConcurrent: 1, minTime: 20, highWater: 2 });
      limiter.on('error', (error) => errors.push(error));
      for (let i = 0; world.time.now < 5000; i++) {
        world.job(limiter, `job ${i}`, { takes: 5, options: { priority: random.int(0, 9) } });
        await world.time.sleep(random.int(3, 7));
      }
      await world.time.sleep(2000);
      const unsettled = world.outcomes.filter((outcome) => outcome.settled === null).length;
      const fresh = world.job(limiter, 'fresh');
      await world.time.sleep(1000);
      const running = await world.waitFor(limiter.running());
      return { unsettled, errors: errors.length, running, fresh: fresh.value, unhandled: world.unhandled };
    },
    holds: (result) =>
      expect(result).to.deep.equal({ unsettled: 0, errors: 0, running: 0, fresh: 'fresh done', unhandled: [] }),
  }),
  scenario({
    id: 'fault-02-late-result-of-an-expired-attempt',
    title: 'an expired attempt that ends late does not count; the retry does',
    covers: ['expiration', 'on:failed'],
    difference: 'late-result-of-an-expired-attempt',
    async run(world) {
      const limiter = world.limiter({}, (_label, count) => (count === 0 ? 200 : null));
      const outcome = world.outcome('job');
      const task = async () => {
        outcome.began.push(world.time.now);
        const attempt = outcome.began.length;
        await world.pause(attempt === 1 ? 100 : 10);
        return `attempt ${attempt}`;
      };
      world.follow(outcome, limiter.schedule({ id: 'job', expiration: 50 }, task));
      await world.time.sleep(1000);
      return { value: outcome.value, began: outcome.began, settled: outcome.settled, unhandled: world.unhandled };
    },
    holds: (result) =>
      expect(result).to.deep.equal({ value: 'attempt 2', began: [0, 250], settled: 260, unhandled: [] }),
  }),
  scenario({
    id: 'fault-03-wall-clock-set-back',
    title: 'a wall clock that goes back a day does not hold up the next job',
    covers: ['minTime'],
    difference: 'wall-clock-set-back',
    async run(world) {
      const limiter = world.limiter({ minTime: 100 });
      world.job(limiter, 'before');
      await world.time.sleep(1000);
      world.time.shiftWallClock(-DAY);
      const after = world.job(limiter, 'after');
      await world.time.sleep(1000);
      return after.began;
    },
    holds: (began) => expect(began).to.deep.equal([1000]),
  }),
  scenario({
    id: 'fault-04-long-expiration',
    title: 'an expiration of Infinity or of more than 24.8 days does not fire at once',
    covers: ['expiration'],
    difference: 'long-timers',
    async run(world) {
      const limiter = world.limiter();
      const outcomes = [Number.POSITIVE_INFINITY, 2 ** 31].map((expiration, index) =>
        world.job(limiter, `job ${index}`, { takes: 100, options: { expiration } }),
      );
      await world.time.sleep(200);
      return outcomes.map((outcome) => outcome.value ?? outcome.error);
    },
    holds: (result) => expect(result).to.deep.equal(['job 0 done', 'job 1 done']),
  }),
  scenario({
    id: 'fault-04-long-wait',
    title: 'a minTime of more than 24.8 days is waited for',
    covers: ['minTime'],
    difference: 'long-timers',
    async run(world) {
      const limiter = world.limiter({ minTime: 30 * DAY });
      world.job(limiter, 'first');
      const second = world.job(limiter, 'second');
      await world.time.sleep(DAY);
      const early = second.began.length;
      await world.time.sleep(29 * DAY);
      return { early, began: second.began };
    },
    holds: (result) => expect(result).to.deep.equal({ early: 0, began: [30 * DAY] }),
  }),
  scenario({
    id: 'fault-06-stop-on-a-full-queue',
    title: 'stop({ dropWaitingJobs: false }) resolves after the jobs and drops nobody, also on a full queue',
    covers: ['stop()', 'highWater'],
    difference: 'stop-without-dropping-on-a-full-queue',
    async run(world) {
      const limiter = world.limiter({
        maxConcurrent: 1,
        minTime: 50,
        highWater: 1,
        strategy: world.Bottleneck.strategy.OVERFLOW,
      });
      const outcomes = ['a', 'b'].map((label) => world.job(limiter, label, { takes: 100 }));
      await world.time.sleep(10);
      const stopped = world.outcome('stop');
      world.follow(stopped, limiter.stop({ dropWaitingJobs: false }));
      await world.time.sleep(1000);
      return { values: outcomes.map((outcome) => outcome.value), stopped: stopped.settled, error: stopped.error };
    },
    holds: (result) => expect(result).to.deep.equal({ values: ['a done', 'b done'], stopped: 200, error: undefined }),
  }),
  scenario({
    id: 'fault-06-stop-keeps-done-listeners',
    title: 'stop() leaves the listeners for "done" in place',
    covers: ['stop()', 'on:done'],
    difference: 'stop-removes-done-listeners',
    async run(world) {
      const limiter = world.limiter();
      world.job(limiter, 'job', { takes: 100 });
      await world.time.sleep(10);
      await world.waitFor(limiter.stop());
      return (limiter as unknown as { Events: { listenerCount(name: string): number } }).Events.listenerCount('done');
    },
    holds: (listeners) => expect(listeners).to.equal(1),
  }),
  scenario({
    id: 'fault-07-throwing-error-listener',
    title: 'a listener for "error" that throws is called once, and its error becomes a warning of the process',
    covers: ['on:error'],
    difference: 'throwing-error-listener',
    async run(world) {
      const limiter = new world.Bottleneck();
      let calls = 0;
      const warnings: string[] = [];
      const onWarning = (warning: Error): number => warnings.push(warning.message.split('\n')[0] as string);
      process.on('warning', onWarning);
      limiter.on('error', () => {
        if (++calls < 50) throw new Error('from the listener');
      });
      limiter.on('queued', () => {
        throw new Error('the cause');
      });
      await world.waitFor(limiter.schedule(async () => 'done'));
      await world.time.sleep(1);
      process.off('warning', onWarning);
      return { calls, warnings };
    },
    holds: (result) =>
      expect(result).to.deep.equal({
        calls: 1,
        warnings: ['A listener of the "error" event failed: Error: from the listener'],
      }),
  }),
  scenario({
    id: 'fault-08-group-clean-up-of-a-busy-limiter',
    title: 'a Group never lets go of a limiter that has a job running',
    covers: ['Group', 'timeout', 'key()'],
    difference: 'group-clean-up-of-a-busy-limiter',
    async run(world) {
      const group = new world.Bottleneck.Group({ maxConcurrent: 1, timeout: 100 });
      const first = world.job(group.key('k'), 'first', { takes: 500 });
      await world.time.sleep(400);
      const second = world.job(group.key('k'), 'second', { takes: 10 });
      await world.time.sleep(1000);
      return { first: first.settled, second: second.began };
    },
    holds: (result) => expect(result).to.deep.equal({ first: 500, second: [500] }),
  }),
  scenario({
    id: 'fault-16-one-rule-for-weights',
    title: 'a job whose weight is no number of 0 or more is refused; text that is a number counts as that',
    covers: ['weight'],
    difference: 'weights-are-checked',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 5 });
      const bad = [-1, Number.NaN, 'heavy'].map((weight) =>
        world.job(limiter, `bad ${weight}`, { options: { weight: weight as number } }),
      );
      await world.time.sleep(100);
      world.job(limiter, 'text', { takes: 100, options: { weight: '2' as never } });
      world.job(limiter, 'fraction', { takes: 100, options: { weight: 0.5 } });
      await world.time.sleep(10);
      return {
        refused: bad.map(({ error }) => /Invalid weight/.test(`${error}`)),
        running: await world.waitFor(limiter.running()),
      };
    },
    holds: (result) => expect(result).to.deep.equal({ refused: [true, true, true], running: 2.5 }),
  }),
  scenario({
    id: 'fault-19-settings-calls-stop-the-refill',
    title: 'updateSettings({}) does not stop a reservoir interval',
    covers: ['updateSettings()', 'reservoirRefreshInterval', 'reservoirRefreshAmount'],
    difference: 'settings-calls-stop-the-refill',
    async run(world) {
      const limiter = world.limiter({ reservoir: 0, reservoirRefreshInterval: 1000, reservoirRefreshAmount: 1 });
      const outcome = world.job(limiter, 'job');
      await world.waitFor(limiter.updateSettings({}));
      await world.time.sleep(5000);
      return outcome.began;
    },
    holds: (began) => expect(began).to.deep.equal([1000]),
  }),
  scenario({
    id: 'fault-20-reservoir-interval-is-late',
    title: 'a reservoir interval comes round on time, whatever its length',
    covers: ['reservoirIncreaseInterval', 'reservoirIncreaseAmount'],
    difference: 'reservoir-interval-is-late',
    async run(world) {
      const limiter = world.limiter({ reservoir: 0, reservoirIncreaseInterval: 300, reservoirIncreaseAmount: 1 });
      const outcomes = [0, 1, 2, 3].map((index) => world.job(limiter, `job ${index}`, { takes: 1 }));
      await world.time.sleep(5000);
      return outcomes.map((outcome) => outcome.began[0]);
    },
    holds: (began) => expect(began).to.deep.equal([300, 600, 900, 1200]),
  }),
  scenario({
    id: 'fault-24-queue-above-high-water',
    title: 'the queue never holds more than highWater, whatever the weights',
    covers: ['highWater', 'weight', 'queued()'],
    difference: 'queue-above-high-water',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 3, highWater: 1, strategy: world.Bottleneck.strategy.OVERFLOW });
      world.job(limiter, 'running', { takes: 1000, options: { weight: 2 } });
      world.job(limiter, 'heavy head', { takes: 10, options: { weight: 3 } });
      let most = 0;
      for (let i = 0; i < 10; i++) {
        world.job(limiter, `light ${i}`, { options: { weight: 1 } });
        await world.time.sleep(1);
        most = Math.max(most, limiter.queued());
      }
      await world.time.sleep(2000);
      return most;
    },
    holds: (most) => expect(most).to.equal(1),
  }),
  scenario({
    id: 'fault-24-lowered-high-water',
    title: 'a mark lowered below the length of the queue still sheds load',
    covers: ['highWater', 'updateSettings()'],
    difference: 'queue-above-high-water',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1, highWater: 5, strategy: world.Bottleneck.strategy.OVERFLOW });
      for (let i = 0; i < 5; i++) world.job(limiter, `job ${i}`, { takes: 100 });
      await world.time.sleep(1);
      await world.waitFor(limiter.updateSettings({ highWater: 2 }));
      const late = world.job(limiter, 'late');
      await world.time.sleep(2000);
      return late.error;
    },
    holds: (error) => expect(error).to.equal('BottleneckError(This job has been dropped by Bottleneck)'),
  }),
  scenario({
    id: 'fault-24-burst',
    title: 'a burst on a full queue is shed, whether or not its jobs take time',
    covers: ['highWater', 'strategy'],
    difference: 'queue-above-high-water',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1, highWater: 5, strategy: world.Bottleneck.strategy.OVERFLOW });
      for (let i = 0; i < 1000; i++) world.job(limiter, `job ${i}`, { takes: 0 });
      await world.time.sleep(1000);
      return world.outcomes.filter((outcome) => outcome.error).length;
    },
    holds: (dropped) => expect(dropped).to.be.within(1000 - 2 * 6, 1000 - 6),
  }),
  scenario({
    id: 'fault-23-idle-limiter-starts-at-once',
    title: 'an idle limiter starts a job without a turn of the timers, and one after another as fast',
    covers: ['schedule()'],
    difference: 'local-speed',
    hops: 'timed',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      const first = world.job(limiter, 'first', { takes: 0 });
      await world.time.sleep(100);
      const started = world.time.now;
      await world.waitFor(Promise.all(Array.from({ length: 100 }, () => limiter.schedule(async () => 1))));
      return { first: first.began[0], hundred: world.time.now - started < 100 };
    },
    holds: (result) => expect(result).to.deep.equal({ first: 0, hundred: true }),
  }),
  scenario({
    id: 'fault-25-priority-with-min-time-alone',
    title:
      "dispatch: 'just-in-time' keeps jobs in the queue until they may start, so that priorities work with minTime alone",
    covers: ['minTime', 'priority', 'queued()', 'dispatch'],
    difference: 'dispatch-just-in-time',
    async run(world) {
      const limiter = world.limiter({ minTime: 100, dispatch: 'just-in-time' } as object);
      for (const label of ['first', 'second']) world.job(limiter, label);
      await world.time.sleep(10);
      world.job(limiter, 'important', { options: { priority: 0 } });
      await world.time.sleep(10);
      const queued = limiter.queued();
      await world.time.sleep(1000);
      return { queued, order: world.recorder.entries('starts limiter 0').map((entry) => entry.text) };
    },
    holds: (result) => expect(result).to.deep.equal({ queued: 2, order: ['first', 'important', 'second'] }),
  }),
  scenario({
    id: 'fault-25-min-time-alone-by-default',
    title: 'by default jobs that wait for minTime alone are RUNNING, and their order is fixed',
    covers: ['minTime', 'priority', 'queued()'],
    difference: 'min-time-takes-jobs-out-of-the-queue',
    async run(world) {
      const limiter = world.limiter({ minTime: 100 });
      for (const label of ['first', 'second']) world.job(limiter, label);
      await world.time.sleep(10);
      world.job(limiter, 'important', { options: { priority: 0 } });
      await world.time.sleep(10);
      await world.look();
      const queued = limiter.queued();
      await world.time.sleep(1000);
      return { queued, order: world.recorder.entries('starts limiter 0').map((entry) => entry.text) };
    },
    holds: (result) => expect(result).to.deep.equal({ queued: 0, order: ['first', 'second', 'important'] }),
  }),
  scenario({
    id: 'fault-26-given-client-loads-nothing',
    title: 'a connection that is given its client loads no Redis library, and nothing is evaluated from text',
    covers: ['IORedisConnection', 'client'],
    difference: 'packaging',
    run(world) {
      const loaded = requestsDuring(() => {
        const Connection = (world.Bottleneck as unknown as { IORedisConnection: new (options: object) => unknown })
          .IORedisConnection;
        new Connection({ client: fakeClient() });
      });
      return loaded.filter((name) => name === 'ioredis');
    },
    holds: (loaded) => expect(loaded).to.deep.equal([]),
  }),
  scenario({
    id: 'stop-gives-back-the-weight-of-dropped-jobs',
    title: 'running() is 0 once stop() has dropped what waited and the rest has ended',
    covers: ['stop()', 'running()', 'minTime'],
    difference: 'stop-leaks-running-weight',
    async run(world) {
      const limiter = world.limiter({ minTime: 100 });
      for (const label of ['a', 'b', 'c']) world.job(limiter, label);
      await world.time.sleep(50);
      await world.waitFor(limiter.stop());
      return world.waitFor(limiter.running());
    },
    holds: (running) => expect(running).to.equal(0),
  }),
  scenario({
    id: 'reject-on-drop-counts-when-a-job-is-dropped',
    title: 'whether a dropped job rejects is decided when it is dropped',
    covers: ['rejectOnDrop', 'updateSettings()'],
    difference: 'reject-on-drop-changed-later',
    async run(world) {
      const limiter = world.limiter({ reservoir: 0 });
      const waiting = world.job(limiter, 'waiting');
      await world.time.sleep(10);
      await world.waitFor(limiter.updateSettings({ rejectOnDrop: false }) as unknown as Promise<void>);
      await world.waitFor(limiter.stop());
      await world.time.sleep(100);
      return waiting.settled;
    },
    holds: (settled) => expect(settled).to.equal(null),
  }),
  scenario({
    id: 'stop-without-dropping-shows-no-job-of-its-own',
    title: 'listeners hear of nothing but your own jobs while stop() waits',
    covers: ['stop()', 'on:received', 'counts()'],
    difference: 'stop-waits-in-a-job-of-its-own',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      const received: unknown[] = [];
      limiter.on('received', ({ args }) => received.push(args[0]));
      for (const label of ['a', 'b']) world.job(limiter, label);
      await world.waitFor(limiter.stop({ dropWaitingJobs: false }));
      return received;
    },
    holds: (received) => expect(received).to.deep.equal(['a', 'b']),
  }),
  scenario({
    id: 'disconnect-keeps-the-refill',
    title: 'jobs of an in-process limiter still get their reservoir after disconnect()',
    covers: ['disconnect()', 'reservoirRefreshInterval'],
    difference: 'local-disconnect-stops-the-refill',
    async run(world) {
      const limiter = world.limiter({ reservoir: 0, reservoirRefreshInterval: 250, reservoirRefreshAmount: 1 });
      const outcome = world.job(limiter, 'job');
      await world.time.sleep(10);
      await world.waitFor(limiter.disconnect());
      await world.time.sleep(1000);
      return outcome.began;
    },
    holds: (began) => expect(began).to.deep.equal([250]),
  }),
  scenario({
    id: 'group-clean-up-starts-with-the-first-key',
    title: 'a Group without keys has no timer',
    covers: ['Group', 'timeout'],
    difference: 'group-clean-up-starts-with-the-first-key',
    run(world) {
      new world.Bottleneck.Group({ timeout: 1000 });
      return world.time.timers;
    },
    holds: (timers) => expect(timers).to.equal(0),
  }),
  scenario({
    id: 'retry-ignores-min-time-and-reservoir',
    title: 'a retry starts after the returned wait, whatever minTime and the reservoir say',
    covers: ['on:failed', 'on:retry', 'minTime', 'reservoir'],
    difference: 'retries-ignore-limits',
    async run(world) {
      const limiter = world.limiter({ minTime: 1000, reservoir: 1 }, (_label, count) => (count === 0 ? 25 : null));
      const outcome = world.job(limiter, 'job', { takes: 10, failures: 1 });
      await world.time.sleep(2000);
      return { ...outcome, reservoir: await world.waitFor(limiter.currentReservoir()) };
    },
    holds: (result) => expect(result).to.deep.include({ began: [0, 35], settled: 45, value: 'job done', reservoir: 0 }),
  }),
];
