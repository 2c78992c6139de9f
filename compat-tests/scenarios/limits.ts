/** maxConcurrent, minTime, highWater with its strategies, and the reservoir: what a limiter lets through, and when. */

import type Bottleneck from 'bottleneck';
import { expect } from 'chai';
import { scenario } from './scenario';
import type { Outcome, World } from './world';

const DROPPED = 'BottleneckError(This job has been dropped by Bottleneck)';

function begins(outcomes: Outcome[]): Array<number | undefined> {
  return outcomes.map((outcome) => outcome.began[0]);
}

/** A limiter that is busy for 1000 ms, with a job waiting for each priority given. Labels are `<index>:<priority>`. */
async function busy(world: World, options: Bottleneck.ConstructorOptions, priorities: number[]): Promise<Bottleneck> {
  const limiter = world.limiter({ maxConcurrent: 1, ...options });
  world.job(limiter, 'running', { takes: 1000 });
  for (const [index, priority] of priorities.entries()) {
    world.job(limiter, `${index}:${priority}`, { options: { priority } });
  }
  await world.time.sleep(10);
  return limiter;
}

/** Labels of the dropped jobs, and of those that ran, in order. */
async function fates(world: World): Promise<{ dropped: string[]; ran: string[] }> {
  await world.time.sleep(20_000);
  const ran = world.outcomes.filter((outcome) => outcome.began.length > 0);
  ran.sort((a, b) => Number(a.began[0]) - Number(b.began[0]));
  return {
    dropped: world.outcomes.filter((outcome) => outcome.error === DROPPED).map((outcome) => outcome.label),
    ran: ran.map((outcome) => outcome.label),
  };
}

