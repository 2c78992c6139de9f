import { type Clock, install } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { Bottleneck } from '../../lib/bottleneck';
import type { Explanation } from '../../lib/explain/explanation';

const START = 1_800_000_000_000;

describe('explain', () => {
  let clock: Clock;

  beforeEach(() => {
    clock = install({ now: START });
  });
  afterEach(() => clock.uninstall());

  /** What `explain` says once everything scheduled so far has been decided on. */
  async function explained(limiter: Bottleneck, jobId?: string): Promise<Explanation> {
    await clock.tickAsync(1);
    return limiter.explain(jobId) as Promise<Explanation>;
  }

  function endless(limiter: Bottleneck, id: string, options: object = {}): () => void {
    let end: () => void = () => {};
    const task = () => new Promise<void>((resolve) => (end = resolve));
    void limiter.schedule({ id, ...options }, task).catch(() => {});
    return () => end();
  }

  it('names maxConcurrent, since when it holds the job, and what it waits for', async () => {
    const limiter = new Bottleneck({ maxConcurrent: 2 });
    const end = endless(limiter, 'a');
    endless(limiter, 'b');
    await clock.tickAsync(1000);
    endless(limiter, 'c');
    await clock.tickAsync(3000);
    const explanation = await explained(limiter, 'c');
    expect(explanation).to.include({ jobId: 'c', state: 'QUEUED', heldBy: 'maxConcurrent', ahead: 0 });
    expect(explanation.waitingSince).to.be.within(START + 1000, START + 1010);
    const [hold] = explanation.holds;
    expect(hold).to.include({ by: 'maxConcurrent', waitsFor: 'completion', maxConcurrent: 2, running: 2, until: null });
    expect(hold!.since).to.equal(explanation.waitingSince);
    expect(explanation.earliestStart).to.equal(explanation.now);
    expect(explanation.text).to.equal(
      'Job "c" is QUEUED for 3 s. maxConcurrent has held it for 3 s: 2 of 2 are taken; it waits for a job to end. ' +
        'It could start as soon as that is over.',
    );
    end();
    expect(await explained(limiter, 'c')).to.include({ state: 'EXECUTING', heldBy: null, earliestStart: null });
  });

  it('tells that the start before has held it, where that came later than the job', async () => {
    const limiter = new Bottleneck({ maxConcurrent: 1 });
    const end = endless(limiter, 'a');
    endless(limiter, 'b');
    endless(limiter, 'c');
    await clock.tickAsync(5000);
    end();
    const explanation = await explained(limiter, 'c');
    expect(explanation.waitingSince).to.be.below(START + 10);
    expect(explanation.holds[0]!.since).to.be.within(START + 4999, START + 5001);
  });

  it('counts what is before a job, and plays through when it could start', async () => {
    const limiter = new Bottleneck({ maxConcurrent: 1, minTime: 1000, dispatch: 'just-in-time' });
    for (const id of ['a', 'b', 'c', 'd']) endless(limiter, id);
    endless(limiter, 'first', { priority: 0 });
    const explanation = await explained(limiter, 'd');
    expect(explanation).to.include({ state: 'QUEUED', ahead: 3 });
    expect(explanation.holds.map(({ by }) => by)).to.deep.equal(['maxConcurrent', 'minTime']);
    // "a" started at once; first, b and c each take a second
    expect(explanation.earliestStart).to.equal(START + 4000);
    expect(explanation.text).to.include('behind 3 jobs').and.include('The earliest it could start is in 4 s.');
  });

  it('tells of a job that waits out minTime with its slot', async () => {
    const limiter = new Bottleneck({ minTime: 500 });
    for (const id of ['a', 'b', 'c']) endless(limiter, id);
    const explanation = await explained(limiter, 'c');
    expect(explanation).to.include({ state: 'RUNNING', heldBy: 'minTime', earliestStart: START + 1000 });
    const next = await explained(limiter);
    expect(next).to.include({ jobId: 'b', heldBy: 'minTime', earliestStart: START + 500 });
  });

  it('names the reservoir and its next change', async () => {
    const limiter = new Bottleneck({ reservoir: 2, reservoirRefreshAmount: 2, reservoirRefreshInterval: 10_000 });
    for (const id of ['a', 'b', 'c', 'd', 'e']) endless(limiter, id);
    const explanation = await explained(limiter, 'c');
    expect(explanation.holds).to.have.length(1);
    expect(explanation.holds[0]).to.include({ by: 'reservoir', waitsFor: 'time', reservoir: 0, weight: 1 });
    expect(explanation.holds[0]!.until).to.equal(START + 10_000);
    expect(explanation.earliestStart).to.equal(START + 10_000);
    // two in each interval
    expect((await explained(limiter, 'e')).earliestStart).to.equal(START + 20_000);
  });

  it('says that a reservoir that nothing refills waits for somebody to act', async () => {
    const limiter = new Bottleneck({ reservoir: 0 });
    endless(limiter, 'a');
    const explanation = await explained(limiter, 'a');
    expect(explanation.holds[0]).to.include({ by: 'reservoir', waitsFor: 'increment', until: null });
    expect(explanation.earliestStart).to.equal(null);
    expect(explanation.text).to.include('will not start by itself');
    await limiter.incrementReservoir(1);
    expect(await explained(limiter, 'a')).to.include({ state: 'EXECUTING', heldBy: null });
  });

  it('says that a refresh which never suffices does not start the job', async () => {
    const limiter = new Bottleneck({ reservoir: 1, reservoirRefreshAmount: 2, reservoirRefreshInterval: 1000 });
    endless(limiter, 'a', { weight: 3 });
    expect(await explained(limiter, 'a')).to.include({ heldBy: 'reservoir', earliestStart: null });
  });

  it('names the sliding window and the bucket', async () => {
    const windowed = new Bottleneck({ window: { max: 2, duration: 60_000 } });
    for (const id of ['a', 'b', 'c']) endless(windowed, id);
    const window = await explained(windowed, 'c');
    expect(window).to.include({ heldBy: 'window', earliestStart: START + 60_000 });
    expect(window.holds[0]).to.include({ max: 2, duration: 60_000, until: START + 60_000 });

    const begin = clock.now;
    const paid = new Bottleneck({ bucket: { capacity: 2, refillPerSecond: 0.5 } });
    for (const id of ['a', 'b', 'c', 'd']) endless(paid, id);
    const bucket = await explained(paid, 'd');
    expect(bucket).to.include({ heldBy: 'bucket' });
    expect(bucket.earliestStart).to.be.closeTo(begin + 4000, 1);
  });

  it('puts the limit first that holds longest', async () => {
    const limiter = new Bottleneck({
      maxConcurrent: 1,
      reservoir: 1,
      reservoirRefreshAmount: 1,
      reservoirRefreshInterval: 60_000,
      dispatch: 'just-in-time',
      minTime: 100,
    });
    const end = endless(limiter, 'a');
    endless(limiter, 'b');
    const holds = (await explained(limiter, 'b')).holds.map(({ by }) => by);
    expect(holds).to.deep.equal(['maxConcurrent', 'reservoir', 'minTime']);
    end();
    expect((await explained(limiter, 'b')).heldBy).to.equal('reservoir');
  });

  it('tells of retries, with and without their slot', async () => {
    const hold = new Bottleneck();
    const requeue = new Bottleneck({ retryMode: 'requeue' });
    for (const limiter of [hold, requeue]) {
      limiter.on('failed', () => 5000);
      const failing = limiter.schedule({ id: 'a' }, () => Promise.reject(new Error('not yet')));
      failing.catch(() => {});
    }
    await clock.tickAsync(10);
    const kept = await explained(hold, 'a');
    expect(kept).to.include({ state: 'EXECUTING', heldBy: 'retry' });
    expect(kept.holds[0]).to.include({ retryCount: 1 });
    expect(kept.earliestStart).to.be.within(START + 5000, START + 5020);
    const back = await explained(requeue, 'a');
    expect(back).to.include({ state: 'QUEUED', heldBy: 'delay', ahead: null });
    expect(back.earliestStart).to.be.within(START + 5000, START + 5020);
    await Promise.all([hold.stop(), requeue.stop()].map((stopped) => Promise.race([stopped, clock.tickAsync(5100)])));
  });

  it('asks the limiter that the job was passed on to', async () => {
    const slow = new Bottleneck({ maxConcurrent: 1 });
    const limiter = new Bottleneck().chain(slow);
    endless(limiter, 'a');
    endless(limiter, 'b');
    const explanation = await explained(limiter, 'b');
    expect(explanation).to.include({ state: 'EXECUTING', heldBy: null });
    expect(explanation.chained).to.include({ jobId: 'b', state: 'QUEUED', heldBy: 'maxConcurrent' });
    expect(explanation.text).to.include('passed on to says: Job "b" is QUEUED');
    expect((await explained(limiter, 'a')).chained).to.include({ state: 'EXECUTING' });
  });

  it('tells how the limiter stands when nothing waits', async () => {
    const limiter = new Bottleneck({ maxConcurrent: 1 });
    expect(await explained(limiter)).to.include({
      jobId: null,
      state: null,
      heldBy: null,
      text: 'Nothing waits. It may start now.',
    });
    const end = endless(limiter, 'a');
    expect(await explained(limiter)).to.include({ heldBy: 'maxConcurrent', jobId: null });
    end();
  });

  it('tells when a blocked limiter opens', async () => {
    const limiter = new Bottleneck({
      maxConcurrent: 1,
      highWater: 0,
      strategy: Bottleneck.strategy.BLOCK,
      penalty: 3000,
    });
    const end = endless(limiter, 'a');
    endless(limiter, 'b');
    await clock.tickAsync(1);
    end();
    const explanation = await explained(limiter);
    expect(explanation).to.include({ heldBy: 'blocked' });
    expect(explanation.holds[0]!.until).to.be.within(START + 2999, START + 3005);
  });

  it('says which jobs it does not know, and which are done', async () => {
    const limiter = new Bottleneck({ trackDoneStatus: true });
    await Promise.all([limiter.schedule({ id: 'a' }, async () => 1), clock.tickAsync(1)]);
    expect(await explained(limiter, 'a')).to.include({ state: 'DONE', text: 'Job "a" is DONE.' });
    const unknown = await explained(limiter, 'x');
    expect(unknown).to.include({ jobId: null, state: null });
    expect(unknown.text).to.equal('No job "x" waits or runs in this process.');
  });

  it('changes nothing', async () => {
    const limiter = new Bottleneck({ maxConcurrent: 1, reservoir: 5 });
    for (const id of ['a', 'b', 'c']) endless(limiter, id);
    await explained(limiter, 'c');
    expect(limiter.counts()).to.include({ QUEUED: 2, EXECUTING: 1 });
    expect(await limiter.currentReservoir()).to.equal(4);
  });
});
