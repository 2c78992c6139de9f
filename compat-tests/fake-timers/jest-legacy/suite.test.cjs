/** Jest's old fake timers: they replace the functions by mocks, and leave `Date` alone. */
'use strict';

const services = require('../client/services.cjs');
const { cases } = require('../client/cases.cjs');

const clock = {
  async advance(ms) {
    const steps = Math.min(ms, 400);
    for (let i = 1; i <= steps; i++) {
      jest.advanceTimersByTime(Math.floor((ms * i) / steps) - Math.floor((ms * (i - 1)) / steps));
      for (let j = 0; j < 12; j++) await Promise.resolve();
    }
  },
};

describe('with legacy fake timers', () => {
  beforeEach(() => jest.useFakeTimers({ legacyFakeTimers: true }));
  afterEach(() => jest.useRealTimers());
  test.each(cases.filter(({ date }) => !date))('$name', ({ run }) => run({ services, clock }));
});

describe('with legacy fake timers that come and go', () => {
  const limiter = new services.Bottleneck({ maxConcurrent: 1 });
  afterEach(() => jest.useRealTimers());

  test('uses real ones first', async () => {
    expect(await limiter.schedule(async () => 'real')).toBe('real');
  });

  test('then fake ones', async () => {
    jest.useFakeTimers({ legacyFakeTimers: true });
    const values = [];
    for (const value of ['a', 'b']) limiter.schedule(async () => value).then((given) => values.push(given));
    await clock.advance(200);
    expect(values).toEqual(['a', 'b']);
  });

  test('and real ones again', async () => {
    const other = new services.Bottleneck({ maxConcurrent: 1 });
    expect(await Promise.all([1, 2].map((value) => other.schedule(async () => value)))).toEqual([1, 2]);
  });
});
