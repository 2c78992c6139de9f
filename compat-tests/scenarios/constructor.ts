/** The class itself: what it is made with, what it refuses, and what hangs on it. */
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { scenario } from './scenario';

// biome-ignore lint/suspicious/noExplicitAny: calls that the types forbid
type Any = any;

class OwnPromise<T> extends Promise<T> {}

export const construction = [
  scenario({
    id: 'constructor-refuses-what-is-no-options-object',
    title: 'numbers in place of an options object, as in version 1, and further arguments are refused',
    covers: ['constructor'],
    run(world) {
      const Limiter = world.Bottleneck as Any;
      const errors = [() => new Limiter(1), () => new Limiter(null), () => new Limiter({}, 2)].map((make) =>
        world.thrownBy(make),
      );
      return [...errors.map((error) => error?.split('.')[0]), world.thrownBy(() => new Limiter())];
    },
    holds: (errors) => {
      const refused = 'BottleneckError(Bottleneck v2 takes a single object argument';
      expect(errors).to.deep.equal([refused, refused, refused, null]);
    },
  }),
  scenario({
    id: 'constructor-refuses-an-unknown-datastore',
    title: 'a datastore that does not exist is refused',
    covers: ['datastore', 'constructor'],
    run: (world) => world.thrownBy(() => new world.Bottleneck({ datastore: 'memcached' as never })),
    holds: (error) => expect(error).to.equal('BottleneckError(Invalid datastore type: memcached)'),
  }),
  scenario({
    id: 'constructor-refuses-nonsense',
    title: 'limits that make no sense are refused at once',
    covers: ['constructor', 'maxConcurrent', 'minTime', 'highWater'],
    difference: 'values-that-make-no-sense',
    run(world) {
      const Limiter = world.Bottleneck as Any;
      const bad = [{ maxConcurrent: Number.NaN }, { minTime: -1 }, { highWater: 'many' }, { minTime: '100' }];
      return bad.map((options) => world.thrownBy(() => new Limiter(options)) !== null);
    },
    holds: (refused) => expect(refused).to.deep.equal([true, true, true, true]),
  }),
  scenario({
    id: 'constructor-leaves-the-options-object',
    title: "the caller's options object stays as it was",
    covers: ['constructor'],
    async run(world) {
      const options = { maxConcurrent: 1, reservoir: 3 };
      const limiter = world.limiter(options);
      await world.waitFor(limiter.updateSettings({ maxConcurrent: 2 }) as Any);
      await world.waitFor(limiter.schedule(async () => 1));
      return options;
    },
    holds: (options) => expect(options).to.deep.equal({ maxConcurrent: 1, reservoir: 3 }),
  }),
  scenario({
    id: 'defaults-can-be-read-from-a-limiter',
    title: 'id, datastore, connection, rejectOnDrop and trackDoneStatus are members of a limiter',
    covers: ['id', 'datastore', 'connection', 'rejectOnDrop', 'trackDoneStatus'],
    run(world) {
      const read = ({ id, datastore, rejectOnDrop, trackDoneStatus, connection }: Any): unknown[] => [
        id,
        datastore,
        rejectOnDrop,
        trackDoneStatus,
        connection ?? null,
      ];
      return [read(new world.Bottleneck()), read(new world.Bottleneck({ id: 'x', trackDoneStatus: true } as Any))];
    },
    holds: (members) =>
      expect(members).to.deep.equal([
        ['<no-id>', 'local', true, false, null],
        ['x', 'local', true, true, null],
      ]),
  }),
  scenario({
    id: 'names-of-version-1-are-gone',
    title: 'what version 1 had under another name exists no more',
    covers: ['constructor', 'Group'],
    run(world) {
      const limiter = new world.Bottleneck() as Any;
      const group = new world.Bottleneck.Group() as Any;
      const ofLimiters = ['submitPriority', 'schedulePriority', 'changeSettings', 'changePenalty', 'changeReservoir'];
      const old = [...ofLimiters, 'nbQueued', 'nbRunning', 'isBlocked', 'stopAll'].filter((name) => name in limiter);
      if ('Cluster' in world.Bottleneck) old.push('Cluster');
      return [...old, ...['changeTimeout', 'stopAll'].filter((name) => name in group)];
    },
    holds: (names) => expect(names).to.deep.equal([]),
  }),
  scenario({
    id: 'statics-of-the-class',
    title:
      'the class has its strategies, errors, Group, Batcher, connections and itself as statics, most on instances too',
    covers: ['strategy', 'Bottleneck'],
    run(world) {
      const Limiter = world.Bottleneck as Any;
      const limiter = new Limiter();
      const names = ['Group', 'Batcher', 'BottleneckError', 'RedisConnection', 'IORedisConnection'];
      return {
        strategy: { ...Limiter.strategy },
        itself: Limiter.default === Limiter,
        functions: names.map((name) => typeof Limiter[name]),
        shared: [...names, 'strategy', 'version'].map((name) => limiter[name] === Limiter[name]),
        events: typeof Limiter.Events,
      };
    },
    holds: (statics) =>
      expect(statics).to.deep.equal({
        strategy: { LEAK: 1, OVERFLOW: 2, OVERFLOW_PRIORITY: 4, BLOCK: 3 },
        itself: true,
        functions: Array(5).fill('function'),
        shared: Array(7).fill(true),
        events: 'function',
      }),
  }),
  scenario({
    id: 'version-is-that-of-the-package',
    title: 'the version is that of rebottle',
    covers: ['version'],
    difference: 'version',
    run: (world) => (world.Bottleneck as Any).version,
    holds: (version) => expect(version).to.equal(require('../../package.json').version),
  }),
  scenario({
    id: 'bottleneck-error-is-an-error',
    title: 'a BottleneckError is an Error of its own class, named "Error"',
    covers: ['BottleneckError'],
    async run(world) {
      const { BottleneckError } = world.Bottleneck;
      const limiter = world.limiter({ maxConcurrent: 1, highWater: 0, strategy: world.Bottleneck.strategy.OVERFLOW });
      world.job(limiter, 'running');
      const error = await world.waitFor(limiter.schedule(async () => 1).catch((reason: unknown) => reason));
      const made = new BottleneckError('text') as Error;
      return [
        error instanceof BottleneckError,
        error instanceof Error,
        (error as Error).name,
        made.message,
        Object.getPrototypeOf(made.constructor) === Error,
      ];
    },
    holds: (result) => expect(result).to.deep.equal([true, true, 'Error', 'text', true]),
  }),
  scenario({
    id: 'promise-library-can-be-replaced',
    title: 'with the option Promise, jobs and wrapped functions give promises of that class',
    covers: ['Promise'],
    async run(world) {
      const limiter = world.limiter({ Promise: OwnPromise } as Any);
      const scheduled = limiter.schedule(async () => 1);
      const wrapped = limiter.wrap(async () => 2)();
      const values = await world.waitFor(Promise.all([scheduled, wrapped]));
      return [scheduled instanceof OwnPromise, wrapped instanceof OwnPromise, ...values];
    },
    holds: (result) => expect(result).to.deep.equal([true, true, 1, 2]),
  }),
  scenario({
    id: 'reject-on-drop-false-leaves-promises-pending',
    title: 'with rejectOnDrop false a dropped job is only told of by its event',
    covers: ['rejectOnDrop', 'on:dropped'],
    async run(world) {
      const strategy = world.Bottleneck.strategy.OVERFLOW;
      const limiter = world.limiter({ maxConcurrent: 1, highWater: 0, strategy, rejectOnDrop: false });
      let dropped = 0;
      limiter.on('dropped', () => dropped++);
      world.job(limiter, 'running');
      const shed = world.job(limiter, 'shed');
      await world.time.sleep(1000);
      return [dropped, shed.settled];
    },
    holds: (result) => expect(result).to.deep.equal([1, null]),
  }),
  scenario({
    id: 'subclasses-work',
    title: 'the class can be extended, with constructor parameters of its own and overridden methods',
    covers: ['constructor', 'stop()'],
    async run(world) {
      class Named extends world.Bottleneck {
        stops = 0;
        constructor(
          readonly label: string,
          options: object,
        ) {
          super(options);
        }
        override stop(...args: Any[]): Any {
          this.stops++;
          return (super.stop as Any)(...args);
        }
      }
      const limiter = new Named('mine', { maxConcurrent: 1 });
      const value = await world.waitFor(limiter.schedule(async () => 'value'));
      await world.waitFor(limiter.stop());
      return [limiter instanceof world.Bottleneck, limiter.label, value, limiter.stops];
    },
    holds: (result) => expect(result).to.deep.equal([true, 'mine', 'value', 1]),
  }),
  scenario({
    id: 'light-build-without-redis',
    title: 'the light build refuses a Redis datastore',
    covers: ['datastore'],
    difference: 'light-build-without-redis',
    run(world) {
      const light = world.subject.name === 'rebottle' ? '../../lib/light' : 'bottleneck/light';
      const program = `
        const light = require(${JSON.stringify(require.resolve(light))});
        const Light = light.default ?? light;
        try {
          new Light({ datastore: 'ioredis' });
          process.exit(1);
        } catch (error) {
          process.exit(error instanceof Light.BottleneckError ? 0 : 2);
        }`;
      // In a process of its own: where the root entry is loaded too, the light one has Redis as well.
      return spawnSync(process.execPath, ['--require', 'tsx/cjs', '--eval', program], { cwd: __dirname }).status;
    },
    holds: (result) => expect(result).to.equal(0),
  }),
];
