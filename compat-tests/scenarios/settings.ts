/** updateSettings and the reservoir's two methods. */
import { expect } from 'chai';
import { scenario } from './scenario';

// biome-ignore lint/suspicious/noExplicitAny: calls that the types forbid
type Any = any;

export const settings = [
  scenario({
    id: 'update-settings-resolves-to-the-limiter',
    title: 'updateSettings() resolves to the limiter',
    covers: ['updateSettings()'],
    async run(world) {
      const limiter = world.limiter();
      return (await world.waitFor(limiter.updateSettings({ minTime: 10 }) as Any)) === limiter;
    },
    holds: (same) => expect(same).to.equal(true),
  }),
  scenario({
    id: 'update-settings-starts-what-may-start-now',
    title: 'a raised maxConcurrent lets waiting jobs start, a lowered one lets running jobs end',
    covers: ['updateSettings()', 'maxConcurrent'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      const outcomes = Array.from({ length: 5 }, (_, index) => world.job(limiter, `job ${index}`, { takes: 100 }));
      await world.time.sleep(50);
      await world.waitFor(limiter.updateSettings({ maxConcurrent: 3 }) as Any);
      await world.time.sleep(10);
      await world.waitFor(limiter.updateSettings({ maxConcurrent: 1 }) as Any);
      await world.time.sleep(1000);
      return outcomes.map((outcome) => outcome.began[0]);
    },
    holds: (began) => expect(began).to.deep.equal([0, 50, 50, 150, 250]),
  }),
  scenario({
    id: 'update-settings-leaves-scheduled-jobs',
    title: 'jobs that have their slot keep the time they were given',
    covers: ['updateSettings()', 'minTime'],
    async run(world) {
      const limiter = world.limiter({ minTime: 200 });
      const outcomes = [0, 1, 2].map((index) => world.job(limiter, `job ${index}`));
      await world.time.sleep(50);
      await world.waitFor(limiter.updateSettings({ minTime: 0 }) as Any);
      const late = [0, 1].map((index) => world.job(limiter, `late ${index}`));
      await world.time.sleep(2000);
      return [...outcomes, ...late].map((outcome) => outcome.began[0]);
    },
    holds: (began) => expect(began).to.deep.equal([0, 200, 400, 600, 600]),
  }),
  scenario({
    id: 'update-settings-keeps-the-rest',
    title: 'settings that are not named stay as they are',
    covers: ['updateSettings()'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1, minTime: 50 });
      await world.waitFor(limiter.updateSettings({ highWater: 5 }) as Any);
      const outcomes = [0, 1].map((index) => world.job(limiter, `job ${index}`, { takes: 10 }));
      await world.time.sleep(200);
      return outcomes.map((outcome) => outcome.began[0]);
    },
    holds: (began) => expect(began).to.deep.equal([0, 50]),
  }),
  scenario({
    id: 'update-settings-null-lifts-a-limit',
    title: 'null takes a limit away',
    covers: ['updateSettings()', 'maxConcurrent', 'highWater', 'reservoir'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1, highWater: 1, reservoir: 1 });
      world.job(limiter, 'running', { takes: 100 });
      await world.time.sleep(10);
      const changes = { maxConcurrent: null, highWater: null, reservoir: null };
      await world.waitFor(limiter.updateSettings(changes) as Any);
      const outcomes = [0, 1, 2].map((index) => world.job(limiter, `job ${index}`));
      await world.time.sleep(200);
      return outcomes.map((outcome) => outcome.began[0]);
    },
    holds: (began) => expect(began).to.deep.equal([10, 10, 10]),
  }),
  scenario({
    id: 'update-settings-sets-the-reservoir',
    title: 'updateSettings({ reservoir }) sets what is left, and waiting jobs start',
    covers: ['updateSettings()', 'reservoir', 'currentReservoir()'],
    async run(world) {
      const limiter = world.limiter({ reservoir: 0 });
      const outcome = world.job(limiter, 'job');
      await world.time.sleep(100);
      await world.waitFor(limiter.updateSettings({ reservoir: 3 }) as Any);
      await world.time.sleep(100);
      return [outcome.began[0], await world.waitFor(limiter.currentReservoir())];
    },
    holds: (result) => expect(result).to.deep.equal([100, 2]),
  }),
  scenario({
    id: 'update-settings-of-the-instance',
    title: 'rejectOnDrop and id can be changed as well',
    covers: ['updateSettings()', 'rejectOnDrop', 'channel()'],
    async run(world) {
      const limiter = world.limiter({ id: 'before', maxConcurrent: 1, highWater: 0, strategy: 2 as Any });
      await world.waitFor(limiter.updateSettings({ id: 'after', rejectOnDrop: false } as Any) as Any);
      world.job(limiter, 'running', { takes: 50 });
      const dropped = world.job(limiter, 'dropped');
      await world.time.sleep(200);
      return [limiter.id, limiter.channel(), dropped.settled];
    },
    holds: (result) => expect(result).to.deep.equal(['after', 'b_after', null]),
  }),
  scenario({
    id: 'increment-reservoir-gives-the-new-value',
    title: 'incrementReservoir() adds, also a negative number, starts what waits, and gives the new value',
    covers: ['incrementReservoir()', 'currentReservoir()'],
    async run(world) {
      const limiter = world.limiter({ reservoir: 0 });
      const outcomes = [0, 1, 2].map((index) => world.job(limiter, `job ${index}`));
      await world.time.sleep(100);
      const raised = await world.waitFor(limiter.incrementReservoir(2));
      await world.time.sleep(100);
      const lowered = await world.waitFor(limiter.incrementReservoir(-4));
      return {
        raised,
        lowered,
        left: await world.waitFor(limiter.currentReservoir()),
        began: outcomes.map((outcome) => outcome.began[0]),
      };
    },
    holds: (result) => expect(result).to.deep.equal({ raised: 2, lowered: -4, left: -4, began: [100, 100, undefined] }),
  }),
  scenario({
    id: 'current-reservoir-without-one',
    title: 'currentReservoir() is null when there is no reservoir',
    covers: ['currentReservoir()'],
    run: (world) => world.waitFor(world.limiter().currentReservoir()),
    holds: (reservoir) => expect(reservoir).to.equal(null),
  }),
  scenario({
    id: 'fault-21-increment-without-a-reservoir',
    title: 'incrementReservoir() on a limiter without a reservoir counts from 0',
    covers: ['incrementReservoir()'],
    async run(world) {
      const limiter = world.limiter();
      const given = await world.waitFor(limiter.incrementReservoir(2));
      for (const label of ['a', 'b', 'c']) world.job(limiter, label);
      await world.time.sleep(100);
      return { given, queued: limiter.queued() };
    },
    holds: (result) => expect(result).to.deep.equal({ given: 2, queued: 1 }),
  }),
];
