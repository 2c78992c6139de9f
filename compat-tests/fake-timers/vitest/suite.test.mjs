import Bottleneck from 'bottleneck';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cases } from '../client/cases.cjs';
import services from '../client/services.cjs';

const clock = { advance: (ms) => vi.advanceTimersByTimeAsync(ms) };

describe('with fake timers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  it.each(cases)('$name', ({ run }) => run({ services, clock }));
});

describe('with setTimeout, setInterval and Date alone', () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
  );
  afterEach(() => void vi.useRealTimers());
  it.each(cases)('$name', ({ run }) => run({ services, clock }));
});

describe('with timers that come and go', () => {
  const limiter = new Bottleneck({ maxConcurrent: 1, minTime: 10 });
  afterEach(() => void vi.useRealTimers());

  it('uses real ones first', async () => {
    expect(await limiter.schedule(async () => 'real')).toBe('real');
  });

  it('then fake ones', async () => {
    vi.useFakeTimers({ now: Date.now() + 1000 });
    const values = [];
    for (const value of ['a', 'b']) limiter.schedule(async () => value).then((given) => values.push(given));
    await vi.advanceTimersByTimeAsync(200);
    expect(values).toEqual(['a', 'b']);
  });

  it('and real ones again', async () => {
    const other = new Bottleneck({ maxConcurrent: 1, minTime: 5 });
    expect(await Promise.all([1, 2].map((value) => other.schedule(async () => value)))).toEqual([1, 2]);
  });

  it('drains with runAllTimersAsync', async () => {
    vi.useFakeTimers();
    const other = new Bottleneck({ maxConcurrent: 1, minTime: 100 });
    const results = Promise.all([1, 2, 3].map((value) => other.schedule(async () => value)));
    await vi.runAllTimersAsync();
    expect(await results).toEqual([1, 2, 3]);
  });
});

describe('one class for both kinds of import', () => {
  it('is the one that the CommonJS code uses', () => {
    expect(Bottleneck).toBe(services.Bottleneck);
  });
});
