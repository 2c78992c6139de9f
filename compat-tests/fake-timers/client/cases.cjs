/**
 * What the suites check, each with the timers of its runner. `clock.advance(ms)` lets time pass; a case with `date` needs
 * `Date` to move with it.
 */
'use strict';

const assert = require('node:assert/strict');

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const cases = [
  {
    name: 'is run on the package that was asked for',
    async run({ services: { Bottleneck } }) {
      const isUpstream = (process.env.FAKE_TIMERS_SUBJECT ?? 'bottleneck') === 'bottleneck';
      assert.equal(Bottleneck.version === '2.19.5', isUpstream);
    },
  },
  {
    name: 'spaces calls by minTime',
    date: true,
    async run({ services: { ApiClient }, clock }) {
      const sent = [];
      const client = new ApiClient(async (path) => sent.push(path));
      for (const path of ['/a', '/b', '/c']) client.get(path);
      await clock.advance(50);
      assert.deepEqual(sent, ['/a']);
      await clock.advance(200);
      assert.deepEqual(sent, ['/a', '/b']);
      await clock.advance(200);
      assert.deepEqual(sent, ['/a', '/b', '/c']);
    },
  },
  {
    name: 'runs one call at a time',
    async run({ services: { ApiClient }, clock }) {
      let [running, most, done] = [0, 0, 0];
      const client = new ApiClient(
        async () => {
          most = Math.max(most, ++running);
          await wait(300);
          running--;
          done++;
        },
        { minTime: 0 },
      );
      for (let i = 0; i < 4; i++) client.get('/');
      await clock.advance(2000);
      assert.deepEqual({ most, done }, { most: 1, done: 4 });
    },
  },
  {
    name: 'gives results and errors to the callers',
    async run({ services: { ApiClient }, clock }) {
      const client = new ApiClient(async (path) => {
        if (path === '/bad') throw new Error('no such path');
        return `content of ${path}`;
      });
      const answers = [];
      const failed = client.get('/bad').catch((error) => answers.push(error.message));
      const good = client.get('/good').then((text) => answers.push(text));
      await clock.advance(5000);
      await Promise.all([failed, good]);
      assert.deepEqual(answers, ['no such path', 'content of /good']);
    },
  },
  {
    name: 'retries after a second, twice',
    async run({ services: { ApiClient }, clock }) {
      let attempts = 0;
      const client = new ApiClient(async () => {
        if (++attempts < 3) throw new Error('try again');
        return 'finally';
      });
      let result;
      client.get('/').then((value) => {
        result = value;
      });
      await clock.advance(100);
      assert.equal(attempts, 1);
      await clock.advance(1000);
      assert.equal(attempts, 2);
      await clock.advance(1100);
      assert.deepEqual([attempts, result], [3, 'finally']);
    },
  },
  {
    name: 'prefers important calls',
    async run({ services: { ApiClient }, clock }) {
      const sent = [];
      const client = new ApiClient(
        async (path) => {
          sent.push(path);
          await wait(100);
        },
        { minTime: 0 },
      );
      client.get('/first');
      client.get('/low', { priority: 9 });
      client.get('/normal');
      client.get('/high', { priority: 0 });
      await clock.advance(1000);
      assert.deepEqual(sent, ['/first', '/high', '/normal', '/low']);
    },
  },
  {
    name: 'gives up calls that take too long',
    async run({ services: { Bottleneck }, clock }) {
      const limiter = new Bottleneck();
      let error;
      limiter
        .schedule({ expiration: 400 }, () => new Promise(() => {}))
        .catch((reason) => {
          error = reason;
        });
      await clock.advance(300);
      assert.equal(error, undefined);
      await clock.advance(200);
      assert.ok(error instanceof Bottleneck.BottleneckError);
      assert.equal(error.message, 'This job timed out after 400 ms.');
    },
  },
  {
    name: 'sheds load above highWater',
    async run({ services: { Bottleneck }, clock }) {
      const strategy = Bottleneck.strategy.OVERFLOW;
      const limiter = new Bottleneck({ maxConcurrent: 1, highWater: 2, strategy });
      const outcomes = [];
      for (let i = 0; i < 5; i++) {
        limiter
          .schedule(() => wait(100))
          .then(
            () => outcomes.push('done'),
            () => outcomes.push('dropped'),
          );
      }
      await clock.advance(1000);
      assert.deepEqual(outcomes.sort(), ['done', 'done', 'done', 'dropped', 'dropped']);
    },
  },
  {
    name: 'tells what it does while time stands still',
    async run({ services: { Bottleneck }, clock }) {
      const limiter = new Bottleneck({ maxConcurrent: 2 });
      for (let i = 0; i < 5; i++) limiter.schedule(() => wait(1000));
      await clock.advance(100);
      const { RECEIVED, QUEUED, RUNNING, EXECUTING } = limiter.counts();
      assert.deepEqual([RECEIVED, QUEUED, RUNNING, EXECUTING], [0, 3, 0, 2]);
      let running;
      limiter.running().then((weight) => {
        running = weight;
      });
      await clock.advance(10);
      assert.equal(running, 2);
      await clock.advance(5000);
      assert.equal(limiter.counts().EXECUTING, 0);
    },
  },
  {
    name: 'tells when it is idle',
    async run({ services: { Bottleneck }, clock }) {
      const limiter = new Bottleneck({ maxConcurrent: 1 });
      const events = [];
      limiter.on('empty', () => events.push('empty'));
      limiter.on('idle', () => events.push('idle'));
      for (let i = 0; i < 3; i++) limiter.schedule(() => wait(50));
      await clock.advance(1000);
      assert.deepEqual(events.slice(-2), ['empty', 'idle']);
    },
  },
  {
    name: 'obeys changed settings',
    async run({ services: { Bottleneck }, clock }) {
      const limiter = new Bottleneck({ maxConcurrent: 1 });
      let started = 0;
      for (let i = 0; i < 4; i++) {
        limiter.schedule(() => {
          started++;
          return wait(1000);
        });
      }
      await clock.advance(100);
      assert.equal(started, 1);
      limiter.updateSettings({ maxConcurrent: 3 });
      await clock.advance(100);
      assert.equal(started, 3);
    },
  },
  {
    name: 'waits for its work when it is closed',
    async run({ services: { ApiClient }, clock }) {
      const sent = [];
      const client = new ApiClient(async (path) => sent.push(path));
      client.get('/a');
      client.get('/b');
      await clock.advance(10);
      let closed = false;
      client.close().then(() => {
        closed = true;
      });
      await clock.advance(3000);
      assert.deepEqual({ sent, closed }, { sent: ['/a', '/b'], closed: true });
    },
  },
  {
    name: 'chains limiters',
    async run({ services: { Bottleneck }, clock }) {
      const all = new Bottleneck({ maxConcurrent: 1 });
      const [a, b] = [new Bottleneck(), new Bottleneck({ minTime: 100 })];
      a.chain(all);
      b.chain(all);
      let [running, most, done] = [0, 0, 0];
      const task = async () => {
        most = Math.max(most, ++running);
        await wait(50);
        running--;
        done++;
      };
      for (let i = 0; i < 3; i++) {
        a.schedule(task);
        b.schedule(task);
      }
      await clock.advance(2000);
      assert.deepEqual({ most, done }, { most: 1, done: 6 });
    },
  },
  {
    name: 'counts quotas by the minute',
    date: true,
    async run({ services: { Quota }, clock }) {
      const quota = new Quota(2);
      let started = 0;
      for (let i = 0; i < 5; i++) quota.run(async () => started++);
      await clock.advance(1000);
      assert.equal(started, 2);
      await clock.advance(60_000);
      assert.equal(started, 4);
      await clock.advance(60_000);
      assert.equal(started, 5);
    },
  },
  {
    name: 'keeps users apart, and forgets them',
    date: true,
    async run({ services: { PerUser }, clock }) {
      const users = new PerUser({ maxConcurrent: 1, timeout: 10_000 });
      const started = [];
      const task = (user) => () => {
        started.push(user);
        return wait(500);
      };
      for (const user of ['ann', 'ann', 'bob']) users.run(user, task(user));
      await clock.advance(100);
      assert.deepEqual(started, ['ann', 'bob']);
      await clock.advance(1000);
      assert.deepEqual(started, ['ann', 'bob', 'ann']);
      assert.deepEqual(users.group.keys().sort(), ['ann', 'bob']);
      await clock.advance(30_000);
      assert.deepEqual(users.group.keys(), []);
    },
  },
  {
    name: 'collects letters',
    async run({ services: { Mailer }, clock }) {
      const batches = [];
      const mailer = new Mailer((letters) => batches.push(letters));
      let sent = 0;
      for (const letter of [1, 2, 3, 4]) mailer.send(letter).then(() => sent++);
      await clock.advance(100);
      assert.deepEqual({ batches, sent }, { batches: [[1, 2, 3]], sent: 3 });
      await clock.advance(500);
      assert.deepEqual({ batches, sent }, { batches: [[1, 2, 3], [4]], sent: 4 });
    },
  },
];

module.exports = { cases, wait };
