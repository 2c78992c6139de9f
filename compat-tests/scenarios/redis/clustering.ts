/** What Bottleneck's documentation says of limiters on Redis. */

import { expect } from 'chai';
import { redisScenario } from './scenario';

// biome-ignore lint/suspicious/noExplicitAny: calls that the types forbid
type Any = any;

export const clustering = [
  redisScenario({
    id: 'redis-limits-are-shared',
    title: 'limiters of one id share maxConcurrent',
    covers: ['datastore', 'id', 'maxConcurrent'],
    async run(world) {
      const limiters = [0, 1, 2].map(() => world.limiter({ maxConcurrent: 2 }));
      let [executing, most] = [0, 0];
      const task = async (): Promise<void> => {
        most = Math.max(most, ++executing);
        await world.pause(5);
        executing--;
      };
      await Promise.all(limiters.flatMap((limiter) => Array.from({ length: 8 }, () => limiter.schedule(task))));
      return { most, done: await limiters[0]?.done() };
    },
    holds: (result) => expect(result).to.deep.equal({ most: 2, done: 24 }),
  }),
  redisScenario({
    id: 'redis-min-time-is-shared',
    title: 'limiters of one id share minTime',
    covers: ['minTime', 'id'],
    async run(world) {
      const limiters = [0, 1].map(() => world.limiter({ minTime: 60 }));
      const times: number[] = [];
      const task = async (): Promise<number> => times.push(performance.now());
      await Promise.all(limiters.flatMap((limiter) => [0, 1, 2].map(() => limiter.schedule(task))));
      return Number(times.at(-1)) - Number(times[0]);
    },
    holds: (span) => expect(span).to.be.at.least(4 * 60),
  }),
  redisScenario({
    id: 'redis-reservoir-is-shared',
    title: 'limiters of one id share the reservoir; each can add to it and ask for it',
    covers: ['reservoir', 'incrementReservoir()', 'currentReservoir()'],
    async run(world) {
      const [first, second] = [world.limiter({ reservoir: 2 }), world.limiter({ reservoir: 2 })];
      await Promise.all([world.job(first, 'a').settled, world.job(second, 'b').settled]);
      const waiting = world.job(first, 'c');
      await world.eventually(() => first.queued() === 1);
      const raised = await second.incrementReservoir(3);
      await waiting.settled;
      return { raised, left: await second.currentReservoir() };
    },
    holds: (result) => expect(result).to.deep.equal({ raised: 3, left: 2 }),
  }),
  redisScenario({
    id: 'redis-first-limiter-stores-the-settings',
    title: 'the first limiter stores its settings, and those that come later run with them',
    covers: ['id', 'maxConcurrent'],
    async run(world) {
      await world.limiter({ maxConcurrent: 1 }).ready();
      const second = world.limiter({ maxConcurrent: 5 });
      await second.ready();
      const running = await world.runningJob(second, 'running');
      const check = await second.check();
      running.end();
      return check;
    },
    holds: (check) => expect(check).to.equal(false),
  }),
  redisScenario({
    id: 'redis-update-settings-is-for-all',
    title: 'updateSettings() changes the settings of all limiters of the id, and what waits anywhere starts',
    covers: ['updateSettings()', 'maxConcurrent'],
    async run(world) {
      const [first, second] = [world.limiter({ maxConcurrent: 1 }), world.limiter({ maxConcurrent: 1 })];
      const running = await world.runningJob(first, 'running');
      const waiting = world.job(first, 'waiting');
      await world.eventually(() => first.queued() === 1);
      await second.updateSettings({ maxConcurrent: 2 });
      await waiting.settled;
      const during = running.state;
      running.end();
      return [waiting.state, during];
    },
    holds: (result) => expect(result).to.deep.equal(['resolved', 'pending']),
  }),
  redisScenario({
    id: 'redis-clear-datastore',
    title: 'clearDatastore removes what is stored under the id, settings too',
    covers: ['clearDatastore'],
    async run(world) {
      const first = world.limiter({ maxConcurrent: 1, reservoir: 5 });
      await world.job(first, 'job').settled;
      await first.disconnect();
      const second = world.limiter({ maxConcurrent: 4, reservoir: 9, clearDatastore: true });
      await second.ready();
      return [await second.currentReservoir(), await second.check(4), await second.done()];
    },
    holds: (result) => expect(result).to.deep.equal([9, true, 0]),
  }),
  redisScenario({
    id: 'redis-clear-datastore-touches-nothing-else',
    title: 'clearDatastore leaves other limiters, and what others keep on the server, as they are',
    covers: ['clearDatastore', 'id'],
    async run(world) {
      const other = world.limiter({ id: world.id('other'), reservoir: 5 });
      await world.job(other, 'job').settled;
      const foreign = `foreign-${world.id()}`;
      await world.admin.set(foreign, 'value');
      await world.limiter({ clearDatastore: true }).ready();
      const value = await world.admin.get(foreign);
      await world.admin.del(foreign);
      return [value, await other.currentReservoir(), await other.done()];
    },
    holds: (result) => expect(result).to.deep.equal(['value', 4, 1]),
  }),
  redisScenario({
    id: 'redis-state-outlives-its-limiters',
    title: 'settings, reservoir and done() are there for a limiter that comes when all others have gone',
    covers: ['datastore', 'id', 'reservoir', 'done()'],
    async run(world) {
      const first = world.limiter({ maxConcurrent: 2, reservoir: 5 });
      await world.job(first, 'job', { options: { weight: 2 } }).settled;
      await first.disconnect();
      const second = world.limiter({ maxConcurrent: 9 });
      return [await second.currentReservoir(), await second.done(), await second.check(2), await second.check(3)];
    },
    holds: (result) => expect(result).to.deep.equal([3, 2, true, false]),
  }),
  redisScenario({
    id: 'redis-empty-and-idle',
    title: 'a limiter is empty when its own queue is, and idle when nothing runs anywhere as well',
    covers: ['on:empty', 'on:idle'],
    async run(world) {
      const [first, second] = [world.limiter({ maxConcurrent: 2 }), world.limiter({ maxConcurrent: 2 })];
      const running = await world.runningJob(first, 'running');
      const heard: string[] = [];
      for (const [name, limiter] of Object.entries({ first, second })) {
        limiter.on('empty', () => heard.push(`${name} empty`));
        limiter.on('idle', () => heard.push(`${name} idle`));
      }
      await world.job(second, 'job').settled;
      await world.pause(100);
      const during = [...heard];
      running.end();
      await world.eventually(() => heard.includes('first idle'));
      return during;
    },
    holds: (during) => expect(during).to.deep.equal(['second empty']),
  }),
  redisScenario({
    id: 'redis-waiting-jobs-go-with-their-process',
    title: 'jobs that wait in a process that dies are lost, and hold up nobody',
    covers: ['clientTimeout', 'maxConcurrent'],
    async run(world) {
      const options = { maxConcurrent: 1, clientTimeout: 1000 };
      const limiter = world.limiter(options);
      const worker = await world.process(options);
      const running = await world.runningJob(limiter, 'running');
      worker.send({ type: 'job', label: 'lost' });
      await world.eventually(async () => (await limiter.clusterQueued()) === 1);
      const waiting = world.job(limiter, 'waiting');
      await world.eventually(async () => (await limiter.clusterQueued()) === 2);
      await worker.kill();
      running.end();
      const state = await world.after(6000, waiting);
      return { state, done: await limiter.done() };
    },
    holds: (result) => expect(result).to.deep.equal({ state: 'resolved', done: 2 }),
  }),
  redisScenario({
    id: 'redis-connection-errors-of-a-group',
    title: 'errors of the connection of a Group are events of the Group',
    covers: ['Group', 'on:error'],
    async run(world) {
      const group = world.group({ clientOptions: { port: 1, retryStrategy: () => null } });
      const error = await new Promise<unknown>((resolve) => (group as Any).on('error', resolve));
      return error instanceof Error;
    },
    holds: (isError) => expect(isError).to.equal(true),
  }),
  redisScenario({
    id: 'redis-timeout-removes-the-keys',
    title: 'with a timeout the keys of a limiter disappear so many ms after its last use',
    covers: ['timeout'],
    async run(world) {
      const limiter = world.limiter({ timeout: 400 });
      await world.job(limiter, 'job').settled;
      const during = (await world.admin.keys(`b_${world.id()}*`)).length > 0;
      await limiter.disconnect();
      await world.eventually(async () => (await world.admin.keys(`b_${world.id()}*`)).length === 0);
      return during;
    },
    holds: (during) => expect(during).to.equal(true),
  }),
  redisScenario({
    id: 'redis-without-timeout-keys-stay',
    title: 'without a timeout the keys have no expiry, and their names begin with b_ and the id',
    covers: ['timeout', 'id'],
    async run(world) {
      const limiter = world.limiter();
      await world.job(limiter, 'job').settled;
      const settings = `b_${world.id()}_settings`;
      const keys = await world.admin.keys(`*${world.id()}*`);
      const named = keys.every((key) => key.startsWith(`b_${world.id()}_`));
      return [await world.admin.ttl(settings), await world.admin.type(settings), named];
    },
    holds: (result) => expect(result).to.deep.equal([-1, 'hash', true]),
  }),
  redisScenario({
    id: 'redis-ready-and-clients',
    title: 'ready() resolves once the limiter is connected; clients() gives the two clients in use',
    covers: ['ready()', 'clients()'],
    async run(world) {
      const limiter = world.limiter();
      await limiter.ready();
      const clients = limiter.clients() as Any;
      return [Object.keys(clients).sort(), await clients.client.ping(), clients.subscriber.status];
    },
    holds: (result) => expect(result).to.deep.equal([['client', 'subscriber'], 'PONG', 'ready']),
  }),
  redisScenario({
    id: 'redis-no-need-to-wait-for-ready',
    title: 'calls made before the limiter is connected wait for that by themselves',
    covers: ['ready()', 'running()', 'updateSettings()', 'publish()'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 2 });
      const message = new Promise((resolve) => limiter.on('message', resolve));
      const answers = await Promise.all([limiter.running(), limiter.check(), limiter.schedule(async () => 'value')]);
      await limiter.updateSettings({ maxConcurrent: 3 });
      await limiter.publish('early');
      return [...answers, await message];
    },
    holds: (result) => expect(result).to.deep.equal([0, true, 'value', 'early']),
  }),
  redisScenario({
    id: 'redis-publish-reaches-all',
    title: 'publish() sends text to all limiters of the id, the sender too',
    covers: ['publish()', 'on:message', 'channel()'],
    async run(world) {
      const limiters = [world.limiter(), world.limiter(), world.limiter({ id: world.id('other') })];
      const heard: string[] = [];
      for (const [index, limiter] of limiters.entries())
        limiter.on('message', (text) => heard.push(`${index} ${text}`));
      await Promise.all(limiters.map((limiter) => limiter.ready()));
      await limiters[0]?.publish('a:b');
      await world.eventually(() => heard.length === 2);
      await limiters[2]?.publish('other');
      await world.eventually(() => heard.length === 3);
      return heard.sort();
    },
    holds: (heard) => expect(heard).to.deep.equal(['0 a:b', '1 a:b', '2 other']),
  }),
  redisScenario({
    id: 'redis-counts-are-those-of-the-cluster',
    title: 'running(), done() and clusterQueued() count all limiters of the id; queued(), counts() and events do not',
    covers: ['running()', 'done()', 'clusterQueued()', 'queued()', 'counts()'],
    async run(world) {
      const [first, second] = [world.limiter({ maxConcurrent: 3 }), world.limiter({ maxConcurrent: 3 })];
      let heard = 0;
      second.on('executing', () => heard++);
      await world.job(first, 'early').settled;
      const running = await world.runningJob(first, 'running', { weight: 3 });
      const waiting = [0, 1].map((index) => world.job(first, `waiting ${index}`));
      await world.eventually(() => first.queued() === 2);
      await world.eventually(async () => (await second.clusterQueued()) === 2);
      const seen = {
        running: await second.running(),
        done: await second.done(),
        clusterQueued: await second.clusterQueued(),
        queued: second.queued(),
        executing: second.counts().EXECUTING,
        heard,
      };
      running.end();
      await Promise.all(waiting.map((job) => job.settled));
      return seen;
    },
    holds: (seen) =>
      expect(seen).to.deep.equal({ running: 3, done: 1, clusterQueued: 2, queued: 0, executing: 0, heard: 0 }),
  }),
  redisScenario({
    id: 'redis-blocked-mode-is-for-all',
    title: 'one limiter that falls into blocked mode blocks all of the id',
    covers: ['strategy', 'highWater', 'penalty'],
    async run(world) {
      const strategy = world.Bottleneck.strategy.BLOCK;
      const options = { maxConcurrent: 1, highWater: 1, strategy, penalty: 60_000 };
      const [first, second] = [world.limiter(options), world.limiter(options)];
      await Promise.all([first.ready(), second.ready()]);
      const running = await world.runningJob(first, 'running');
      const jobs = [0, 1].map((index) => world.job(first, `job ${index}`));
      await Promise.all(jobs.map((job) => job.settled));
      const elsewhere = world.job(second, 'elsewhere');
      await elsewhere.settled;
      running.end();
      return [...jobs, elsewhere].map((job) => world.show(job.error));
    },
    holds: (errors) =>
      expect(errors).to.deep.equal(Array(3).fill('BottleneckError(This job has been dropped by Bottleneck)')),
  }),
  redisScenario({
    id: 'redis-expiration-frees-lost-jobs',
    title: 'the slot of a job with an expiration comes back although its process died',
    covers: ['expiration', 'maxConcurrent'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      const worker = await world.process({ maxConcurrent: 1 });
      worker.send({ type: 'job', label: 'lost', held: true, options: { expiration: 500 } });
      await worker.waitFor('began lost');
      await worker.kill();
      return world.after(5000, world.job(limiter, 'waiting'));
    },
    holds: (state) => expect(state).to.equal('resolved'),
  }),
  redisScenario({
    id: 'redis-high-water-is-the-fleets',
    title:
      'highWater bounds the one queue of all limiters of the id; LEAK gives up the oldest job, whoever scheduled it',
    covers: ['highWater', 'strategy'],
    difference: 'one-queue-for-the-fleet',
    async run(world) {
      const options = { maxConcurrent: 1, highWater: 1 };
      const [first, second] = [world.limiter(options), world.limiter(options)];
      await Promise.all([first.ready(), second.ready()]);
      const running = await world.runningJob(first, 'running');
      const old = world.job(first, 'old');
      await world.eventually(() => first.queued() === 1);
      const fresh = world.job(second, 'fresh');
      const state = await world.after(500, old);
      running.end();
      await fresh.settled;
      return [state, fresh.state];
    },
    holds: (states) => expect(states).to.deep.equal(['rejected', 'resolved']),
  }),
  redisScenario({
    id: 'redis-connection-is-shared-on-demand',
    title: 'limiters and Groups can be given one connection; it stays open until it is closed itself',
    covers: ['connection', 'IORedisConnection', 'disconnect()'],
    async run(world) {
      const connection = world.connection();
      const limiter = world.limiter({ connection });
      const group = world.group({ connection });
      await limiter.ready();
      await limiter.disconnect();
      const value = await group.key('a').schedule(async () => 'still open');
      const same = [group.connection === connection, group.key('a').connection === connection];
      const datastore = limiter.datastore;
      await connection.disconnect();
      return { value, same, datastore };
    },
    holds: (result) => expect(result).to.deep.equal({ value: 'still open', same: [true, true], datastore: 'ioredis' }),
  }),
  redisScenario({
    id: 'redis-own-client-is-used',
    title: 'a connection can be made of a client of your own, which stays the client in use',
    covers: ['client', 'IORedisConnection', 'connection'],
    async run(world) {
      const client = world.client();
      const connection = world.connection({ client });
      const limiter = world.limiter({ connection });
      await limiter.schedule(async () => 1);
      const same = (limiter.clients() as Any).client === client;
      await connection.disconnect();
      return same;
    },
    holds: (same) => expect(same).to.equal(true),
  }),
  redisScenario({
    id: 'redis-connection-errors-of-a-connection',
    title: 'errors of a connection made by hand are events of that connection',
    covers: ['connection', 'on:error'],
    async run(world) {
      const connection = world.connection(
        world.redisOptions({ clientOptions: { port: 1, retryStrategy: () => null } }),
      );
      const error = await new Promise<Error>((resolve) => connection.on('error', resolve));
      await Promise.resolve(connection.disconnect(false)).catch(() => {});
      return error instanceof Error;
    },
    holds: (isError) => expect(isError).to.equal(true),
  }),
  redisScenario({
    id: 'redis-script-flush',
    title: 'SCRIPT FLUSH does no harm',
    covers: ['schedule()'],
    async run(world) {
      const limiter = world.limiter();
      await world.job(limiter, 'before').settled;
      await world.admin.script('FLUSH');
      const job = world.job(limiter, 'after');
      await job.settled;
      return job.state;
    },
    holds: (state) => expect(state).to.equal('resolved'),
  }),
  redisScenario({
    id: 'redis-group-keys-of-the-cluster',
    title: 'clusterKeys() gives the keys of all Groups of the id; deleteKey() removes what Redis holds',
    covers: ['Group', 'clusterKeys()', 'deleteKey()'],
    async run(world) {
      const [first, second] = [world.group(), world.group()];
      await Promise.all([first.key('a').ready(), second.key('b').ready()]);
      const keys = (await first.clusterKeys()).sort();
      const deleted = await first.deleteKey('b');
      const left = await second.clusterKeys();
      const stored = await world.admin.exists(`b_${world.id('group')}-b_settings`);
      await Promise.all([first.disconnect(), second.disconnect()]);
      return { keys, deleted, left, stored };
    },
    holds: (result) => expect(result).to.deep.equal({ keys: ['a', 'b'], deleted: true, left: ['a'], stored: 0 }),
  }),
  redisScenario({
    id: 'redis-group-clean-up-deletes-nothing',
    title: 'a Group that lets go of a limiter whose keys have expired deletes nothing on Redis',
    covers: ['Group', 'timeout'],
    difference: 'group-clean-up-deletes-keys',
    async run(world) {
      const id = world.id('group');
      const deletions: string[] = [];
      let used = false;
      const endMonitor = await world.monitor((line) => {
        if (used && /"(del|unlink)"/i.test(line) && line.includes(id)) deletions.push(line);
      });
      const group = world.group({ timeout: 500 });
      await group.key('a').schedule(async () => {
        used = true;
      });
      await world.eventually(() => group.keys().length === 0);
      await world.pause(100);
      await group.disconnect();
      endMonitor();
      return deletions;
    },
    holds: (deletions) => expect(deletions).to.deep.equal([]),
  }),
  redisScenario({
    id: 'redis-group-key-deleted-elsewhere',
    title: 'when a key was deleted, the other Groups of the id let go of their limiter for it',
    covers: ['Group', 'deleteKey()', 'timeout'],
    async run(world) {
      const [first, second] = [world.group({ timeout: 5000 }), world.group({ timeout: 5000 })];
      await Promise.all([first.key('a').ready(), second.key('a').ready()]);
      await first.deleteKey('a');
      await world.eventually(() => second.keys().length === 0);
      await Promise.all([first.disconnect(), second.disconnect()]);
      return first.keys();
    },
    holds: (keys) => expect(keys).to.deep.equal([]),
  }),
  redisScenario({
    id: 'redis-connection-of-a-limiter-is-reused',
    title: 'the connection of a limiter can be given to others',
    covers: ['connection', 'Group'],
    async run(world) {
      const limiter = world.limiter();
      const group = world.group({ connection: limiter.connection });
      const other = group.key('a') as Any;
      const value = await other.schedule(async () => 'value');
      const same = other.clients().client === (limiter.clients() as Any).client;
      await group.disconnect();
      return { value, same, open: await world.within(2000, limiter.check()) };
    },
    holds: (result) => expect(result).to.deep.equal({ value: 'value', same: true, open: true }),
  }),
  redisScenario({
    id: 'redis-with-node-redis',
    title: "datastore: 'redis' works with node-redis as it was",
    covers: ['datastore', 'Redis', 'RedisConnection'],
    async run(world) {
      const options = { datastore: 'redis', Redis: require('redis3'), maxConcurrent: 1 };
      const [first, second] = [world.limiter(options), world.limiter(options)];
      const values = await Promise.all([first.schedule(async () => 1), second.schedule(async () => 2)]);
      return { values, done: await first.done(), datastore: first.datastore };
    },
    holds: (result) => expect(result).to.deep.equal({ values: [1, 2], done: 2, datastore: 'redis' }),
  }),
  redisScenario({
    id: 'reservoir-interval-keeps-no-process-alive',
    title: 'a process whose limiters have reservoir intervals ends by itself, without disconnect()',
    covers: ['reservoirRefreshInterval', 'disconnect()'],
    async run(world) {
      const worker = await world.process({
        datastore: 'local',
        reservoir: 5,
        reservoirRefreshInterval: 250,
        reservoirRefreshAmount: 5,
      });
      worker.send({ type: 'job', label: 'job' });
      await worker.waitFor('resolved job');
      worker.send({ type: 'be quiet' });
      return (await worker.exited).code;
    },
    holds: (code) => expect(code).to.equal(0),
  }),
  redisScenario({
    id: 'redis-connection-disconnected-before-it-was-ready',
    title: 'the ready promise of a connection that is disconnected before it was ready stays pending',
    covers: ['connection', 'disconnect()', 'ready()'],
    difference: 'ready-after-disconnect',
    async run(world) {
      const connection = world.connection();
      const ready = connection.ready as unknown as Promise<unknown>;
      await connection.disconnect(false);
      return world.within(500, ready);
    },
    holds: (result) => expect(result).to.equal('pending'),
  }),
];
