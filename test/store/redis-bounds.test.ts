/** More of everything than one call of a script looks at. */
import { expect } from 'chai';
import type { StoreSettings } from '../../lib/store/store';
import { eventually } from '../support/eventually';
import { useRedis } from '../support/redis-fixture';
import { Fleet, type FleetMember, type FleetOptions } from './fleet';
import { TestTicket } from './store-driver';

const QUICK: FleetOptions = { heartbeatInterval: 60, clientTimeout: 600 };

describe('many tickets at once in Redis', function () {
  this.timeout(30_000);
  const redis = useRedis();
  let fleet: Fleet;

  async function pair(
    settings: Partial<StoreSettings> = {},
    options?: FleetOptions,
  ): Promise<[FleetMember, FleetMember]> {
    fleet = new Fleet(redis, settings, options);
    return (await fleet.joinAll(2)) as [FleetMember, FleetMember];
  }

  afterEach('end the fleet', () => fleet.end());

  function many(count: number, name: string, options?: ConstructorParameters<typeof TestTicket>[1]): TestTicket[] {
    return Array.from({ length: count }, (_, i) => new TestTicket(`${name}${i}`, options));
  }

  async function submitAll(member: FleetMember, all: TestTicket[]): Promise<void> {
    for (let i = 0; i < all.length; i += member.store.maxBatch)
      await member.submit(...all.slice(i, i + member.store.maxBatch));
  }

  function namesStarted(member: FleetMember): string[] {
    return member.startsOf().map(({ ticket }) => (ticket as TestTicket).name);
  }

  it('2,500 start at once when a limit is lifted, in their order', async () => {
    const [a, b] = await pair({ maxConcurrent: 0 });
    await b.store.updateSettings({ maxConcurrent: 1 });
    const first = new TestTicket('first');
    await a.submit(first);
    const all = many(2500, 'a');
    await submitAll(a, all);
    await b.store.updateSettings({ maxConcurrent: null });
    await eventually(() => a.startsOf().length === 2501, { within: 10_000 });
    expect(namesStarted(a).slice(1)).to.deep.equal(all.map(({ name }) => name));
    expect(await b.store.running()).to.equal(2501);
  });

  it('a change of settings costs the same whatever waits', async () => {
    const [a] = await pair({ maxConcurrent: 1 });
    const commandsOfChange = async (): Promise<number> => {
      await redis.admin.config('RESETSTAT');
      await a.store.updateSettings({ minTime: 1 });
      await a.step();
      const stats = await redis.admin.info('commandstats');
      return [...stats.matchAll(/^cmdstat_(?!config|info)[^:]*:calls=(\d+)/gm)].reduce(
        (sum, [, n]) => sum + Number(n),
        0,
      );
    };
    await a.submit(new TestTicket('running'), new TestTicket('waiting'));
    await commandsOfChange(); // the script is sent in full
    const few = await commandsOfChange();
    await submitAll(a, many(1000, 'a'));
    // Some of them come once in a while, as the search for dead clients.
    expect(await commandsOfChange()).to.be.closeTo(few, 5);
    expect(few).to.be.below(60);
  });

  it('2,500 delayed tickets come due at once, in their order', async () => {
    const [a] = await pair();
    const all = many(2500, 'a', { delay: 400 });
    await submitAll(a, all);
    await eventually(() => a.startsOf().length === all.length, { within: 15_000 });
    expect(namesStarted(a)).to.deep.equal(all.map(({ name }) => name));
  });

  it('BLOCK drops 2,500 of two clients, each of which hears of its own', async () => {
    const [a, b] = await pair({ maxConcurrent: 1, strategy: 3, highWater: 2500, penalty: 10 });
    await a.submit(new TestTicket('running'));
    await submitAll(a, many(1250, 'a'));
    await submitAll(b, many(1250, 'b'));
    await a.submit(new TestTicket('one too many'));
    const dropped = (member: FleetMember) => member.effects.filter(({ kind }) => kind === 'dropped').length;
    await eventually(() => dropped(a) === 1251 && dropped(b) === 1250, { within: 10_000 });
    expect(await a.store.queued()).to.equal(0);
  });

  for (const [what, weight] of [
    ['of weight 1', 1],
    ['of another weight', 2],
  ] as const) {
    it(`9,000 jobs ${what} end in one step`, async () => {
      const [a, b] = await pair();
      const all = many(9000, 'a', { weight });
      await submitAll(a, all);
      await eventually(() => a.startsOf().length === all.length, { within: 10_000 });
      expect(await b.store.running()).to.equal(9000 * weight);
      await a.complete(...all);
      expect(await b.store.running()).to.equal(0);
      expect(await b.store.done()).to.equal(9000 * weight);
    });
  }

  it('2,500 slots come back when they expire', async () => {
    const [a, b] = await pair({ maxConcurrent: 2500 });
    await submitAll(a, many(2500, 'a', { expiration: 10 }));
    await b.submit(new TestTicket('b', { weight: 2500 }));
    await b.told('started b', 10_000);
    expect(await b.store.running()).to.equal(2500);
  });

  it('2,500 slots of a dead client come back, and 2,500 tickets that it had waiting hold up nobody', async () => {
    const [a, b] = await pair({ maxConcurrent: 2500 }, QUICK);
    await submitAll(a, many(5000, 'a'));
    await b.submit(new TestTicket('b', { weight: 2500, priority: 9 }));
    a.fallSilent();
    await a.connection.disconnect(false);
    fleet.members.shift();
    await b.told('started b', 10_000);
    await b.finish(...b.executing);
    await eventually(async () => {
      await b.step();
      const { running, queued } = await b.store.inspect();
      return running === 0 && queued === 0 && (await redis.admin.zcard(fleet.keys[8]!)) === 0;
    });
  });

  it('2,500 tickets of a silent listener are passed over, and put back when it listens again', async () => {
    const [a, b] = await pair({ maxConcurrent: 1 });
    const first = new TestTicket('first');
    await b.submit(first);
    const all = many(2500, 'a');
    await submitAll(a, all);
    await b.submit(new TestTicket('b'));
    await a.stopListening();
    await b.finish(first);
    await b.told('started b', 10_000);
    await a.listenAgain();
    await eventually(async () => (await redis.admin.zcard(fleet.keys[10]!)) === 0, { within: 10_000 });
    await b.finish(...b.executing);
    await a.told('started a0');
    expect(await a.store.queued()).to.equal(2499);
  });

  it('2,500 queued and 2,500 running tickets survive FLUSHALL', async () => {
    const [a, b] = await pair({ maxConcurrent: 2500 }, QUICK);
    const all = many(5000, 'a');
    await submitAll(a, all);
    await redis.admin.flushall();
    await eventually(async () => (await b.store.running()) === 2500 && (await b.store.queued()) === 2500, {
      within: 10_000,
    });
    await a.finish(...a.executing.slice(0, 500));
    await eventually(() => a.startsOf().length === 3000, { within: 10_000 });
    expect(namesStarted(a)).to.deep.equal(all.slice(0, 3000).map(({ name }) => name));
  });
});
