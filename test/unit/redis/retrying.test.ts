import FakeTimers, { type Clock } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { RedisCallError } from '../../../lib/store/redis/clients/call-error';
import type { RedisClient } from '../../../lib/store/redis/clients/client';
import { orStopped, retrying, StoppedError, StopSignal } from '../../../lib/store/redis/retrying';

describe('retrying', () => {
  let fake: Clock;
  let stop: StopSignal;
  let errors: unknown[];
  let repairs: number;
  let onReady: Set<() => void>;
  /** Times of the calls since the beginning. */
  let calls: number[];

  beforeEach(() => {
    fake = FakeTimers.install({ now: 0 });
    stop = new StopSignal();
    errors = [];
    repairs = 0;
    onReady = new Set();
    calls = [];
  });

  afterEach(() => {
    expect(fake.countTimers()).to.equal(0);
    expect(onReady.size).to.equal(0);
    fake.uninstall();
  });

  /** Fails with these errors one after the other, then succeeds. */
  function run(...failures: unknown[]): Promise<string> {
    const call = async (): Promise<string> => {
      calls.push(Date.now());
      if (failures.length > 0) throw failures.shift();
      return 'done';
    };
    const client = {
      onReady: (listener: () => void) => {
        onReady.add(listener);
        return () => onReady.delete(listener);
      },
    } as unknown as RedisClient;
    const repair = async (): Promise<void> => void repairs++;
    return retrying(call, { signal: stop, onError: (error) => errors.push(error), repair, whenReady: client });
  }

  const lost = (code = 'ECONNRESET') => new RedisCallError('connection', code, new Error(`lost: ${code}`));

  it('gives what the call gives', async () => {
    expect(await run()).to.equal('done');
    expect(errors).to.deep.equal([]);
  });

  it('tries again, after longer and longer pauses up to a second', async () => {
    const done = run(...Array.from({ length: 8 }, () => lost()));
    await fake.tickAsync(10_000);
    expect(await done).to.equal('done');
    expect(calls).to.deep.equal([0, 20, 60, 140, 300, 620, 1260, 2260, 3260]);
  });

  it('tries at once when the connection is back', async () => {
    const done = run(lost(), lost(), lost(), lost(), lost());
    await fake.tickAsync(310);
    for (const ready of onReady) ready();
    await fake.tickAsync(0);
    expect(calls).to.deep.equal([0, 20, 60, 140, 300, 310]);
    expect(await done).to.equal('done');
  });

  it('tells the same failure once, and another one again', async () => {
    const done = run(lost('A'), lost('A'), lost('B'), lost('A'));
    await fake.tickAsync(10_000);
    await done;
    expect(errors.map((error) => (error as Error).message)).to.deep.equal(['lost: A', 'lost: B', 'lost: A']);
  });

  it('repairs when a script failed, and only then', async () => {
    const wrongType = new RedisCallError('script', 'WRONGTYPE', new Error('WRONGTYPE'));
    const done = run(lost(), wrongType, new RedisCallError('server', 'LOADING', new Error('LOADING')));
    await fake.tickAsync(1000);
    await done;
    expect(repairs).to.equal(1);
  });

  it('is given up amid a call, amid a pause, and before it began', async () => {
    const amidPause = run(lost(), lost()).catch((error) => error);
    await fake.tickAsync(5);
    const pending = orStopped(new Promise(() => {}), stop).catch((error) => error);
    stop.stop();
    expect(await amidPause).to.be.instanceOf(StoppedError);
    expect(await pending).to.be.instanceOf(StoppedError);
    calls = [];
    expect(await run().catch((error) => error)).to.be.instanceOf(StoppedError);
    expect(calls).to.deep.equal([]);
  });
});
