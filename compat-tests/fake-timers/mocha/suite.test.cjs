'use strict';

const assert = require('node:assert/strict');
const sinon = require('sinon');
const services = require('../client/services.cjs');
const { cases, wait } = require('../client/cases.cjs');

let timers;
const asyncClock = { advance: (ms) => timers.tickAsync(ms) };
/** `tick`, and then whatever promises are due: no turn of the real event loop. */
const syncClock = {
  async advance(ms) {
    const steps = Math.min(ms, 400);
    for (let i = 1; i <= steps; i++) {
      timers.tick(Math.floor((ms * i) / steps) - Math.floor((ms * (i - 1)) / steps));
      for (let j = 0; j < 12; j++) await Promise.resolve();
    }
  },
};

const variants = [
  ['tickAsync and all timers', asyncClock, {}],
  [
    'tickAsync and setTimeout, setInterval and Date alone',
    asyncClock,
    { toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] },
  ],
  ['tick and all timers', syncClock, {}],
  [
    'tick and setTimeout, setInterval and Date alone',
    syncClock,
    { toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] },
  ],
];

for (const [title, clock, options] of variants) {
  describe(`with ${title}`, () => {
    beforeEach(() => {
      timers = sinon.useFakeTimers({ now: Date.UTC(2024, 0, 1), ...options });
    });
    afterEach(() => timers.restore());
    for (const { name, run } of cases) it(name, () => run({ services, clock }));
  });
}

describe('with Date standing still', () => {
  beforeEach(() => {
    timers = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });
  afterEach(() => timers.restore());
  for (const { name, run } of cases.filter(({ date }) => !date)) it(name, () => run({ services, clock: asyncClock }));
});

describe('with timers that come and go', () => {
  const limiter = new services.Bottleneck({ maxConcurrent: 1, minTime: 10 });
  afterEach(() => timers?.restore());

  it('uses real ones first', async () => {
    assert.equal(await limiter.schedule(async () => 'real'), 'real');
  });

  it('then fake ones', async () => {
    timers = sinon.useFakeTimers({ now: Date.now() + 1000 });
    const values = [];
    for (const value of ['a', 'b']) limiter.schedule(async () => value).then((given) => values.push(given));
    await timers.tickAsync(200);
    assert.deepEqual(values, ['a', 'b']);
  });

  it('and real ones again', async () => {
    timers.restore();
    const other = new services.Bottleneck({ maxConcurrent: 1, minTime: 5 });
    assert.deepEqual(await Promise.all([1, 2].map((value) => other.schedule(async () => value))), [1, 2]);
  });

  it('drains with runAllAsync', async () => {
    timers = sinon.useFakeTimers();
    const other = new services.Bottleneck({ maxConcurrent: 1, minTime: 100 });
    const results = Promise.all([1, 2, 3].map((value) => other.schedule(() => wait(50).then(() => value))));
    await timers.runAllAsync();
    assert.deepEqual(await results, [1, 2, 3]);
  });
});

describe('loaded while timers are faked', () => {
  it('works with them, and afterwards without', async () => {
    timers = sinon.useFakeTimers();
    for (const name of Object.keys(require.cache)) {
      if (/services\.cjs|bottleneck|dist/.test(name)) delete require.cache[name];
    }
    const fresh = require('../client/services.cjs');
    assert.notEqual(fresh.Bottleneck, services.Bottleneck);
    const sent = [];
    const client = new fresh.ApiClient(async (path) => sent.push(path));
    for (const path of ['/a', '/b']) client.get(path);
    await timers.tickAsync(300);
    assert.deepEqual(sent, ['/a', '/b']);
    timers.restore();
    const limiter = new fresh.Bottleneck({ maxConcurrent: 1 });
    assert.deepEqual(await Promise.all([1, 2].map((value) => limiter.schedule(async () => value))), [1, 2]);
  });
});
