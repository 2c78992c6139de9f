/** Events: which come when, with what, and the methods of emitters. */
import { expect } from 'chai';
import { scenario } from './scenario';

// biome-ignore lint/suspicious/noExplicitAny: calls that the types forbid
type Any = any;

const JOB_EVENTS = ['received', 'queued', 'scheduled', 'executing', 'failed', 'retry', 'done', 'dropped'];
const LIMITER_EVENTS = ['empty', 'idle', 'depleted', 'error', 'message'];

/** Names of all events but `debug` from now on, in order. */
function namesOf(limiter: Any): string[] {
  const names: string[] = [];
  for (const name of [...JOB_EVENTS, ...LIMITER_EVENTS]) {
    limiter.on(name, () => {
      names.push(name);
    });
  }
  return names;
}

export const events = [
  scenario({
    id: 'lifecycle-events-in-order',
    title: 'a job is announced as received, queued, scheduled, executing and done; then the limiter is idle',
    covers: ['on:received', 'on:queued', 'on:scheduled', 'on:executing', 'on:done', 'on:empty', 'on:idle', 'on()'],
    async run(world) {
      const limiter = new world.Bottleneck();
      const names = namesOf(limiter);
      await world.waitFor(limiter.schedule(() => world.pause(10)));
      await world.time.sleep(10);
      return names;
    },
    holds: (names) =>
      expect(names).to.deep.equal(['received', 'queued', 'empty', 'scheduled', 'executing', 'done', 'idle']),
  }),
  scenario({
    id: 'lifecycle-events-carry-the-job',
    title: 'each of them carries the arguments and the complete options of the job',
    covers: ['on:received', 'on:queued', 'on:scheduled', 'on:executing', 'on:done'],
    async run(world) {
      const limiter = new world.Bottleneck();
      const infos: unknown[] = [];
      for (const name of ['received', 'queued', 'scheduled', 'executing', 'done']) {
        (limiter as Any).on(name, (info: unknown) => infos.push(structuredClone(info)));
      }
      await world.waitFor(
        limiter.schedule({ id: 'job', priority: 3 }, async (a: string, b: string) => a + b, 'x', 'y'),
      );
      return infos;
    },
    holds: (infos) => {
      const job = { args: ['x', 'y'], options: { id: 'job', priority: 3, weight: 1, expiration: null } };
      expect(infos).to.deep.equal([
        job,
        { ...job, reachedHWM: false, blocked: false },
        job,
        { ...job, retryCount: 0 },
        { ...job, retryCount: 0 },
      ]);
    },
  }),
  scenario({
    id: 'failed-comes-for-each-failure',
    title: '"failed" comes each time that a job fails, with the error and the job',
    covers: ['on:failed'],
    async run(world) {
      const limiter = world.limiter();
      const failures: unknown[] = [];
      limiter.on('failed', (error, { args, options, retryCount }) => {
        failures.push([error.message, args, options.id, retryCount]);
      });
      world.job(limiter, 'bad', { failures: 1 });
      world.job(limiter, 'good');
      world.job(limiter, 'slow', { takes: 100, options: { expiration: 30 } });
      await world.time.sleep(200);
      return failures;
    },
    holds: (failures) =>
      expect(failures).to.deep.equal([
        ['bad failed', ['bad'], 'bad', 0],
        ['This job timed out after 30 ms.', ['slow'], 'slow', 0],
      ]),
  }),
  scenario({
    id: 'dropped-carries-the-job-and-its-promise',
    title: '"dropped" carries the arguments, the options, the function and the promise of the job',
    covers: ['on:dropped', 'strategy'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1, highWater: 0, strategy: world.Bottleneck.strategy.OVERFLOW });
      const dropped: Any[] = [];
      limiter.on('dropped', (info) => dropped.push(info));
      world.job(limiter, 'running');
      const task = async (): Promise<void> => {};
      const promise = limiter.schedule({ id: 'shed' }, task, 'argument' as never);
      world.follow(world.outcome('shed'), promise);
      await world.time.sleep(100);
      const [info] = dropped;
      return [dropped.length, info.args, info.options.id, info.task === task, info.promise === promise];
    },
    holds: (result) => expect(result).to.deep.equal([1, ['argument'], 'shed', true, true]),
  }),
  scenario({
    id: 'empty-and-idle',
    title: '"empty" comes when the queue has run empty, "idle" when nothing runs any more either',
    covers: ['on:empty', 'on:idle'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      for (const label of ['a', 'b', 'c']) world.job(limiter, label, { takes: 100 });
      await world.time.sleep(1000);
      world.job(limiter, 'd', { takes: 100 });
      await world.time.sleep(1000);
      return world.recorder.entries('limiter limiter 0').map(({ at, text }) => `${at} ${text}`);
    },
    holds: (told) => expect(told.slice(-4)).to.deep.equal(['200 empty', '300 idle', '1000 empty', '1100 idle']),
  }),
  scenario({
    id: 'depleted-when-the-reservoir-is-used-up',
    title: '"depleted" comes each time that the reservoir drops to 0, and tells whether the queue is empty',
    covers: ['on:depleted', 'incrementReservoir()'],
    async run(world) {
      const limiter = world.limiter({ reservoir: 2 });
      for (const label of ['a', 'b', 'c']) world.job(limiter, label);
      await world.time.sleep(100);
      await world.waitFor(limiter.incrementReservoir(1));
      await world.time.sleep(100);
      return world.recorder
        .entries('limiter limiter 0')
        .filter(({ text }) => text.startsWith('depleted'))
        .map(({ text }) => text);
    },
    holds: (told) => expect(told).to.deep.equal(['depleted false', 'depleted true']),
  }),
  scenario({
    id: 'debug-hears-of-every-event',
    title: '"debug" tells of every other event, with its arguments',
    covers: ['on:debug'],
    async run(world) {
      const limiter = new world.Bottleneck();
      const told: unknown[] = [];
      limiter.on('debug', (message, data) => {
        if (message.startsWith('Event triggered')) told.push([message, Array.isArray(data)]);
      });
      await world.waitFor(limiter.schedule(async () => 1));
      await world.time.sleep(10);
      return told;
    },
    holds: (told) =>
      expect(told).to.deep.equal(
        ['received', 'queued', 'empty', 'scheduled', 'executing', 'done', 'idle'].map((name) => [
          `Event triggered: ${name}`,
          true,
        ]),
      ),
  }),
  scenario({
    id: 'failing-listeners-become-error-events',
    title: 'what a listener throws, or rejects with, becomes an "error" event; the job is not affected',
    covers: ['on:error', 'on:executing', 'on:done'],
    async run(world) {
      const limiter = world.limiter();
      const errors: string[] = [];
      limiter.on('error', (error) => errors.push(error.message));
      limiter.on('executing', () => {
        throw new Error('thrown');
      });
      limiter.on('done', (async () => {
        throw new Error('rejected');
      }) as Any);
      const outcome = world.job(limiter, 'job');
      await world.time.sleep(100);
      return { errors, value: outcome.value };
    },
    holds: (result) => expect(result).to.deep.equal({ errors: ['thrown', 'rejected'], value: 'job done' }),
  }),
  scenario({
    id: 'failing-listener-of-failed-asks-for-no-retry',
    title: 'a "failed" listener that fails counts as one that returned nothing',
    covers: ['on:failed', 'on:error'],
    async run(world) {
      const limiter = world.limiter();
      limiter.on('failed', () => {
        throw new Error('from the listener');
      });
      const outcome = world.job(limiter, 'job', { failures: 1 });
      await world.time.sleep(100);
      return [
        outcome.error,
        world.recorder.entries('limiter limiter 0').filter(({ text }) => /error/.test(text)).length,
      ];
    },
    holds: (result) => expect(result).to.deep.equal(['Error(job failed)', 1]),
  }),
  scenario({
    id: 'once-hears-one-event',
    title: 'a listener added with once() hears the next event only',
    covers: ['once()'],
    async run(world) {
      const limiter = world.limiter();
      let [once, always] = [0, 0];
      limiter.once('executing', () => once++);
      limiter.on('executing', () => always++);
      for (const label of ['a', 'b', 'c']) world.job(limiter, label);
      await world.time.sleep(100);
      return [once, always];
    },
    holds: (calls) => expect(calls).to.deep.equal([1, 3]),
  }),
  scenario({
    id: 'remove-all-listeners-of-a-name-or-all',
    title: 'removeAllListeners() removes those of one event, or all',
    covers: ['removeAllListeners()'],
    async run(world) {
      const limiter = new world.Bottleneck();
      const heard: string[] = [];
      for (const name of ['executing', 'done', 'idle']) (limiter as Any).on(name, () => heard.push(name));
      limiter.removeAllListeners('executing');
      await world.waitFor(limiter.schedule(async () => 1));
      await world.time.sleep(10);
      limiter.removeAllListeners();
      await world.waitFor(limiter.schedule(async () => 1));
      await world.time.sleep(10);
      return heard;
    },
    holds: (heard) => expect(heard).to.deep.equal(['done', 'idle']),
  }),
  scenario({
    id: 'on-and-once-give-the-limiter',
    title: 'on() and once() give the limiter, so that calls can follow each other',
    covers: ['on()', 'once()'],
    run(world) {
      const limiter = new world.Bottleneck() as Any;
      return [limiter.on('done', () => {}) === limiter, limiter.once('done', () => {}) === limiter];
    },
    holds: (same) => expect(same).to.deep.equal([true, true]),
  }),
  scenario({
    id: 'remove-all-listeners-gives-the-limiter',
    title: 'removeAllListeners() gives the limiter as well',
    covers: ['removeAllListeners()'],
    difference: 'remove-all-listeners-result',
    run(world) {
      const limiter = new world.Bottleneck() as Any;
      return [limiter.removeAllListeners('done') === limiter, limiter.removeAllListeners() === limiter];
    },
    holds: (same) => expect(same).to.deep.equal([true, true]),
  }),
  scenario({
    id: 'listener-count-without-spent-ones',
    title: 'listenerCount() of Events leaves out once() listeners that were called',
    covers: ['Events', 'listenerCount()'],
    difference: 'spent-listeners-are-not-counted',
    run(world) {
      const Events = (world.Bottleneck as Any).Events;
      const emitter = {} as Any;
      const events = new Events(emitter);
      emitter.once('event', () => {});
      const before = events.listenerCount('event');
      void events.trigger('event');
      return [before, events.listenerCount('event')];
    },
    holds: (counts) => expect(counts).to.deep.equal([1, 0]),
  }),
  scenario({
    id: 'events-give-methods-to-any-object',
    title: 'new Events(object) gives an object on, once and removeAllListeners, once only',
    covers: ['Events', 'trigger()'],
    async run(world) {
      const Events = (world.Bottleneck as Any).Events;
      const emitter = {} as Any;
      const events = new Events(emitter);
      const heard: unknown[] = [];
      emitter.on('event', (...args: unknown[]) => {
        heard.push(args);
      });
      emitter.on('event', async () => null);
      emitter.on('event', async () => 'first result');
      emitter.on('event', () => 'second result');
      const result = await world.waitFor(events.trigger('event', 1, 2));
      return { heard, result, again: world.thrownBy(() => new Events(emitter)), nobody: events.listenerCount('other') };
    },
    holds: (result) =>
      expect(result).to.deep.equal({
        heard: [[1, 2]],
        result: 'first result',
        again: 'Error(An Emitter already exists for this object)',
        nobody: 0,
      }),
  }),
  scenario({
    id: 'events-come-for-jobs-submitted-by-listeners',
    title: 'a listener may schedule further jobs',
    covers: ['on:done', 'on:idle'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      let more = 3;
      limiter.on('done', () => {
        if (more-- > 0) world.job(limiter, `more ${more}`);
      });
      world.job(limiter, 'first');
      await world.time.sleep(200);
      return world.outcomes.map((outcome) => outcome.settled);
    },
    holds: (settled) => expect(settled).to.deep.equal([10, 20, 30, 40]),
  }),
  scenario({
    id: 'debug-tells-of-slots',
    title: 'besides events, "debug" tells when a job gets its slot, gives it back, or cannot be queued; no more',
    covers: ['on:debug'],
    difference: 'debug-messages',
    async run(world) {
      const limiter = new world.Bottleneck({ maxConcurrent: 1 });
      const told: string[] = [];
      limiter.on('debug', (message) => {
        if (!message.startsWith('Event triggered')) told.push(message);
      });
      await world.waitFor(limiter.schedule({ id: 'job' }, async () => 1));
      await world.waitFor(limiter.schedule({ id: 'heavy', weight: 2 }, async () => 1).catch(() => {}));
      return told;
    },
    holds: (told) => expect(told).to.deep.equal(['Drained job', 'Freed job', 'Could not queue heavy']),
  }),
];
