import { setTimeout as sleep } from 'node:timers/promises';
import { check } from '../harness/checks.mjs';

/** How long idle limiters are watched, in ms. */
const WATCH_TIME = { full: 6_000, quick: 1_500 };

/** Share of a core that this process uses while nothing is asked of it, in percent. */
async function idleCpu(time) {
  const before = process.cpuUsage();
  await sleep(time);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1000 / time) * 100;
}

const localIdle = {
  name: 'idle-local',
  title: 'idle local limiters with a reservoir refresh',
  libraries: ['rebottle', 'bottleneck'],
  rounds: 3,
  sizes: { limiters: { full: 10_000, quick: 500 }, watchTime: WATCH_TIME },
  figures: { timers: 'timers', callbacks: 'timer callbacks a second', cpu: '% of a core' },
  targets: [
    { figure: 'timers', atMost: 0, sane: 500 },
    { figure: 'callbacks', atMost: 0, sane: 2_000 },
    { figure: 'cpu', versus: 'bottleneck', sane: 2 },
  ],
  countTimers: true,
  async measure({ adapter, sizes, timers }) {
    const options = { reservoir: 100, reservoirRefreshAmount: 100, reservoirRefreshInterval: 1000 };
    const limiters = Array.from({ length: sizes.limiters }, () => adapter.create(options));
    const values = await Promise.all(limiters.map((limiter) => limiter.schedule(async () => 1)));
    check(values.length === sizes.limiters && values.every((value) => value === 1), 'every limiter ran its job');
    await sleep(1500);
    const live = timers.live();
    const fired = timers.fired();
    const cpu = await idleCpu(sizes.watchTime);
    const callbacks = ((timers.fired() - fired) / sizes.watchTime) * 1000;
    const left = await Promise.all(limiters.map((limiter) => limiter.currentReservoir()));
    check(
      left.every((reservoir) => reservoir === 100),
      `a reservoir holds ${left.find((one) => one !== 100)}, not 100`,
    );
    return { timers: live, callbacks, cpu };
  },
};

const redisIdle = {
  name: 'idle-redis',
  title: 'idle Redis limiters of one process',
  redis: true,
  libraries: ['rebottle', 'bottleneck'],
  rounds: 3,
  sizes: { limiters: { full: 10_000, quick: 200 }, watchTime: { full: 10_000, quick: 6_000 } },
  figures: { commands: 'Redis commands a second', timers: 'timers', cpu: '% of a core', redisCpu: '% of a core' },
  targets: [
    { figure: 'commands', atMost: 0, sane: 2_000 },
    { figure: 'timers', atMost: 1, sane: 500 },
    { figure: 'cpu', versus: 'bottleneck', sane: 2 },
  ],
  countTimers: true,
  async measure({ adapter, sizes, port, probe, timers }) {
    const connection = adapter.connect(port);
    const ids = Array.from({ length: sizes.limiters }, (_, index) => `idle-${index}`);
    const limiters = ids.map((id) => adapter.create({ id, datastore: 'ioredis', connection, maxConcurrent: 5 }));
    await Promise.all(limiters.map((limiter) => limiter.ready()));
    // One in ten has had work, so that idle is not only never used.
    await Promise.all(
      limiters.filter((_, index) => index % 10 === 0).map((limiter) => limiter.schedule(async () => 1)),
    );
    await sleep(1500);
    await probe.reset();
    const cpu = await idleCpu(sizes.watchTime);
    const did = await probe.read();
    const seconds = sizes.watchTime / 1000;
    return {
      commands: did.commands / seconds,
      timers: timers.live(),
      cpu,
      redisCpu: did.cpuMicroseconds / 1e4 / seconds,
    };
  },
};

export default [localIdle, redisIdle];
