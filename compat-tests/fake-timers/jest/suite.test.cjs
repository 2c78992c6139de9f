'use strict';

const services = require('../client/services.cjs');
const { cases } = require('../client/cases.cjs');

const clock = { advance: (ms) => jest.advanceTimersByTimeAsync(ms) };

describe('with fake timers', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  test.each(cases)('$name', ({ run }) => run({ services, clock }));
});

describe('with setImmediate, nextTick and queueMicrotask left alone', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());
  test.each(cases)('$name', ({ run }) => run({ services, clock }));
});

describe('with timers that come and go', () => {
  const limiter = new services.Bottleneck({ maxConcurrent: 1, minTime: 10 });
  afterEach(() => jest.useRealTimers());

  test('uses real ones first', async () => {
    expect(await limiter.schedule(async () => 'real')).toBe('real');
  });

  test('then fake ones', async () => {
    jest.useFakeTimers({ now: Date.now() + 1000 });
    const values = [];
    for (const value of ['a', 'b']) limiter.schedule(async () => value).then((given) => values.push(given));
    await jest.advanceTimersByTimeAsync(200);
    expect(values).toEqual(['a', 'b']);
  });

  test('and real ones again', async () => {
    const other = new services.Bottleneck({ maxConcurrent: 1, minTime: 5 });
    expect(await Promise.all([1, 2].map((value) => other.schedule(async () => value)))).toEqual([1, 2]);
  });

  test('drains with runAllTimersAsync', async () => {
    jest.useFakeTimers();
    const other = new services.Bottleneck({ maxConcurrent: 1, minTime: 100 });
    const results = Promise.all([1, 2, 3].map((value) => other.schedule(async () => value)));
    await jest.runAllTimersAsync();
    expect(await results).toEqual([1, 2, 3]);
  });
});

describe('loaded while timers are faked', () => {
  afterEach(() => jest.useRealTimers());

  test('works with them, and afterwards without', async () => {
    jest.useFakeTimers();
    jest.resetModules();
    const fresh = require('../client/services.cjs');
    expect(fresh.Bottleneck).not.toBe(services.Bottleneck);
    const sent = [];
    const client = new fresh.ApiClient(async (path) => sent.push(path));
    for (const path of ['/a', '/b']) client.get(path);
    await jest.advanceTimersByTimeAsync(300);
    expect(sent).toEqual(['/a', '/b']);
    jest.useRealTimers();
    const limiter = new fresh.Bottleneck({ maxConcurrent: 1 });
    expect(await Promise.all([1, 2].map((value) => limiter.schedule(async () => value)))).toEqual([1, 2]);
  });
});
