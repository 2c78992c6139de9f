import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { KEY_NAMES } from '../../lib/store/redis/keys';
import { scripts } from '../../lib/store/redis/scripts';
import type { StoreSettings } from '../../lib/store/store';
import { eventually } from '../support/eventually';
import { useRedis } from '../support/redis-fixture';
import { Fleet, type FleetMember, type FleetOptions, startedNames } from './fleet';
import { TestTicket, tickets } from './store-driver';

/** Times at which silent processes are noticed, short enough for a test. */
const QUICK: FleetOptions = { heartbeatInterval: 60, clientTimeout: 600 };

describe('several clients on one limiter in Redis', () => {
  const redis = useRedis();
  let fleet: Fleet;

  async function join(
    count: number,
    settings: Partial<StoreSettings> = {},
    options?: FleetOptions,
  ): Promise<FleetMember[]> {
    fleet = new Fleet(redis, settings, options);
    return fleet.joinAll(count);
  }

  afterEach('end the fleet', () => fleet.end());

  describe('one queue', () => {
    it('starts by priority, then by arrival, whoever scheduled it', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1 })) as [FleetMember, FleetMember];
      const first = new TestTicket('first');
      await a.submit(first, new TestTicket('a1'), new TestTicket('a-late', { priority: 9 }));
      await b.submit(new TestTicket('b1'), new TestTicket('b-urgent', { priority: 0 }));
      await a.submit(new TestTicket('a2'));
      const order: string[] = [];
      for (let i = 0; i < 6; i++) {
        const owner = await eventually(() => [a, b].find(({ executing }) => executing.length > 0), {
          that: `start ${i} (after ${order})`,
        });
        const [ticket] = owner.executing;
        order.push(ticket!.name);
        await owner.finish(ticket!);
      }
      expect(order).to.deep.equal(['first', 'b-urgent', 'a1', 'b1', 'a2', 'a-late']);
    });

    it('counts what runs, waits and is done over all of them', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 3 })) as [FleetMember, FleetMember];
      const heavy = new TestTicket('a', { weight: 2 });
      await a.submit(heavy);
      await b.submit(...tickets('bcd'));
      for (const { store } of [a, b]) {
        expect([await store.running(), await store.queued(), await store.done()]).to.deep.equal([3, 2, 0]);
      }
      await a.finish(heavy);
      await b.told('started d');
      expect([await b.store.running(), await b.store.queued(), await b.store.done()]).to.deep.equal([3, 0, 2]);
    });

    it('never starts more than there is room for', async () => {
      const members = await join(3, { maxConcurrent: 4 });
      const all = members.map((_, i) => Array.from({ length: 60 }, (_, n) => new TestTicket(`${i}.${n}`)));
      await Promise.all(members.map((member, i) => member.submit(...all[i]!)));
      await eventually(async () => {
        expect(members.reduce((sum, { executing }) => sum + executing.length, 0)).to.be.at.most(4);
        await Promise.all(members.map((member) => member.finish(...member.executing)));
        return members.every((member, i) => member.startsOf().length === all[i]!.length);
      });
      expect(startedNames(members)).to.have.members(all.flat().map(({ name }) => name));
    });

    it('gives minTime slots to all in one row', async () => {
      const [a, b] = (await join(2, { minTime: 10_000 })) as [FleetMember, FleetMember];
      await a.submit(...tickets('a'));
      await b.submit(...tickets('b'));
      await a.submit(...tickets('c'));
      expect(b.startsOf()[0]!.wait).to.be.within(9000, 10_000);
      expect(a.startsOf()[1]!.wait).to.be.within(19_000, 20_000);
    });

    it('lets a more important ticket of another client pass, when dispatched just in time', async () => {
      const [a, b] = (await join(2, { minTime: 80, dispatch: 'just-in-time' })) as [FleetMember, FleetMember];
      await a.submit(...tickets('abc'));
      await b.submit(new TestTicket('urgent', { priority: 0 }));
      await b.told('started urgent');
      await a.told('started c');
      const times = a.startsOf().map(({ wait }) => wait);
      expect(times).to.deep.equal([0, 0, 0]);
      expect(b.startsOf()[0]!.wait).to.equal(0);
    });

    it('starts delayed tickets when they are due, though their owner takes no step', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1 })) as [FleetMember, FleetMember];
      const running = new TestTicket('running');
      await b.submit(running);
      await a.submit(new TestTicket('late', { delay: 40, priority: 0 }));
      await b.submit(new TestTicket('soon'));
      await eventually(async () => (await b.store.inspect()).delayed === 0);
      await b.finish(running);
      await a.told('started late');
      expect(b.has('started soon')).to.equal(false);
    });
  });

  describe('shedding', () => {
    it('LEAK drops the ticket of another client, which hears of it', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1, highWater: 2, strategy: 1 })) as [FleetMember, FleetMember];
      await a.submit(...tickets('xyz'));
      await b.submit(new TestTicket('urgent', { priority: 1 }));
      expect(b.words).to.deep.equal(['queued urgent full']);
      await a.told('dropped y shed');
      expect(await a.store.queued()).to.equal(2);
    });

    it('OVERFLOW_PRIORITY drops less important tickets of others only', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1, highWater: 1, strategy: 4 })) as [FleetMember, FleetMember];
      await a.submit(...tickets('xy'));
      await b.submit(new TestTicket('equal'), new TestTicket('urgent', { priority: 4 }));
      expect(b.words).to.deep.equal(['dropped equal shed', 'queued urgent full']);
      await a.told('dropped y shed');
    });

    it('BLOCK holds for all of them', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1, highWater: 1, strategy: 3, penalty: 80 })) as [
        FleetMember,
        FleetMember,
      ];
      await a.submit(...tickets('xy'));
      await b.submit(...tickets('z'));
      expect(b.words).to.deep.equal(['dropped z blocked']);
      await a.told('dropped y blocked');
      await a.submit(...tickets('w'));
      expect(a.words.at(-1)).to.equal('dropped w blocked');
      const { unblockTime } = await a.store.inspect();
      await eventually(async () => (await a.store.inspect()).now > unblockTime);
      await b.submit(...tickets('v'));
      expect(b.words.at(-1)).to.equal('queued v');
    });
  });

  describe('changes', () => {
    it('of settings by one client start what others have waiting', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1 })) as [FleetMember, FleetMember];
      await a.submit(...tickets('xyz'));
      await b.store.updateSettings({ maxConcurrent: 2, highWater: 9 });
      await a.told('started y');
      expect(a.has('started z')).to.equal(false);
      expect((await a.store.inspect()).settings).to.include({ maxConcurrent: 2, highWater: 9 });
    });

    it('of an interval by one client wake what others have waiting', async () => {
      const [a, b] = (await join(2, { reservoir: 0 })) as [FleetMember, FleetMember];
      await a.submit(...tickets('x'));
      await b.store.updateSettings({ reservoirRefreshInterval: 300, reservoirRefreshAmount: 1 });
      await a.told('started x', 1500);
    });

    it('of the reservoir by one client start what others have waiting', async () => {
      const [a, b] = (await join(2, { reservoir: 0 })) as [FleetMember, FleetMember];
      await a.submit(...tickets('xyz'));
      expect(await b.store.incrementReservoir(2)).to.equal(2);
      await a.told('started y');
      expect(await a.store.reservoir()).to.equal(0);
    });

    it('made by whoever comes later do not count, and it can see so', async () => {
      const [a] = (await join(1, { maxConcurrent: 1 })) as [FleetMember];
      const b = await fleet.join({ maxConcurrent: 5, minTime: 10 });
      expect((await b.store.inspect()).settings).to.include({ maxConcurrent: 1, minTime: 0 });
      expect(b.others).to.deep.include({
        kind: 'conflict',
        differences: { maxConcurrent: { asked: 5, stored: 1 }, minTime: { asked: 10, stored: 0 } },
      });
      expect(a.others).to.deep.equal([]);
    });
  });

  it('passes messages to all, the sender too', async () => {
    const members = await join(3);
    await members[0]!.store.publish('to all: of you');
    await eventually(() => members.every(({ messages }) => messages.length === 1));
    for (const { messages } of members) expect(messages).to.deep.equal(['to all: of you']);
  });

  describe('a step that comes twice', () => {
    /** Sends every call of a script again, and takes the second answer. */
    function repeatCalls({ connection }: FleetMember, change: (first: unknown, second: unknown) => unknown): void {
      const { commands } = connection;
      const send = commands.evalScript.bind(commands);
      commands.evalScript = async (...call) => change(await send(...call), await send(...call));
    }

    async function work(members: FleetMember[]): Promise<void> {
      const all: TestTicket[] = [];
      for (let round = 0; round < 6; round++) {
        for (const [i, member] of members.entries()) {
          const mine = tickets('xyz', { weight: 1 + (round % 2), priority: 4 + i }).map(
            (ticket) => new TestTicket(`${i}${round}${ticket.name}`, ticket),
          );
          all.push(...mine);
          await member.step({ submitted: mine });
          await member.finish(...member.executing);
        }
      }
      const ended = (member: FleetMember) =>
        member.effects.filter(({ kind }) => kind === 'completed' || kind === 'dropped').length;
      await eventually(async () => {
        for (const member of members) await member.finish(...member.executing);
        return members.reduce((sum, member) => sum + ended(member), 0) === all.length;
      });
      expect(new Set(startedNames(members))).to.have.property('size', startedNames(members).length);
      expect(await members[0]!.store.running()).to.equal(0);
      expect(await members[0]!.store.queued()).to.equal(0);
      const done = members.flatMap(({ effects }) => effects).filter(({ kind }) => kind === 'completed');
      expect(await members[0]!.store.done()).to.equal(done.reduce((sum, { ticket }) => sum + ticket.weight, 0));
    }

    it('is taken once', async () => {
      const members = await join(2, { maxConcurrent: 3, highWater: 4 });
      for (const member of members) repeatCalls(member, (_, second) => second);
      await work(members);
    });

    it('tells of a wait that has become shorter', async () => {
      const [a] = (await join(1, { minTime: 10_000 })) as [FleetMember];
      const { commands } = a.connection;
      const send = commands.evalScript.bind(commands);
      commands.evalScript = async (...call) => {
        await send(...call);
        await sleep(200);
        return send(...call);
      };
      const all = tickets('ab') as [TestTicket, TestTicket];
      await a.submit(...all);
      commands.evalScript = send;
      expect(a.startsOf(all[0])[0]!.wait).to.equal(0);
      expect(a.startsOf(all[1])[0]!.wait).to.be.within(9000, 9801);
      await fleet.drain(all);
    });

    it('is taken once when the first answer is lost', async () => {
      const members = await join(2, { maxConcurrent: 3, highWater: 4 });
      let calls = 0;
      for (const { connection } of members) {
        const { commands } = connection;
        const send = commands.evalScript.bind(commands);
        commands.evalScript = async (...call) => {
          const reply = await send(...call);
          if (call[0] === scripts.advance && calls++ % 3 === 0) throw new Error('the connection was lost');
          return reply;
        };
      }
      await work(members);
    });
  });

  describe('lost messages', () => {
    it('are noticed by the next step', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1 }, QUICK)) as [FleetMember, FleetMember];
      const first = new TestTicket('first');
      await a.submit(first);
      const waiting = tickets('x');
      await b.submit(...waiting);
      const { onClientMessage } = b.store;
      b.store.onClientMessage = () => {};
      await a.finish(first);
      await eventually(async () => (await a.store.queued()) === 0);
      b.store.onClientMessage = onClientMessage;
      await b.told('started x');
      await fleet.drain(waiting);
    });

    it('of a start that others wait behind: it is taken back, with its place and what it took of the reservoir', async () => {
      const settings = { maxConcurrent: 1, minTime: 100, reservoir: 10 };
      const [a, b] = (await join(2, settings)) as [FleetMember, FleetMember];
      const [first, lost, next] = [new TestTicket('first'), new TestTicket('lost'), new TestTicket('next')];
      await b.submit(first);
      await a.submit(lost, next);
      a.store.onClientMessage = () => {};
      await b.finish(first);
      expect(await b.store.running()).to.equal(1);
      delete (a.store as { onClientMessage?: unknown }).onClientMessage;
      await a.listenAgain();
      await a.told('started lost');
      expect(a.has('started next')).to.equal(false);
      expect(await a.store.reservoir()).to.equal(8);
      await fleet.drain([lost, next]);
    });

    it('while the subscriptions were cut', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1 }, QUICK)) as [FleetMember, FleetMember];
      const first = new TestTicket('first');
      const waiting = tickets('xyz');
      await a.submit(first);
      await b.submit(...waiting);
      await redis.admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await a.finish(first);
      await fleet.drain(waiting);
      expect(startedNames([b])).to.deep.equal(['x', 'y', 'z']);
    });

    it('leave the tickets of a silent listener at their place', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1 })) as [FleetMember, FleetMember];
      const first = new TestTicket('first');
      await b.submit(first);
      const [ofA, ofB] = [tickets('uvw'), tickets('xy')];
      await a.submit(...ofA);
      await b.submit(...ofB);
      await a.stopListening();
      await b.finish(first);
      expect(b.has('started x')).to.equal(true);
      expect(await b.store.queued()).to.equal(4);
      await a.listenAgain();
      await eventually(async () => (await redis.admin.zcard(fleet.keys[10]!)) === 0);
      await b.finish(...b.executing);
      await a.told('started u');
      expect(b.has('started y')).to.equal(false);
      await fleet.drain([...ofA, ofB[1]!]);
    });
  });

  describe('lost state', () => {
    /** Two clients with tickets in every place, and all of those tickets. */
    async function busy(): Promise<TestTicket[]> {
      const [a, b] = (await join(2, { maxConcurrent: 2 }, QUICK)) as [FleetMember, FleetMember];
      const ofA = [
        ...tickets('abc'),
        new TestTicket('d', { delay: 60 }),
        new TestTicket('e', { weight: 2, expiration: 60_000 }),
      ];
      const ofB = tickets('xyz', { expiration: 60_000 });
      await a.submit(ofA[0]!);
      await b.submit(ofB[0]!);
      await a.submit(...ofA.slice(1));
      await b.submit(...ofB.slice(1));
      return [...ofA, ...ofB];
    }

    async function everythingEnds(all: readonly TestTicket[]): Promise<void> {
      await fleet.drain(all);
      expect(startedNames(fleet.members)).to.deep.equal(all.map(({ name }) => name).sort());
      expect(await fleet.members[0]!.store.check(2)).to.equal(true);
    }

    it('all of it, in FLUSHALL: what runs is counted and what waits is at its old place again', async () => {
      const all = await busy();
      await redis.admin.flushall();
      await Promise.all(fleet.members.map((member) => member.step()));
      await eventually(async () => (await fleet.members[0]!.store.running()) === 2);
      await eventually(async () => (await redis.admin.zcard(fleet.keys[8]!)) >= 5);
      await everythingEnds(all);
      const [a] = fleet.members as [FleetMember];
      expect(
        a
          .startsOf()
          .map(({ ticket }) => (ticket as TestTicket).name)
          .slice(0, 3),
      ).to.deep.equal(['a', 'b', 'c']);
    });

    /** Two clients, `a` with a job that executes, and one of `b` waiting; the first to notice the loss is `b`. */
    async function forgotten(
      settings: Partial<StoreSettings>,
      lose: () => Promise<unknown>,
    ): Promise<{ a: FleetMember; b: FleetMember; running: TestTicket; waiting: TestTicket }> {
      const [a, b] = (await join(2, settings, QUICK)) as [FleetMember, FleetMember];
      const [running, waiting] = [new TestTicket('running'), new TestTicket('waiting')];
      await a.submit(running);
      await b.submit(waiting);
      await lose();
      await b.step();
      return { a, b, running, waiting };
    }

    it('all of it: nothing starts before everybody has told what runs', async () => {
      const { a, b, running, waiting } = await forgotten({ maxConcurrent: 1 }, () => redis.admin.flushall());
      expect(await b.store.check(1)).to.equal(false);
      await eventually(async () => (await b.store.running()) === 1, { that: 'the job of a counts' });
      expect(b.has('started waiting')).to.equal(false);
      await a.finish(running);
      await b.told('started waiting');
      await fleet.drain([waiting]);
    });

    it('all of it, while nobody else is there: the next starts at once', async () => {
      const [a] = (await join(1, { maxConcurrent: 1 })) as [FleetMember];
      const [running, next] = tickets('ab') as [TestTicket, TestTicket];
      await a.submit(running);
      await redis.admin.flushall();
      await a.submit(next);
      await eventually(async () => (await a.store.queued()) === 1, { that: 'b waits' });
      expect(await redis.admin.hget(fleet.keys[0]!, 'rb_holdUntil')).to.equal('0');
      expect(a.has('started b')).to.equal(false);
      await a.finish(running);
      await fleet.drain([next]);
    });

    it('the queue alone: nothing starts before everybody has put back what waits', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1 }, QUICK)) as [FleetMember, FleetMember];
      const [first, urgent, later] = [
        new TestTicket('first'),
        new TestTicket('urgent', { priority: 1 }),
        new TestTicket('later'),
      ];
      await b.submit(first);
      await a.submit(urgent);
      await b.submit(later);
      await redis.admin.del(fleet.keys[8]!);
      await b.finish(first);
      await a.told('started urgent');
      expect(b.has('started later')).to.equal(false);
      await fleet.drain([urgent, later]);
    });

    it('all of it: minTime counts on from the last start of anybody', async () => {
      const [a, b] = (await join(2, { minTime: 5000 }, QUICK)) as [FleetMember, FleetMember];
      const [running, waiting] = [new TestTicket('running'), new TestTicket('waiting')];
      await a.submit(running);
      await redis.admin.flushall();
      await b.submit(waiting);
      await b.told('started waiting');
      expect(b.startsOf(waiting)[0]!.wait).to.be.within(4000, 5000);
      await fleet.drain([running, waiting]);
    });

    it('all of it: the reservoir stays as anybody knows it', async () => {
      const { a, b, running, waiting } = await forgotten({ maxConcurrent: 1, reservoir: 5 }, () =>
        redis.admin.flushall(),
      );
      await a.finish(running);
      await b.told('started waiting');
      expect(await b.store.reservoir()).to.equal(3);
      await fleet.drain([waiting]);
    });

    it('the last steps: a server that came back in the past is told before it starts anything', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1 }, QUICK)) as [FleetMember, FleetMember];
      const [first, second, third] = tickets('xyz') as [TestTicket, TestTicket, TestTicket];
      await a.submit(first);
      await b.submit(second);
      const past = await Promise.all(fleet.keys.map((key) => redis.admin.dumpBuffer(key)));
      await a.finish(first);
      await b.told('started y');
      await a.submit(third);
      const travel = redis.admin.multi().flushall();
      for (const [i, dump] of past.entries()) if (dump) travel.restore(fleet.keys[i]!, 0, dump);
      await travel.exec();
      await a.step();
      await eventually(async () => (await a.store.running()) === 1, { that: 'the job of b counts' });
      expect(a.startsOf(third)).to.have.length(0);
      await b.finish(second);
      await a.told('started z');
      await fleet.drain([third]);
    });

    it('by a timeout: not while anything runs, or waits, whose owner need not call as often', async () => {
      const timeout = 50;
      const [a] = (await join(1, { maxConcurrent: 1 }, { timeout })) as [FleetMember];
      const [running, waiting] = tickets('ab') as [TestTicket, TestTicket];
      const life = () => redis.admin.pttl(fleet.keys[0]!);
      await a.submit(running, waiting);
      expect(await life()).to.be.above(timeout);
      await a.finish(running);
      expect(await life()).to.be.above(timeout);
      await a.finish(waiting);
      expect(await life()).to.be.at.most(timeout);
    });

    it('that has ended by its timeout: nothing is held', async () => {
      const [a] = (await join(1, { maxConcurrent: 1 }, { timeout: 50 })) as [FleetMember];
      const [first, second] = tickets('ab') as [TestTicket, TestTicket];
      await a.submit(first);
      await a.finish(first);
      await eventually(async () => (await redis.admin.exists(...fleet.keys)) === 0);
      await a.submit(second);
      expect(a.has('started b')).to.equal(true);
      await fleet.drain([second]);
    });

    for (const [i, name] of KEY_NAMES.entries()) {
      it(`of ${name}, deleted`, async () => {
        const all = await busy();
        await redis.admin.del(fleet.keys[i]!);
        await everythingEnds(all);
      });

      it(`of ${name}, overwritten with something else`, async () => {
        const all = await busy();
        await redis.admin.set(fleet.keys[i]!, 'garbage');
        await everythingEnds(all);
      });
    }

    it('of what runs and of who runs it: the account begins anew', async () => {
      const all = await busy();
      for (const name of ['job_weights', 'rb_clients', 'rb_queue'] as const)
        await redis.admin.del(fleet.keys.find((key) => key.endsWith(`_${name}`))!);
      await everythingEnds(all);
    });

    const LOST_TOGETHER: Array<Array<(typeof KEY_NAMES)[number]>> = [
      ['rb_seen', 'client_last_seen'],
      ['rb_seen', 'rb_queue', 'rb_parked'],
      ['rb_seen', 'rb_clients', 'client_last_seen', 'rb_queue'],
      ['job_weights', 'rb_clients'],
      ['job_weights', 'job_clients', 'client_running', 'client_last_seen', 'rb_clients'],
      ['rb_seen', 'rb_clients', 'client_running', 'job_weights', 'job_clients', 'client_num_queued'],
      KEY_NAMES.filter((name) => name !== 'settings'),
    ];

    for (const names of LOST_TOGETHER) {
      it(`of ${names.join(', ')}, and of the process that had the slot, seen late by all others`, async () => {
        const [a, b, dying] = (await join(3, { maxConcurrent: 1 }, QUICK)) as [FleetMember, FleetMember, FleetMember];
        await dying.submit(...tickets('xy'));
        const [ofA, ofB] = [tickets('uv'), tickets('wz')];
        await a.submit(...ofA);
        await b.submit(...ofB);
        for (const member of fleet.members) member.fallSilent();
        await redis.admin.del(...names.map((name) => fleet.keys[KEY_NAMES.indexOf(name)]!));
        dying.die();
        fleet.members.pop();
        await sleep(QUICK.clientTimeout!);
        for (const member of [a, b]) member.speakAgain();
        await fleet.drain([...ofA, ...ofB]);
      });
    }

    it('of any key, seen first by whoever only asks', async () => {
      const all = await busy();
      const [a, b] = fleet.members as [FleetMember, FleetMember];
      for (const key of fleet.keys) {
        await redis.admin.call('SET', key, 'garbage');
        expect(await a.store.reservoir()).to.equal(null);
        await b.store.updateSettings({ highWater: null });
      }
      await everythingEnds(all);
    });

    it('of fields of the settings: garbage in them stops nothing', async () => {
      const all = await busy();
      const garbage = [
        'running',
        'nextRequest',
        'lastReservoirRefresh',
        'unblockTime',
        'minTime',
        'rb_minTime',
        'clientTimeout',
        'rb_arrival',
      ];
      await redis.admin.hset(fleet.keys[0]!, Object.fromEntries(garbage.map((field) => [field, 'garbage'])));
      await fleet.drain(all).catch(() => {});
      expect(startedNames(fleet.members)).to.deep.equal(all.map(({ name }) => name).sort());
    });

    it('of the scripts, in SCRIPT FLUSH', async () => {
      const all = await busy();
      await redis.admin.script('FLUSH');
      await everythingEnds(all);
      expect(fleet.members.flatMap(({ errors }) => errors)).to.deep.equal([]);
    });

    it('in a flush while nothing waits or runs', async () => {
      const [a] = (await join(1, { maxConcurrent: 1 })) as [FleetMember];
      const all = tickets('ab');
      await a.submit(all[0]!);
      await a.finish(all[0]!);
      await redis.admin.flushall();
      expect(await a.store.running()).to.equal(0);
      await redis.admin.flushall();
      await a.store.updateSettings({ maxConcurrent: 2 });
      await redis.admin.flushall();
      await a.submit(all[1]!);
      await fleet.drain([all[1]!]);
    });
  });

  describe('life and death', () => {
    it('an idle client that was forgotten goes on as if nothing had been', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1 }, QUICK)) as [FleetMember, FleetMember];
      const early = new TestTicket('early');
      await a.submit(early);
      await a.finish(early);
      await eventually(async () => {
        await b.step();
        return (await redis.admin.hexists(fleet.keys[13]!, a.store.clientId)) === 0;
      });
      const late = tickets('xy');
      await a.submit(...late);
      await fleet.drain(late);
      expect(a.errors).to.deep.equal([]);
    });

    it('a dead client frees its slots, and what it had waiting holds up nobody', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 2 }, QUICK)) as [FleetMember, FleetMember];
      await a.submit(...tickets('uvwx'));
      const ofB = tickets('yz');
      await b.submit(...ofB);
      a.fallSilent();
      await a.connection.disconnect(false);
      await eventually(() => b.startsOf().length === 2, { within: 3000 });
      fleet.members.splice(0, 1);
      await fleet.drain(ofB);
    });

    it('nobody is declared dead because Redis was away, or all were, for longer than clientTimeout', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1 }, QUICK)) as [FleetMember, FleetMember];
      const [running, waiting] = [new TestTicket('running'), new TestTicket('waiting')];
      await a.submit(running);
      await b.submit(waiting);
      const ids = [a.store.clientId, b.store.clientId];
      for (const member of [a, b]) member.fallSilent();
      await sleep(1.5 * QUICK.clientTimeout!);
      for (const member of [a, b]) member.speakAgain();
      await b.told('started waiting', 300).catch(() => {});
      expect(b.has('started waiting')).to.equal(false);
      expect([a.store.clientId, b.store.clientId]).to.deep.equal(ids);
      await fleet.drain([running, waiting]);
    });

    it('a client that was declared dead comes back under a new id, with its tickets at their old places', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1 }, QUICK)) as [FleetMember, FleetMember];
      const ofA = tickets('uvw');
      await a.submit(...ofA);
      const ofB = tickets('xy');
      await b.submit(...ofB);
      a.fallSilent();
      await b.told('started x', 3000);
      const oldId = a.store.clientId;
      await a.step();
      expect(a.store.clientId).not.to.equal(oldId);
      // What it runs counts again, although that is one too many.
      expect(await b.store.running()).to.equal(2);
      await a.finish(ofA[0]!);
      await b.finish(ofB[0]!);
      await a.told('started v');
      expect(b.has('started y')).to.equal(false);
      await fleet.drain([...ofA.slice(1), ofB[1]!]);
      expect(startedNames([a, b])).to.deep.equal(['u', 'v', 'w', 'x', 'y']);
    });

    it('a start that had not begun when its client was declared dead is void, and comes again', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 2, minTime: 200 }, QUICK)) as [FleetMember, FleetMember];
      const [running, booked, ofB] = [new TestTicket('running'), new TestTicket('booked'), new TestTicket('b')];
      booked.begun = false;
      await a.submit(running, booked);
      await b.submit(ofB);
      a.fallSilent();
      await b.told('started b');
      expect(a.store.mayBegin).to.equal(false);
      await a.store.confirm();
      expect(a.store.mayBegin).to.equal(true);
      expect(a.words.filter((word) => word.endsWith('booked'))).to.deep.equal([
        'queued booked',
        'started booked',
        'returned booked',
      ]);
      // The one that executes counts again, beside that of b.
      expect([await b.store.running(), await b.store.queued()]).to.deep.equal([2, 1]);
      await b.finish(ofB);
      await eventually(() => a.startsOf(booked).length === 2, { that: 'the second start' });
      booked.begun = true;
      await fleet.drain([running, booked]);
    });

    it('starts that had not begun stay good when nobody noticed the silence', async () => {
      const [a] = (await join(1, { minTime: 50 }, QUICK)) as [FleetMember];
      const [first, booked] = tickets('ab') as [TestTicket, TestTicket];
      booked.begun = false;
      a.fallSilent();
      await a.submit(first, booked);
      await eventually(() => !a.store.mayBegin);
      await a.store.confirm();
      expect([a.store.mayBegin, a.has('returned b'), await a.store.running()]).to.deep.equal([true, false, 2]);
      await fleet.drain([first, booked]);
    });

    it('what a client that left still runs is free when it expires, though all others are idle', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1 })) as [FleetMember, FleetMember];
      await a.submit(new TestTicket('u', { expiration: 150 }), new TestTicket('v'));
      await a.end();
      const ofB = tickets('x');
      await b.submit(...ofB);
      fleet.members.shift();
      await fleet.drain(ofB);
    });

    it('an expiration frees a slot for others by itself', async () => {
      const [a, b] = (await join(2, { maxConcurrent: 1 })) as [FleetMember, FleetMember];
      await a.submit(new TestTicket('u', { expiration: 100 }));
      await b.submit(...tickets('x'));
      await b.told('started x');
    });

    it('every key lives as long as the timeout', async () => {
      const [a] = (await join(1, { maxConcurrent: 1 }, { timeout: 300 })) as [FleetMember];
      const all = [...tickets('uv'), new TestTicket('w', { delay: 20, expiration: 1000 })];
      await a.submit(...all);
      await fleet.drain(all);
      await eventually(async () => (await redis.admin.keys('*')).length === 0, { within: 3000, that: 'no key left' });
    });
  });

  describe('what others left', () => {
    it('settings of Bottleneck 2.8 are completed, and count', async () => {
      fleet = new Fleet(redis, { maxConcurrent: 9 });
      const [settings] = fleet.keys as [string];
      await redis.admin.hset(settings, {
        id: fleet.id,
        maxConcurrent: 1,
        minTime: 0,
        highWater: '',
        strategy: 1,
        penalty: '',
        reservoir: '',
        running: 0,
        nextRequest: Date.now(),
        version: '2.8.0',
        groupTimeout: '',
      });
      const a = await fleet.join();
      const all = tickets('xyz');
      await a.submit(...all);
      expect(a.startsOf()).to.have.length(1);
      await fleet.drain(all);
      const stored = await redis.admin.hgetall(settings);
      expect(stored).to.include({ version: '2.18.0', maxConcurrent: '1', done: '3' });
      expect(stored).to.include.keys(
        'lastReservoirRefresh',
        'lastReservoirIncrease',
        'unblockTime',
        'capacityPriorityCounter',
      );
    });

    it('keys of another type are no obstacle to joining', async () => {
      fleet = new Fleet(redis, { maxConcurrent: 1 });
      for (const key of fleet.keys) await redis.admin.set(key, 'garbage');
      const a = await fleet.join();
      const all = tickets('xy');
      await a.submit(...all);
      await fleet.drain(all);
    });

    /** Another client of the same limiter, which clears the datastore. */
    async function joinClearing(settings: Partial<StoreSettings>, options: FleetOptions): Promise<FleetMember> {
      const second = new Fleet(redis, settings, { ...options, clear: true });
      Object.defineProperty(second, 'id', { value: fleet.id });
      const member = await second.join();
      fleet.members.push(member);
      return member;
    }

    for (const timeout of [null, 60_000]) {
      it(`clearDatastore begins anew, under clients that go on${timeout === null ? '' : ', with a timeout'}`, async () => {
        const options = { ...QUICK, timeout };
        const [a] = (await join(1, { maxConcurrent: 1 }, options)) as [FleetMember];
        const all = tickets('xyz');
        await a.submit(...all);
        const b = await joinClearing({ maxConcurrent: 2 }, options);
        expect((await b.store.inspect()).settings.maxConcurrent).to.equal(2);
        await a.finish(all[0]!);
        // Nothing is held back, as it is when state was lost.
        expect(await redis.admin.hget(fleet.keys[0]!, 'rb_holdUntil')).to.equal('0');
        await fleet.drain(all.slice(1));
        expect(startedNames([a])).to.deep.equal(['x', 'y', 'z']);
      });

      it(`clearDatastore after all have ended holds nothing${timeout === null ? '' : ', with a timeout'}`, async () => {
        const options = { ...QUICK, timeout };
        const [a] = (await join(1, { maxConcurrent: 1 }, options)) as [FleetMember];
        const [only, next] = tickets('xy') as [TestTicket, TestTicket];
        await a.submit(only);
        const b = await joinClearing({ maxConcurrent: 1 }, options);
        await a.finish(only);
        await b.submit(next);
        expect(b.has('started y')).to.equal(true);
        await fleet.drain([next]);
      });
    }
  });
});
