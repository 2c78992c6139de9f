import FakeTimers from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { Batcher } from '../../lib/batcher';

describe('Batcher', () => {
  let clock: FakeTimers.Clock;

  beforeEach(() => {
    clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });

  afterEach(() => {
    const left = clock.countTimers();
    clock.uninstall();
    expect(left, 'timers left behind').to.equal(0);
  });

  function collect(batcher: Batcher): unknown[][] {
    const batches: unknown[][] = [];
    batcher.on('batch', (batch) => batches.push(batch));
    return batches;
  }

  it('flushes at once when maxSize items have gathered', async () => {
    const batcher = new Batcher({ maxSize: 2 });
    const batches = collect(batcher);
    const first = batcher.add('a');
    expect(batches).to.deep.equal([]);
    const second = batcher.add('b');
    expect(batches).to.deep.equal([['a', 'b']]);
    await Promise.all([first, second]);
  });

  it('flushes maxTime ms after the first item of a batch', () => {
    const batcher = new Batcher({ maxTime: 50 });
    const batches = collect(batcher);
    batcher.add(1);
    clock.tick(30);
    batcher.add(2);
    clock.tick(19);
    expect(batches).to.deep.equal([]);
    clock.tick(1);
    expect(batches).to.deep.equal([[1, 2]]);
  });

  it('starts the time again after a flush by size', () => {
    const batcher = new Batcher({ maxTime: 50, maxSize: 2 });
    const batches = collect(batcher);
    batcher.add(1);
    clock.tick(40);
    batcher.add(2);
    batcher.add(3);
    clock.tick(49);
    expect(batches).to.deep.equal([[1, 2]]);
    clock.tick(1);
    expect(batches).to.deep.equal([[1, 2], [3]]);
  });

  it('resolves what add returned only at the flush', async () => {
    const batcher = new Batcher({ maxTime: 50 });
    let flushed = false;
    const added = batcher.add(1).then(() => {
      flushed = true;
    });
    await Promise.resolve();
    expect(flushed).to.equal(false);
    clock.tick(50);
    await added;
  });

  it('puts what a listener adds into the next batch', () => {
    const batcher = new Batcher({ maxSize: 1 });
    const batches: unknown[][] = [];
    batcher.on('batch', (batch) => {
      batches.push(batch);
      if (batch[0] === 'a') batcher.add('b');
    });
    batcher.add('a');
    expect(batches).to.deep.equal([['a'], ['b']]);
  });

  it('waits longer than a timer can hold where that is asked for', () => {
    const batcher = new Batcher({ maxTime: 2 ** 31 + 1000 });
    const batches = collect(batcher);
    batcher.add(1);
    clock.tick(2 ** 31);
    expect(batches).to.deep.equal([]);
    clock.tick(1000);
    expect(batches).to.deep.equal([[1]]);
  });

  it('turns a failing batch listener into an error event', async () => {
    const batcher = new Batcher({ maxSize: 1 });
    const failure = new Error('batch failed');
    batcher.on('batch', () => Promise.reject(failure));
    const reported = new Promise((resolve) => batcher.on('error', resolve));
    batcher.add(1);
    expect(await reported).to.equal(failure);
  });

  it('returns promises of the class it was given', () => {
    class OwnPromise<T> extends Promise<T> {}
    const batcher = new Batcher({ maxSize: 1, Promise: OwnPromise });
    expect(batcher.add(1)).to.be.instanceOf(OwnPromise);
  });
});
