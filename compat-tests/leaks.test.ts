// Stands in for upstream's two tests that need the module `leakage`, which no longer builds: what a limiter or a job
// took must be free again once it is over. Measured as the growth of the heap after garbage collection.

import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v8 from 'node:v8';
import * as vm from 'node:vm';
import { expect } from 'chai';
import Bottleneck from '../lib/index';

/** Odd, for the median. */
const ROUNDS = 7;
/** A job that stays behind holds some 1,500 bytes, a limiter 3,000; the median's own noise is about 50. */
const ALLOWED_BYTES_PER_ITEM = 250;

// The flag lets any context made later have `gc`, so that the tests need no flag on the command line.
v8.setFlagsFromString('--expose-gc');
const collectGarbage: () => void = vm.runInNewContext('gc');

type Round = (items: number) => Promise<void>;

/**
 * Bytes that each item leaves behind: the median over the rounds, since what the engine compiles or caches grows the
 * heap in one round or two, and a leak in every one.
 */
async function bytesLeftPerItem(items: number, round: Round): Promise<number> {
  await round(items);
  const growths: number[] = [];
  let before = await heapInUse();
  for (let count = 0; count < ROUNDS; count++) {
    await round(items);
    const after = await heapInUse();
    growths.push(after - before);
    before = after;
  }
  growths.sort((a, b) => a - b);
  return growths[(ROUNDS - 1) / 2]! / items;
}

async function heapInUse(): Promise<number> {
  // Objects that wait for a promise or a finalizer go only after a turn of the event loop.
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn();
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

async function useAndDisconnect(limiter: Bottleneck): Promise<void> {
  await limiter.ready();
  await limiter.disconnect(false);
}

const runJobs =
  (limiter: Bottleneck): Round =>
  async (items) => {
    await Promise.all(Array.from({ length: items }, (_, item) => limiter.schedule(async () => item)));
  };

describe('memory', function () {
  // Collecting garbage competes with whatever else the machine does.
  this.timeout(60_000);

  it('is given back by limiters that were disconnected', async () => {
    const left = await bytesLeftPerItem(500, async (items) => {
      for (let item = 0; item < items; item++) await useAndDisconnect(new Bottleneck({ maxConcurrent: 1 }));
    });
    expect(left).to.be.below(ALLOWED_BYTES_PER_ITEM);
  });

  it('is given back by limiters with a reservoir clock that were disconnected', async () => {
    const options = { reservoir: 10, reservoirRefreshAmount: 10, reservoirRefreshInterval: 60_000 };
    const left = await bytesLeftPerItem(500, async (items) => {
      for (let item = 0; item < items; item++) await useAndDisconnect(new Bottleneck(options));
    });
    expect(left).to.be.below(ALLOWED_BYTES_PER_ITEM);
  });

  it('is given back by idle limiters that are simply dropped', async () => {
    const left = await bytesLeftPerItem(500, async (items) => {
      for (let item = 0; item < items; item++) await new Bottleneck({ minTime: 1 }).schedule(async () => item);
    });
    expect(left).to.be.below(ALLOWED_BYTES_PER_ITEM);
  });

  it('is given back by jobs', async () => {
    const left = await bytesLeftPerItem(2000, runJobs(new Bottleneck({ maxConcurrent: 10 })));
    expect(left).to.be.below(ALLOWED_BYTES_PER_ITEM);
  });

  it('is given back by jobs that fail, are retried or time out', async () => {
    const limiter = new Bottleneck({ maxConcurrent: 50 });
    limiter.on('failed', (_error, { retryCount }) => (retryCount === 0 ? 0 : undefined));
    const left = await bytesLeftPerItem(500, async (items) => {
      const outcomes = Array.from({ length: items }, (_, item) =>
        limiter
          .schedule({ expiration: 5 }, () =>
            item % 2 === 0 ? Promise.reject(new Error('no')) : new Promise<void>(() => {}),
          )
          .catch(() => {}),
      );
      await Promise.all(outcomes);
    });
    expect(left).to.be.below(ALLOWED_BYTES_PER_ITEM);
  });

  it('is given back by the keys of a Group that were deleted', async () => {
    const group = new Bottleneck.Group({ maxConcurrent: 1 });
    const left = await bytesLeftPerItem(500, async (items) => {
      for (let item = 0; item < items; item++) {
        await group.key(`key ${item}`).schedule(async () => item);
        await group.deleteKey(`key ${item}`);
      }
    });
    await group.disconnect(false);
    expect(left).to.be.below(ALLOWED_BYTES_PER_ITEM);
  });

  it('is seen to grow when limiters are kept', async () => {
    const kept: Bottleneck[] = [];
    const left = await bytesLeftPerItem(500, async (items) => {
      for (let item = 0; item < items; item++) {
        const limiter = new Bottleneck();
        kept.push(limiter);
        await useAndDisconnect(limiter);
      }
    });
    expect(left).to.be.above(3 * ALLOWED_BYTES_PER_ITEM);
    expect(kept).to.have.length((ROUNDS + 1) * 500);
  });

  it('is seen to grow when jobs never end', async () => {
    const limiter = new Bottleneck();
    const left = await bytesLeftPerItem(500, async (items) => {
      const started = Array.from(
        { length: items },
        () =>
          new Promise<void>((resolve) =>
            limiter.submit(
              (_done: () => void) => resolve(),
              () => {},
            ),
          ),
      );
      await Promise.all(started);
    });
    expect(left).to.be.above(3 * ALLOWED_BYTES_PER_ITEM);
    expect(limiter.counts().EXECUTING).to.equal((ROUNDS + 1) * 500);
  });
});