export const limits = [
  scenario({
    id: 'min-time-spaces-starts',
    title: 'starts are minTime apart, however long the jobs take',
    covers: ['minTime', 'schedule()', 'on:scheduled'],
    async run(world) {
      const limiter = world.limiter({ minTime: 333 });
      const outcomes = [10, 500, 0, 10].map((takes, index) => world.job(limiter, `job ${index}`, { takes }));
      await world.time.sleep(50);
      await world.look();
      await world.time.sleep(2000);
      await world.look();
      return begins(outcomes);
    },
    holds: (result) => expect(result).to.deep.equal([0, 333, 666, 999]),
  }),
  scenario({
    id: 'min-time-counts-from-the-last-start',
    title: 'a limiter that has been idle for minTime starts the next job at once',
    covers: ['minTime'],
    async run(world) {
      const limiter = world.limiter({ minTime: 100 });
      const first = world.job(limiter, 'first');
      await world.time.sleep(70);
      const second = world.job(limiter, 'second');
      await world.time.sleep(500);
      const third = world.job(limiter, 'third');
      await world.time.sleep(100);
      return begins([first, second, third]);
    },
    holds: (result) => expect(result).to.deep.equal([0, 100, 570]),
  }),
  scenario({
    id: 'max-concurrent-and-min-time',
    title: 'with both limits a job waits for the later of the two',
    covers: ['maxConcurrent', 'minTime', 'running()'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1, minTime: 333 });
      const outcomes = [500, 10, 10].map((takes, index) => world.job(limiter, `job ${index}`, { takes }));
      await world.time.sleep(400);
      await world.look();
      await world.time.sleep(2000);
      return begins(outcomes);
    },
    holds: (result) => expect(result).to.deep.equal([0, 500, 833]),
  }),
  scenario({
    id: 'max-concurrent-bounds-executing',
    title: 'never more than maxConcurrent jobs execute',
    covers: ['maxConcurrent'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 3 });
      const spans = Array.from({ length: 12 }, (_, index) =>
        world.job(limiter, `job ${index}`, { takes: 50 + index * 7 }),
      );
      await world.time.sleep(150);
      await world.look();
      await world.time.sleep(2000);
      return Math.max(
        ...spans.map(
          ({ began: [at = 0] }) => spans.filter((o) => Number(o.began[0]) <= at && at < Number(o.settled)).length,
        ),
      );
    },
    holds: (most) => expect(most).to.equal(3),
  }),
  scenario({
    id: 'order-is-that-of-arrival',
    title: 'jobs of one priority start in the order in which they came',
    covers: ['schedule()'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 2 });
      for (let i = 0; i < 20; i++) world.job(limiter, `job ${i}`, { takes: 5 + ((i * 13) % 11) });
      await world.time.sleep(1000);
      return world.recorder.entries('starts limiter 0').map((entry) => entry.text);
    },
    holds: (order) => expect(order).to.deep.equal(Array.from({ length: 20 }, (_, i) => `job ${i}`)),
  }),
  scenario({
    id: 'no-limits-by-default',
    title: 'without options everything starts at once',
    covers: ['maxConcurrent', 'minTime', 'highWater', 'reservoir'],
    async run(world) {
      const limiter = world.limiter();
      const outcomes = Array.from({ length: 100 }, (_, i) => world.job(limiter, `job ${i}`));
      await world.time.sleep(0);
      await world.look();
      await world.time.sleep(100);
      return new Set(begins(outcomes)).size;
    },
    holds: (moments) => expect(moments).to.equal(1),
  }),
  scenario({
    id: 'min-time-zero-and-null',
    title: 'maxConcurrent null is unlimited, and minTime 0 none',
    covers: ['maxConcurrent', 'minTime'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: null, minTime: 0, highWater: null, reservoir: null });
      const outcomes = [0, 1, 2].map((index) => world.job(limiter, `job ${index}`));
      await world.time.sleep(100);
      return begins(outcomes);
    },
    holds: (result) => expect(result).to.deep.equal([0, 0, 0]),
  }),
  scenario({
    id: 'no-high-water-sheds-nothing',
    title: 'no strategy acts without highWater',
    covers: ['strategy', 'highWater'],
    async run(world) {
      await busy(world, { strategy: world.Bottleneck.strategy.BLOCK }, Array(50).fill(5));
      return (await fates(world)).dropped;
    },
    holds: (dropped) => expect(dropped).to.deep.equal([]),
  }),
  scenario({
    id: 'leak-is-the-default',
    title: 'without a strategy a full queue gives up its oldest job',
    covers: ['strategy', 'highWater'],
    async run(world) {
      await busy(world, { highWater: 2 }, [5, 5, 5]);
      return fates(world);
    },
    holds: (result) => expect(result).to.deep.equal({ dropped: ['0:5'], ran: ['running', '1:5', '2:5'] }),
  }),
  scenario({
    id: 'leak-drops-the-oldest-of-the-least-important',
    title: 'LEAK gives up the oldest job of the lowest priority',
    covers: ['strategy', 'highWater', 'on:dropped'],
    async run(world) {
      const limiter = await busy(world, { highWater: 3, strategy: world.Bottleneck.strategy.LEAK }, [7, 5, 7]);
      world.job(limiter, 'new', { options: { priority: 5 } });
      return fates(world);
    },
    holds: (result) => expect(result).to.deep.equal({ dropped: ['0:7'], ran: ['running', '1:5', 'new', '2:7'] }),
  }),
  scenario({
    id: 'leak-refuses-what-is-less-important-than-all',
    title: 'LEAK refuses a job that is less important than everything that waits',
    covers: ['strategy', 'highWater'],
    async run(world) {
      const limiter = await busy(world, { highWater: 2, strategy: world.Bottleneck.strategy.LEAK }, [3, 4]);
      world.job(limiter, 'new', { options: { priority: 5 } });
      return fates(world);
    },
    holds: (result) => expect(result).to.deep.equal({ dropped: ['new'], ran: ['running', '0:3', '1:4'] }),
  }),
  scenario({
    id: 'overflow-priority-drops-only-the-less-important',
    title: 'OVERFLOW_PRIORITY gives up a job only for a more important one',
    covers: ['strategy', 'highWater'],
    async run(world) {
      const { strategy } = world.Bottleneck;
      const limiter = await busy(world, { highWater: 2, strategy: strategy.OVERFLOW_PRIORITY }, [5, 6]);
      world.job(limiter, 'equal', { options: { priority: 6 } });
      await world.time.sleep(10);
      world.job(limiter, 'more', { options: { priority: 4 } });
      return fates(world);
    },
    holds: (result) => expect(result).to.deep.equal({ dropped: ['1:6', 'equal'], ran: ['running', 'more', '0:5'] }),
  }),
  scenario({
    id: 'overflow-refuses-the-new-job',
    title: 'OVERFLOW refuses the new job, whatever its priority',
    covers: ['strategy', 'highWater'],
    async run(world) {
      const limiter = await busy(world, { highWater: 1, strategy: world.Bottleneck.strategy.OVERFLOW }, [5]);
      world.job(limiter, 'new', { options: { priority: 0 } });
      return fates(world);
    },
    holds: (result) => expect(result).to.deep.equal({ dropped: ['new'], ran: ['running', '0:5'] }),
  }),
  scenario({
    id: 'high-water-zero-refuses-what-would-wait',
    title: 'with highWater 0 a job runs at once or not at all',
    covers: ['highWater'],
    async run(world) {
      await busy(world, { highWater: 0, strategy: world.Bottleneck.strategy.OVERFLOW }, [5, 5]);
      return fates(world);
    },
    holds: (result) => expect(result).to.deep.equal({ dropped: ['0:5', '1:5'], ran: ['running'] }),
  }),
  scenario({
    id: 'block-drops-all-and-refuses',
    title: 'BLOCK drops all that waits, and refuses every job while it lasts',
    covers: ['strategy', 'highWater', 'penalty'],
    async run(world) {
      const strategy = world.Bottleneck.strategy.BLOCK;
      const limiter = await busy(world, { highWater: 2, strategy, penalty: 3000 }, [5, 5, 0]);
      await world.time.sleep(2000);
      world.job(limiter, 'during');
      await world.time.settle();
      await world.look();
      return fates(world);
    },
    holds: (result) => expect(result).to.deep.equal({ dropped: ['0:5', '1:5', '2:0', 'during'], ran: ['running'] }),
  }),
  scenario({
    id: 'block-ends-after-a-quiet-penalty',
    title: 'blocked mode ends once penalty ms have passed without a new job: each submission starts them anew',
    covers: ['strategy', 'penalty'],
    async run(world) {
      const strategy = world.Bottleneck.strategy.BLOCK;
      const limiter = await busy(world, { highWater: 0, strategy, penalty: 3000 }, [5]);
      await world.time.until(2500);
      const during = world.job(limiter, 'during');
      await world.time.until(5000);
      const still = world.job(limiter, 'still');
      await world.time.until(8001);
      const after = world.job(limiter, 'after');
      await world.time.sleep(5000);
      return [during.error, still.error, after.began[0]];
    },
    holds: (result) => expect(result).to.deep.equal([DROPPED, DROPPED, 8001]),
  }),
  scenario({
    id: 'block-penalty-is-fifteen-min-times',
    title: 'the penalty defaults to 15 times minTime',
    covers: ['penalty', 'minTime'],
    async run(world) {
      const limiter = await busy(world, { highWater: 0, strategy: world.Bottleneck.strategy.BLOCK, minTime: 100 }, [5]);
      await world.time.until(1400);
      const check = await world.waitFor(limiter.check());
      await world.time.until(1700);
      return [check, await world.waitFor(limiter.check())];
    },
    holds: (result) => expect(result).to.deep.equal([false, true]),
  }),
  scenario({
    id: 'block-penalty-is-five-seconds-without-min-time',
    title: 'the penalty defaults to 5000 ms when minTime is 0',
    covers: ['penalty'],
    async run(world) {
      const limiter = await busy(world, { highWater: 0, strategy: world.Bottleneck.strategy.BLOCK }, [5]);
      await world.time.until(4900);
      const check = await world.waitFor(limiter.check());
      await world.time.until(5100);
      return [check, await world.waitFor(limiter.check())];
    },
    holds: (result) => expect(result).to.deep.equal([false, true]),
  }),
  scenario({
    id: 'reservoir-counts-down-to-zero',
    title: 'each start takes its weight from the reservoir; at 0 jobs are queued but not started',
    covers: ['reservoir', 'currentReservoir()', 'weight', 'on:depleted'],
    async run(world) {
      const limiter = world.limiter({ reservoir: 4 });
      for (const [index, weight] of [1, 2, 1, 1].entries()) world.job(limiter, `job ${index}`, { options: { weight } });
      await world.time.sleep(1000);
      await world.look();
      return { left: await world.waitFor(limiter.currentReservoir()), queued: limiter.queued() };
    },
    holds: (result) => expect(result).to.deep.equal({ left: 0, queued: 1 }),
  }),
  scenario({
    id: 'reservoir-refresh-sets-the-amount',
    title: 'every reservoirRefreshInterval the reservoir becomes reservoirRefreshAmount, and waiting jobs start',
    covers: ['reservoirRefreshInterval', 'reservoirRefreshAmount'],
    async run(world) {
      const limiter = world.limiter({ reservoir: 2, reservoirRefreshAmount: 3, reservoirRefreshInterval: 1000 });
      const outcomes = Array.from({ length: 7 }, (_, index) => world.job(limiter, `job ${index}`));
      await world.time.sleep(3500);
      await world.look();
      return { began: begins(outcomes), left: await world.waitFor(limiter.currentReservoir()) };
    },
    holds: (result) => expect(result).to.deep.equal({ began: [0, 0, 1000, 1000, 1000, 2000, 2000], left: 3 }),
  }),
  scenario({
    id: 'reservoir-refresh-with-other-limits',
    title: 'minTime and maxConcurrent spread out what a refresh releases',
    covers: ['reservoirRefreshInterval', 'maxConcurrent', 'minTime'],
    async run(world) {
      const limiter = world.limiter({
        reservoir: 1,
        reservoirRefreshAmount: 3,
        reservoirRefreshInterval: 1000,
        maxConcurrent: 1,
        minTime: 100,
      });
      const outcomes = Array.from({ length: 4 }, (_, index) => world.job(limiter, `job ${index}`, { takes: 150 }));
      await world.time.sleep(3000);
      return begins(outcomes);
    },
    holds: (result) => expect(result).to.deep.equal([0, 1000, 1150, 1300]),
  }),
  scenario({
    id: 'reservoir-interval-starts-with-the-limiter',
    title: 'the interval runs from the making of the limiter, not from the first job',
    covers: ['reservoirRefreshInterval'],
    async run(world) {
      const limiter = world.limiter({ reservoir: 5, reservoirRefreshAmount: 5, reservoirRefreshInterval: 1000 });
      await world.time.until(999);
      const outcomes = Array.from({ length: 10 }, (_, index) => world.job(limiter, `job ${index}`));
      await world.time.until(1500);
      return begins(outcomes);
    },
    holds: (result) => expect(result).to.deep.equal([...Array(5).fill(999), ...Array(5).fill(1000)]),
  }),
  scenario({
    id: 'reservoir-increase-adds-up-to-the-maximum',
    title: 'every reservoirIncreaseInterval adds reservoirIncreaseAmount, up to reservoirIncreaseMaximum',
    covers: ['reservoirIncreaseInterval', 'reservoirIncreaseAmount', 'reservoirIncreaseMaximum'],
    async run(world) {
      const limiter = world.limiter({
        reservoir: 0,
        reservoirIncreaseAmount: 2,
        reservoirIncreaseInterval: 1000,
        reservoirIncreaseMaximum: 5,
      });
      const seen: unknown[] = [];
      for (let at = 500; at < 5000; at += 1000) {
        await world.time.until(at);
        seen.push(await world.waitFor(limiter.currentReservoir()));
      }
      return seen;
    },
    holds: (seen) => expect(seen).to.deep.equal([0, 2, 4, 5, 5]),
  }),
  scenario({
    id: 'reservoir-increase-starts-what-waits',
    title: 'an increase without a maximum starts as many as it allows',
    covers: ['reservoirIncreaseInterval', 'reservoirIncreaseAmount'],
    async run(world) {
      const limiter = world.limiter({ reservoir: 1, reservoirIncreaseAmount: 2, reservoirIncreaseInterval: 1000 });
      const outcomes = Array.from({ length: 5 }, (_, index) => world.job(limiter, `job ${index}`));
      await world.time.sleep(3000);
      return begins(outcomes);
    },
    holds: (result) => expect(result).to.deep.equal([0, 1000, 1000, 2000, 2000]),
  }),
  scenario({
    id: 'heavy-head-waits-for-its-weight',
    title: 'a heavy job at the head of the queue waits for its weight and holds up lighter ones behind it',
    covers: ['weight', 'maxConcurrent'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 3 });
      const outcomes = [
        world.job(limiter, 'a', { takes: 100, options: { weight: 2 } }),
        world.job(limiter, 'heavy', { takes: 100, options: { weight: 3 } }),
        world.job(limiter, 'light', { takes: 100 }),
      ];
      await world.time.sleep(50);
      await world.look();
      await world.time.sleep(1000);
      return begins(outcomes);
    },
    holds: (result) => expect(result).to.deep.equal([0, 100, 200]),
  }),
];
