import Bottleneck from 'bottleneck';
import { expect } from 'chai';
import Rebottle from '../../../lib/index';
import { type BottleneckClass, type Choice, migrate } from '../../../lib/migrate';
import { nextEvent } from '../../support/events';

/** Limiters whose id begins with `new` go to rebottle. */
function migrated(onChoice?: (choice: Choice, instance: object) => void): typeof Bottleneck {
  return migrate(Bottleneck, Rebottle, ['new*'], onChoice === undefined ? {} : { onChoice });
}

describe('migrate', () => {
  it('builds each limiter on the package that the rule says', () => {
    const Migrated = migrated();
    expect(new Migrated({ id: 'new' })).to.be.instanceOf(Rebottle);
    expect(new Migrated({ id: 'old' })).to.be.instanceOf(Bottleneck);
    expect(new Migrated()).to.be.instanceOf(Bottleneck);
  });

  it('leaves a plain instance of that package', () => {
    const Migrated = migrated();
    expect(Object.getPrototypeOf(new Migrated({ id: 'new' }))).to.equal(Rebottle.prototype);
    expect(Object.getPrototypeOf(new Migrated({ id: 'old' }))).to.equal(Bottleneck.prototype);
  });

  it('runs jobs on either', async () => {
    const Migrated = migrated();
    for (const id of ['new', 'old']) {
      const limiter = new Migrated({ id, maxConcurrent: 1 });
      expect(await limiter.schedule(async (x: number) => x + 1, 1)).to.equal(2);
      expect(limiter.id).to.equal(id);
    }
  });

  it('builds a Group whole on one package', () => {
    const { Group } = migrated();
    const [moved, kept] = [new Group({ id: 'new-group' }), new Group({ id: 'group' })];
    expect(moved).to.be.instanceOf(Rebottle.Group);
    expect(moved.key('a')).to.be.instanceOf(Rebottle);
    expect(kept).to.be.instanceOf(Bottleneck.Group);
    expect(kept.key('new')).to.be.instanceOf(Bottleneck);
    expect(new Group()).to.be.instanceOf(Bottleneck.Group);
    expect(new (migrate(Bottleneck, Rebottle, ['group-key']).Group)()).to.be.instanceOf(Rebottle.Group);
  });

  it('builds a Batcher on the package that the rule gives to what has no id', async () => {
    for (const [rule, expected] of [
      [[], Bottleneck.Batcher],
      [['*'], Rebottle.Batcher],
    ] as const) {
      const batcher = new (migrate(Bottleneck, Rebottle, rule).Batcher)({ maxSize: 2 });
      expect(batcher).to.be.instanceOf(expected);
      const batch = nextEvent(batcher, 'batch');
      void batcher.add(1);
      void batcher.add(2);
      expect(await batch).to.deep.equal([[1, 2]]);
    }
  });

  it('gives a rule function the options and what is built', () => {
    const seen: unknown[] = [];
    const Migrated = migrate(Bottleneck, Rebottle, (options, subject) => {
      seen.push([options, subject]);
      return options.maxConcurrent === 1;
    });
    expect(new Migrated({ maxConcurrent: 1 })).to.be.instanceOf(Rebottle);
    expect(new Migrated({ maxConcurrent: 2, id: 'x' })).to.be.instanceOf(Bottleneck);
    new Migrated.Batcher({ maxSize: 2 });
    expect(seen).to.deep.equal([
      [{ maxConcurrent: 1 }, { kind: 'limiter', id: '<no-id>' }],
      [
        { maxConcurrent: 2, id: 'x' },
        { kind: 'limiter', id: 'x' },
      ],
      [{ maxSize: 2 }, { kind: 'batcher', id: '<no-id>' }],
    ]);
  });

  it('leaves wrong arguments to the package', () => {
    const Migrated = migrated();
    for (const args of [[5], [null], [{}, {}]]) {
      expect(() => Reflect.construct(Migrated, args)).to.throw(Bottleneck.BottleneckError, 'single object argument');
    }
    expect(() => (Migrated as unknown as () => void)()).to.throw(TypeError, "without 'new'");
  });

  it('refuses a wrong rule at once', () => {
    expect(() => migrate(Bottleneck, Rebottle, 'a' as never)).to.throw(TypeError);
  });

  describe('statics', () => {
    it('has all of Bottleneck', () => {
      const Migrated = migrated();
      expect(Migrated).to.include.keys(Object.keys(Bottleneck));
      expect(Migrated.strategy).to.equal(Bottleneck.strategy);
      expect(Migrated).to.have.property('version', '2.19.5');
      expect(Migrated).to.have.property('default', Migrated);
      expect(Migrated).to.have.property('name', 'Bottleneck');
      expect(Migrated.Events).to.equal(Bottleneck.Events);
    });

    it('takes what only rebottle has from rebottle', () => {
      const WithMore = class extends (Rebottle as unknown as new () => object) {
        static Status = { QUEUED: 'QUEUED' };
      };
      expect(Object.getOwnPropertyNames(WithMore)).to.include('Status');
      const More = Object.assign(WithMore, {
        Group: Rebottle.Group,
        Batcher: Rebottle.Batcher,
        BottleneckError: Error,
      });
      expect(migrate(Bottleneck, More as unknown as BottleneckClass, [])).to.have.deep.property('Status', {
        QUEUED: 'QUEUED',
      });
    });
  });

  describe('instanceof', () => {
    it('holds for limiters and Groups of both packages, wherever they were built', () => {
      const Migrated = migrated();
      const groups = [new Bottleneck.Group(), new Rebottle.Group()];
      expect(new Bottleneck()).to.be.instanceOf(Migrated);
      expect(new Rebottle()).to.be.instanceOf(Migrated);
      for (const group of groups) {
        expect(group).to.be.instanceOf(Migrated.Group);
      }
      for (const value of [{}, null, undefined, 5, () => 0]) expect(value instanceof Migrated).to.equal(false);
    });

    it('holds for the errors of both packages', async () => {
      const Migrated = migrated();
      for (const id of ['new', 'old']) {
        const limiter = new Migrated({ id });
        await limiter.stop();
        const error = await limiter.schedule(async () => 1).catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(Migrated.BottleneckError).and.instanceOf(Error);
      }
      expect(new Migrated.BottleneckError('x')).to.be.instanceOf(Error).with.property('message', 'x');
    });
  });

  describe('telling what it chose', () => {
    it('calls back with each choice and what was built', () => {
      const calls: unknown[][] = [];
      const Migrated = migrated((...call) => calls.push(call));
      const options = { id: 'new' };
      const moved = new Migrated(options);
      const kept = new Migrated();
      expect(calls).to.deep.equal([
        [{ kind: 'limiter', id: 'new', chosen: 'rebottle', options }, moved],
        [{ kind: 'limiter', id: '<no-id>', chosen: 'bottleneck', options: undefined }, kept],
      ]);
      expect(calls[0]?.[1]).to.equal(moved);
    });

    it('sends a debug event that listeners added right after new hear', async () => {
      const Migrated = migrated();
      for (const [id, chosen] of [
        ['new', 'rebottle'],
        ['old', 'bottleneck'],
      ] as const) {
        const limiter = new Migrated({ id });
        const [message, info] = await nextEvent(limiter, 'debug');
        expect(message).to.equal(`Built on ${chosen}: ${id}`);
        expect(info).to.deep.equal({ kind: 'limiter', id, chosen, options: { id } });
      }
    });

    it('sends it on a Group', async () => {
      const { Group } = migrated();
      const group = new Group({ id: 'new' });
      expect(await nextEvent(group, 'debug')).to.have.property('0', 'Built on rebottle: new');
    });
  });

  describe('chaining', () => {
    for (const [from, to] of [
      ['new', 'old'],
      ['old', 'new'],
    ] as const) {
      it(`${from} to ${to}: a job passes both`, async () => {
        const Migrated = migrated();
        const [first, second] = [new Migrated({ id: from }), new Migrated({ id: to, reservoir: 5 })];
        first.chain(second);
        const executed: string[] = [];
        first.on('executing', (info) => executed.push(`first ${info.options.id}`));
        second.on('executing', (info) => executed.push(`second ${info.options.id}`));
        const result = await first.schedule({ id: 'job', weight: 2 }, async (x: number) => x * 2, 4);
        expect(result).to.equal(8);
        expect(executed).to.deep.equal(['first job', 'second job']);
        expect(await second.currentReservoir()).to.equal(3);
      });

      it(`${from} to ${to}: an error comes back as it was thrown`, async () => {
        const Migrated = migrated();
        const limiter = new Migrated({ id: from }).chain(new Migrated({ id: to }));
        const thrown = new Error('job');
        const caught = await limiter.schedule(async () => Promise.reject(thrown)).catch((error: unknown) => error);
        expect(caught).to.equal(thrown);
      });
    }
  });

  describe('a subclass', () => {
    function subclass() {
      return class Counting extends migrated() {
        scheduled = 0;
        constructor(
          options: { id: string },
          readonly extra: string,
        ) {
          super(options);
        }
        // biome-ignore lint/suspicious/noExplicitAny: passes whatever schedule takes
        override schedule(...args: any[]): Promise<any> {
          this.scheduled += 1;
          return Reflect.apply(super.schedule, this, args);
        }
        get description(): string {
          return `${this.extra} ${this.id}`;
        }
      };
    }

    for (const id of ['new', 'old']) {
      it(`${id}: has its own members and those of the package chosen`, async () => {
        const Counting = subclass();
        const limiter = new Counting({ id }, 'extra');
        expect(await limiter.schedule(async () => 'result')).to.equal('result');
        expect(await limiter.wrap(async () => 'wrapped')()).to.equal('wrapped');
        expect(limiter.scheduled).to.equal(2);
        expect(limiter.description).to.equal(`extra ${id}`);
        expect(await limiter.running()).to.equal(0);
        expect(limiter.counts()).to.have.property('EXECUTING', 0);
        const { prototype } = id === 'new' ? Rebottle : Bottleneck;
        expect(limiter.updateSettings).to.equal(prototype.updateSettings);
      });

      it(`${id}: is known by instanceof`, () => {
        const Counting = subclass();
        const limiter = new Counting({ id }, '');
        expect(limiter).to.be.instanceOf(Counting);
        expect(limiter instanceof Object.getPrototypeOf(Counting)).to.equal(true);
        expect(new Bottleneck() instanceof Counting).to.equal(false);
      });

      it(`${id}: can be stopped, which replaces methods on the instance`, async () => {
        const limiter = new (subclass())({ id }, '');
        await limiter.stop();
        const refused = await limiter.schedule(async () => 1).catch((error: unknown) => error);
        expect(refused).to.be.instanceOf(Error);
        const again = await limiter.stop().catch((error: unknown) => error);
        expect(again).to.be.instanceOf(Error);
      });
    }

    it('inherits the statics, and takes one that builds another inside its constructor', async () => {
      const Migrated = migrated();
      class Pair extends Migrated {
        other = new Migrated({ id: 'old' });
      }
      expect(Pair.strategy).to.equal(Bottleneck.strategy);
      const pair = new Pair({ id: 'new' });
      expect(pair.other).to.be.instanceOf(Bottleneck);
      expect(pair.queued).to.equal(Rebottle.prototype.queued);
      expect(await pair.chain(pair.other).schedule(async () => 1)).to.equal(1);
    });

    it('works for Group', () => {
      class Named extends migrated().Group {
        keyOf(name: string) {
          return this.key(`k-${name}`);
        }
      }
      for (const [id, expected] of [
        ['new', Rebottle],
        ['old', Bottleneck],
      ] as const) {
        const group = new Named({ id });
        expect(group.keyOf('a')).to.be.instanceOf(expected).with.property('id', `${id}-k-a`);
        expect(group.keys()).to.deep.equal(['k-a']);
      }
    });

    it('works for BottleneckError', () => {
      class Mine extends migrated().BottleneckError {}
      expect(new Mine('x')).to.be.instanceOf(Mine).and.instanceOf(Error).with.property('message', 'x');
    });
  });

  it('passes a connection that is a stand-in on as it is', () => {
    for (const id of ['new-x', 'old-x']) {
      const group = { connection: { disconnect: () => undefined }, id, datastore: 'local' };
      let seen: unknown;
      const Probe = class {
        constructor(options: { connection: unknown }) {
          seen = options;
        }
      };
      const Either = migrate(
        Object.assign(class extends Probe {}, { Group: Probe, Batcher: Probe, BottleneckError: Error }),
        Object.assign(class extends Probe {}, { Group: Probe, Batcher: Probe, BottleneckError: Error }),
        ['new*'],
      );
      new Either(group);
      expect(seen).to.equal(group);
    }
  });
});
