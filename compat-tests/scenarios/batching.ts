/** Batchers. */
import { expect } from 'chai';
import { scenario } from './scenario';
import type { World } from './world';

/** Batches as `<time>: items`. */
function batchesOf(world: World, batcher: InstanceType<World['Bottleneck']['Batcher']>): string[] {
  const batches: string[] = [];
  batcher.on('batch', (items) => batches.push(`${world.time.now}: ${items.join(' ')}`));
  return batches;
}

export const batching = [
  scenario({
    id: 'batcher-flushes-at-max-size',
    title: 'a batch of maxSize items is flushed at once',
    covers: ['Batcher', 'maxSize', 'on:batch', 'add()'],
    async run(world) {
      const batcher = new world.Bottleneck.Batcher({ maxSize: 3 });
      const batches = batchesOf(world, batcher);
      for (const item of [1, 2, 3, 4, 5, 6, 7]) void batcher.add(item);
      await world.time.sleep(60_000);
      return batches;
    },
    holds: (batches) => expect(batches).to.deep.equal(['0: 1 2 3', '0: 4 5 6']),
  }),
  scenario({
    id: 'batcher-flushes-after-max-time',
    title: 'a batch is flushed maxTime ms after its first item',
    covers: ['Batcher', 'maxTime', 'on:batch', 'add()'],
    async run(world) {
      const batcher = new world.Bottleneck.Batcher({ maxTime: 100 });
      const batches = batchesOf(world, batcher);
      for (const at of [0, 50, 99, 120, 300]) {
        await world.time.until(at);
        void batcher.add(at);
      }
      await world.time.sleep(1000);
      return batches;
    },
    holds: (batches) => expect(batches).to.deep.equal(['100: 0 50 99', '220: 120', '400: 300']),
  }),
  scenario({
    id: 'batcher-flushes-at-whichever-comes-first',
    title: 'with both limits a batch is flushed when the first of them is met',
    covers: ['Batcher', 'maxTime', 'maxSize'],
    async run(world) {
      const batcher = new world.Bottleneck.Batcher({ maxTime: 100, maxSize: 2 });
      const batches = batchesOf(world, batcher);
      for (const at of [0, 10, 20, 300, 350]) {
        await world.time.until(at);
        void batcher.add(at);
      }
      await world.time.sleep(1000);
      return batches;
    },
    holds: (batches) => expect(batches).to.deep.equal(['10: 0 10', '120: 20', '350: 300 350']),
  }),
  scenario({
    id: 'batcher-add-resolves-when-flushed',
    title: 'add() resolves when its batch has been flushed; all items of a batch share one promise',
    covers: ['Batcher', 'add()'],
    async run(world) {
      const batcher = new world.Bottleneck.Batcher({ maxTime: 100, maxSize: 2 });
      const promises = ['a', 'b', 'c'].map((item) => batcher.add(item));
      const outcomes = promises.map((promise, index) => {
        const outcome = world.outcome(`${index}`);
        world.follow(outcome, promise);
        return outcome;
      });
      await world.time.sleep(1000);
      return { shared: promises[0] === promises[1], settled: outcomes.map((outcome) => outcome.settled) };
    },
    holds: (result) => expect(result).to.deep.equal({ shared: true, settled: [0, 0, 100] }),
  }),
  scenario({
    id: 'batcher-item-added-by-a-listener',
    title: 'an item that a "batch" listener adds belongs to the next batch',
    covers: ['Batcher', 'add()', 'on:batch'],
    difference: 'item-added-inside-of-a-batch-listener',
    async run(world) {
      const batcher = new world.Bottleneck.Batcher({ maxTime: 100, maxSize: 2 });
      const batches = batchesOf(world, batcher);
      let more = true;
      batcher.on('batch', () => {
        if (more) void batcher.add('added');
        more = false;
      });
      for (const item of ['a', 'b']) void batcher.add(item);
      await world.time.sleep(1000);
      return batches;
    },
    holds: (batches) => expect(batches).to.deep.equal(['0: a b', '100: added']),
  }),
  scenario({
    id: 'batcher-beside-a-limiter',
    title: 'a Batcher limits nothing: batches that are to be limited are scheduled',
    covers: ['Batcher', 'schedule()'],
    async run(world) {
      const batcher = new world.Bottleneck.Batcher({ maxSize: 2 });
      const limiter = world.limiter({ minTime: 100 });
      const outcomes: number[] = [];
      batcher.on('batch', (items) => {
        void limiter.schedule(async () => outcomes.push(world.time.now, items.length));
      });
      for (const item of [1, 2, 3, 4]) void batcher.add(item);
      await world.time.sleep(500);
      return outcomes;
    },
    holds: (outcomes) => expect(outcomes).to.deep.equal([0, 2, 100, 2]),
  }),
];
