'use strict';

const assert = require('node:assert/strict');
const { afterEach, beforeEach, describe, it, mock } = require('node:test');
// Before the timers are replaced.
const services = require('../client/services.cjs');
const { cases } = require('../client/cases.cjs');

/** The way people do it with this runner: a step, and then whatever promises are due. */
const clock = {
  async advance(ms) {
    const steps = Math.min(ms, 400);
    for (let i = 1; i <= steps; i++) {
      mock.timers.tick(Math.floor((ms * i) / steps) - Math.floor((ms * (i - 1)) / steps));
      for (let j = 0; j < 12; j++) await Promise.resolve();
    }
  },
};

for (const apis of [
  ['setTimeout', 'setInterval', 'setImmediate', 'Date'],
  ['setTimeout', 'setInterval', 'Date'],
]) {
  describe(`with ${apis.join(', ')} mocked`, () => {
    beforeEach(() => mock.timers.enable({ apis, now: Date.UTC(2024, 0, 1) }));
    afterEach(() => mock.timers.reset());
    for (const { name, run } of cases) it(name, () => run({ services, clock }));
  });
}

describe('with timers that come and go', () => {
  const limiter = new services.Bottleneck({ maxConcurrent: 1, minTime: 20 });
  afterEach(() => mock.timers.reset());

  it('uses real ones first', async () => {
    assert.equal(await limiter.schedule(async () => 'real'), 'real');
  });

  it('then mocked ones', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: Date.now() + 1000 });
    const values = [];
    for (const value of ['a', 'b']) limiter.schedule(async () => value).then((given) => values.push(given));
    await clock.advance(200);
    assert.deepEqual(values, ['a', 'b']);
  });

  it('and real ones again', async () => {
    assert.equal(await new services.Bottleneck({ minTime: 5 }).schedule(async () => 'real'), 'real');
  });
});

describe('loaded while timers are mocked', () => {
  it('works with them, and afterwards without', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'], now: Date.UTC(2024, 0, 1) });
    for (const name of Object.keys(require.cache)) {
      if (/services\.cjs|bottleneck|dist/.test(name)) delete require.cache[name];
    }
    const fresh = require('../client/services.cjs');
    assert.notEqual(fresh.Bottleneck, services.Bottleneck);
    const sent = [];
    const client = new fresh.ApiClient(async (path) => sent.push(path));
    for (const path of ['/a', '/b']) client.get(path);
    await clock.advance(300);
    assert.deepEqual(sent, ['/a', '/b']);
    mock.timers.reset();
    const limiter = new fresh.Bottleneck({ maxConcurrent: 1 });
    assert.deepEqual(await Promise.all([1, 2].map((value) => limiter.schedule(async () => value))), [1, 2]);
  });
});
