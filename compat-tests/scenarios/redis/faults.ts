/** What Bottleneck's users have run into on Redis. */

import { expect } from 'chai';
import { freePort } from '../../../scripts/support/free-port.cjs';
import { startRedis } from '../../../test/support/redis-server';
import { redisScenario } from './scenario';

/** Loaded beforehand, which takes its time. */
const NODE_REDIS = { redis4: require('redis4'), redis5: require('redis5'), redis6: require('redis') };

const KEYS = [
  'settings',
  'job_weights',
  'job_expirations',
  'job_clients',
  'client_running',
  'client_num_queued',
  'client_last_registered',
  'client_last_seen',
];

export const redisFaults = [
  redisScenario({
    id: 'fault-05-waiting-jobs-reject-on-disconnect',
    title: 'jobs that wait when disconnect() is called reject with a BottleneckError that says so',
    covers: ['disconnect()'],
    difference: 'waiting-jobs-after-disconnect',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      const running = await world.runningJob(limiter, 'running');
      const waiting = world.job(limiter, 'waiting');
      await world.eventually(() => limiter.queued() === 1);
      await limiter.disconnect();
      running.end();
      return {
        running: await world.after(500, running),
        waiting: await world.after(500, waiting),
        error: world.show(waiting.error),
      };
    },
    holds: (result) => {
      expect(result).to.deep.include({ running: 'resolved', waiting: 'rejected' });
      expect(result.error).to.match(/^BottleneckError\(.*disconnected/);
    },
  }),
  redisScenario({
    id: 'fault-05-client-that-gave-up',
    title: 'jobs reject with a BottleneckError when the client has given up reaching Redis',
    covers: ['schedule()', 'on:error', 'clientOptions'],
    difference: 'unreachable-redis',
    async run(world) {
      const clientOptions = { port: await freePort(), retryStrategy: () => null };
      const limiter = world.limiter({ clientOptions });
      const job = world.job(limiter, 'job');
      const state = await world.after(2000, job);
      return { state, error: world.show(job.error), told: world.errors.length > 0 };
    },
    holds: (result) => {
      expect(result).to.deep.include({ state: 'rejected', told: true });
      expect(result.error).to.match(/^BottleneckError/);
    },
  }),
  redisScenario({
    id: 'fault-05-redis-that-comes-later',
    title: 'while Redis cannot be reached jobs wait and "error" events tell; they run once it is there',
    covers: ['schedule()', 'on:error'],
    async run(world) {
      const port = await freePort();
      const limiter = world.limiter({ clientOptions: { port, retryStrategy: () => 50 } });
      const job = world.job(limiter, 'job');
      await world.eventually(() => world.errors.length > 0);
      const before = job.state;
      const server = await startRedis({ port });
      try {
        await job.settled;
        return { before, value: job.value };
      } finally {
        await limiter.disconnect();
        await server.stop();
      }
    },
    holds: (result) => expect(result).to.deep.equal({ before: 'pending', value: 'job done' }),
  }),
  redisScenario({
    id: 'fault-08-group-clean-up-on-redis',
    title: 'a Group on Redis never lets go of a limiter that has a job running',
    covers: ['Group', 'timeout', 'key()'],
    difference: 'group-clean-up-of-a-busy-limiter',
    async run(world) {
      const group = world.group({ maxConcurrent: 1, timeout: 200 });
      const first = await world.runningJob(group.key('k'), 'first');
      await world.pause(900);
      const second = world.job(group.key('k'), 'second');
      await world.pause(600);
      const beside = second.began > 0;
      first.end();
      const state = await world.after(3000, second);
      await group.disconnect();
      return { beside, state };
    },
    holds: (result) => expect(result).to.deep.equal({ beside: false, state: 'resolved' }),
  }),
  redisScenario({
    id: 'fault-09-keys-deleted',
    title: 'a limiter whose keys were deleted recovers by itself',
    covers: ['schedule()'],
    difference: 'redis-7-recovery',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      await world.job(limiter, 'before').settled;
      await world.admin.del(...(await world.admin.keys(`b_${world.id()}*`)));
      const job = world.job(limiter, 'after');
      return [await world.after(2000, job), job.value];
    },
    holds: (result) => expect(result).to.deep.equal(['resolved', 'after done']),
  }),
  redisScenario({
    id: 'fault-09-client-forgotten',
    title: 'a client that was forgotten is known again with its next job',
    covers: ['schedule()'],
    difference: 'redis-7-recovery',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      await world.job(limiter, 'before').settled;
      for (const key of KEYS.filter((name) => name.startsWith('client_')))
        await world.admin.del(`b_${world.id()}_${key}`);
      const job = world.job(limiter, 'after');
      return [await world.after(2000, job), job.value];
    },
    holds: (result) => expect(result).to.deep.equal(['resolved', 'after done']),
  }),
  redisScenario({
    id: 'fault-09-over-weight-error',
    title: 'a job heavier than maxConcurrent rejects with a BottleneckError, on Redis as in process',
    covers: ['weight', 'maxConcurrent'],
    difference: 'redis-7-recovery',
    async run(world) {
      const job = world.job(world.limiter({ maxConcurrent: 2 }), 'heavy', { options: { weight: 5 } });
      await job.settled;
      return world.show(job.error);
    },
    holds: (error) =>
      expect(error).to.equal(
        'BottleneckError(Impossible to add a job having a weight of 5 to a limiter having a maxConcurrent setting of 2)',
      ),
  }),
  redisScenario({
    id: 'fault-10-process-killed-in-a-job',
    title: 'the slot of a process that was killed in a job without expiration is given back',
    covers: ['maxConcurrent', 'clientTimeout'],
    difference: 'slots-of-dead-processes',
    async run(world) {
      const options = { maxConcurrent: 1, clientTimeout: 600 };
      const limiter = world.limiter(options);
      const worker = await world.process(options);
      worker.send({ type: 'job', label: 'lost', held: true });
      await worker.waitFor('began lost');
      const waiting = world.job(limiter, 'waiting');
      await worker.kill();
      return { waiting: await world.after(4000, waiting) };
    },
    holds: (result) => expect(result).to.deep.equal({ waiting: 'resolved' }),
  }),
  redisScenario({
    id: 'fault-11-clock-ahead',
    title: 'a host whose clock is a minute ahead does not hold up the others',
    covers: ['minTime'],
    difference: 'clocks-of-hosts',
    async run(world) {
      const options = { minTime: 50 };
      const limiter = world.limiter(options);
      await limiter.ready();
      const worker = await world.process(options, { clockAhead: 60_000 });
      worker.send({ type: 'job', label: 'ahead' });
      await worker.waitFor('resolved ahead');
      return world.after(1500, world.job(limiter, 'after'));
    },
    holds: (state) => expect(state).to.equal('resolved'),
  }),
  redisScenario({
    id: 'fault-12-one-order-for-the-fleet',
    title: 'a more important job of another limiter comes first',
    covers: ['priority', 'maxConcurrent'],
    difference: 'one-queue-for-the-fleet',
    async run(world) {
      const [first, second] = [world.limiter({ maxConcurrent: 1 }), world.limiter({ maxConcurrent: 1 })];
      await Promise.all([first.ready(), second.ready()]);
      const running = await world.runningJob(second, 'running');
      const jobs = Array.from({ length: 6 }, (_, index) => {
        const isLow = index < 3;
        return world.job(isLow ? first : second, `${isLow ? 'low' : 'high'} ${index}`, {
          options: { priority: isLow ? 9 : 0 },
        });
      });
      await world.eventually(async () => (await first.clusterQueued()) === 6);
      running.end();
      await Promise.all(jobs.map((job) => job.settled));
      return world.starts;
    },
    holds: (starts) =>
      expect(starts).to.deep.equal(['running', 'high 3', 'high 4', 'high 5', 'low 0', 'low 1', 'low 2']),
  }),
  redisScenario({
    id: 'fault-13-fractional-min-time',
    title: 'a fractional minTime works beside a timeout',
    covers: ['minTime', 'timeout'],
    difference: 'fractional-settings',
    async run(world) {
      const limiter = world.limiter({ minTime: 1000 / 15, timeout: 60_000 });
      const jobs = [0, 1, 2].map((index) => world.job(limiter, `job ${index}`));
      const states = await Promise.all(jobs.map((job) => world.after(2000, job)));
      return { states, running: await limiter.running() };
    },
    holds: (result) => expect(result).to.deep.equal({ states: Array(3).fill('resolved'), running: 0 }),
  }),
  redisScenario({
    id: 'fault-14-thousands-of-dead-clients',
    title: 'thousands of dead clients under one id do not keep a limiter from becoming ready',
    covers: ['ready()'],
    difference: 'many-dead-clients',
    alone: true,
    async run(world) {
      const options = { maxConcurrent: 1, clientTimeout: 500, heartbeatInterval: 60_000 };
      await world.job(world.limiter(options), 'first').settled;
      const prefix = `b_${world.id()}`;
      const pipeline = world.admin.multi();
      for (let i = 0; i < 9000; i++) {
        for (const key of ['client_running', 'client_last_registered', 'client_last_seen']) {
          pipeline.zadd(`${prefix}_${key}`, 0, `dead${i}`);
        }
        pipeline.hset(`${prefix}_client_num_queued`, `dead${i}`, 0);
      }
      await pipeline.exec();
      const limiter = world.limiter(options);
      const ready = await world.within(
        10_000,
        limiter.ready().then(() => 'ready'),
      );
      const job = await world.after(10_000, world.job(limiter, 'job'));
      if (job === 'resolved')
        await world.eventually(async () => (await world.admin.zcard(`${prefix}_client_last_seen`)) < 5);
      return { ready, job };
    },
    holds: (result) => expect(result).to.deep.equal({ ready: 'ready', job: 'resolved' }),
  }),
  redisScenario({
    id: 'fault-15-many-limiters-few-connections',
    title: 'limiters with the same plain clientOptions share one pair of connections',
    covers: ['clientOptions'],
    difference: 'shared-connections',
    async run(world) {
      const connectionName = world.id('connection');
      const limiters = Array.from({ length: 20 }, (_, index) =>
        world.limiter({ id: world.id(`${index}`), clientOptions: { port: world.port, connectionName } }),
      );
      await Promise.all(limiters.map((limiter) => limiter.ready()));
      const list = String(await world.admin.client('LIST'));
      return list.split('\n').filter((line) => line.includes(`name=${connectionName} `)).length;
    },
    holds: (connections) => expect(connections).to.equal(2),
  }),
  redisScenario({
    id: 'fault-16-weights-on-redis',
    title: 'fractional and text weights count on Redis as they do in process',
    covers: ['weight', 'running()'],
    difference: 'weights-are-checked',
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 5 });
      const jobs = [
        world.job(limiter, 'text', { held: true, options: { weight: '2' as never } }),
        world.job(limiter, 'fraction', { held: true, options: { weight: 0.5 } }),
      ];
      await world.within(
        1000,
        world.eventually(() => jobs.every((job) => job.began > 0), { within: 900 }),
      );
      const running = await world.within(1000, limiter.running());
      for (const job of jobs) job.end();
      return { running, states: await Promise.all(jobs.map((job) => world.after(1000, job))) };
    },
    holds: (result) => expect(result).to.deep.equal({ running: 2.5, states: ['resolved', 'resolved'] }),
  }),
  redisScenario({
    id: 'fault-17-node-redis-of-today',
    title: 'node-redis 4, 5 and 6 can be used',
    covers: ['datastore', 'Redis'],
    difference: 'redis-clients',
    async run(world) {
      const use = async (name: string): Promise<string> => {
        const clientOptions = { socket: { port: world.port, host: '127.0.0.1' } };
        const Redis = NODE_REDIS[name as keyof typeof NODE_REDIS];
        const limiter = world.limiter({ id: world.id(name), datastore: 'redis', Redis, clientOptions });
        return world.after(3000, world.job(limiter, name));
      };
      const made = Object.keys(NODE_REDIS).map((name) => use(name).catch((error) => world.show(error)));
      const states = await Promise.all(made);
      return states;
    },
    holds: (states) => expect(states).to.deep.equal(['resolved', 'resolved', 'resolved']),
  }),
  redisScenario({
    id: 'fault-18-other-settings-are-told',
    title: 'a limiter that starts with settings other than the stored ones says which differ',
    covers: ['maxConcurrent', 'on:debug'],
    difference: 'stored-settings-are-told',
    async run(world) {
      await world.limiter({ maxConcurrent: 3, minTime: 5 }).ready();
      const limiter = world.limiter({ maxConcurrent: 7, minTime: 5 });
      const told: string[] = [];
      limiter.on('debug', (message, data) => told.push(`${message} ${JSON.stringify(data)}`));
      await limiter.ready();
      return told.some(
        (text) => /maxConcurrent/.test(text) && /3/.test(text) && /7/.test(text) && !/minTime/.test(text),
      );
    },
    holds: (told) => expect(told).to.equal(true),
  }),
  redisScenario({
    id: 'fault-20-reservoir-interval-on-redis',
    title: 'a reservoir interval on Redis comes round on time, whatever its length',
    covers: ['reservoirRefreshInterval', 'reservoirRefreshAmount'],
    difference: 'reservoir-interval-is-late',
    async run(world) {
      const interval = { reservoir: 0, reservoirRefreshInterval: 700, reservoirRefreshAmount: 1 };
      const limiter = world.limiter({ ...interval, heartbeatInterval: 5000 });
      return world.after(2500, world.job(limiter, 'job'));
    },
    holds: (state) => expect(state).to.equal('resolved'),
  }),
  redisScenario({
    id: 'fault-21-increment-without-a-reservoir-on-redis',
    title: 'incrementReservoir() on a limiter without a reservoir counts from 0, on Redis too',
    covers: ['incrementReservoir()'],
    difference: 'increment-without-a-reservoir',
    run: (world) => world.within(2000, world.limiter().incrementReservoir(2)),
    holds: (reservoir) => expect(reservoir).to.equal(2),
  }),
];
