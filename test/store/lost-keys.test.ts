import { setTimeout as sleep } from 'node:timers/promises';
import { KEY_NAMES } from '../../lib/store/redis/keys';
import { Random } from '../chaos/random';
import { useRedis } from '../support/redis-fixture';
import { Fleet, type FleetMember, type FleetOptions } from './fleet';
import { TestTicket } from './store-driver';

/** Times at which silent processes are noticed, short enough for a test. */
const QUICK: FleetOptions = { heartbeatInterval: 60, clientTimeout: 400 };
const SEED = Number(process.env.LOST_KEYS_SEED ?? 1);
const CASES = Number(process.env.LOST_KEYS_CASES ?? 40);
const AT_ONCE = 8;
const DEEDS = 14;

/**
 * Three clients of one limiter, to which everything happens at once that a fleet may suffer: keys are deleted, clients die,
 * fall silent, are not reached by messages, lose their connections. What the living have waiting must start, each ticket
 * once, and nothing may be left that holds a slot.
 */
class Ordeal {
  readonly story: string[] = [];
  private readonly random: Random;
  private readonly tickets = new Map<FleetMember, TestTicket[]>();
  private readonly deaf = new Set<FleetMember>();
  private readonly maxConcurrent: number;
  private readonly fleet: Fleet;
  private count = 0;

  constructor(
    private readonly redis: ReturnType<typeof useRedis>,
    seed: number,
  ) {
    this.random = new Random(seed);
    this.maxConcurrent = this.random.pick([1, 1, 2, 3]);
    const minTime = this.random.pick([0, 0, 20]);
    const dispatch = this.random.pick(['default', 'just-in-time'] as const);
    this.fleet = new Fleet(
      redis,
      { maxConcurrent: this.maxConcurrent, minTime, dispatch },
      QUICK,
      `${redis.id()}-${seed}`,
    );
  }

  async run(): Promise<void> {
    await this.fleet.joinAll(3);
    for (const member of this.fleet.members) this.tickets.set(member, []);
    const deeds = [this.submit, this.submit, this.submit, this.finish, this.finish, this.deleteKeys, this.deleteKeys];
    deeds.push(this.fallSilent, this.die, this.goDeaf, this.cutConnections);
    for (let i = 0; i < DEEDS; i++) {
      const deed = this.random.pick(deeds);
      const member = this.random.pick(this.fleet.members);
      this.story.push(`${deed.name} ${member.store.clientId}`);
      await deed.call(this, member);
      await sleep(this.random.pick([0, 5, 10, 40, 120, 450]));
    }
    await this.recover();
    await this.check();
  }

  end(): Promise<void> {
    return this.fleet.end();
  }

  private submit(member: FleetMember): void {
    const added = Array.from({ length: this.random.between(1, 4) }, () => {
      const [priority, weight] = [this.random.between(0, 9), this.random.between(1, this.maxConcurrent)];
      return new TestTicket(`t${this.count++}`, { priority, weight, delay: this.random.chance(0.15) ? 60 : 0 });
    });
    this.tickets.get(member)!.push(...added);
    member.submit(...added).catch(() => {}); // it dies meanwhile
  }

  private finish(member: FleetMember): void {
    const done = member.executing;
    if (done.length > 0) member.finish(...done).catch(() => {}); // it dies meanwhile
  }

  private async deleteKeys(): Promise<void> {
    const chosen = KEY_NAMES.filter((name) => this.random.chance(name === 'settings' ? 0.1 : 0.5));
    this.story.push(`  ${chosen.join(', ')}`);
    const keys = chosen.map((name) => this.fleet.keys[KEY_NAMES.indexOf(name)]!);
    if (keys.length > 0) await this.redis.admin.del(...keys);
  }

  private fallSilent(member: FleetMember): void {
    member.fallSilent();
  }

  /** One stays. */
  private die(member: FleetMember): void {
    const { members } = this.fleet;
    if (members.length === 1) return;
    member.die();
    members.splice(members.indexOf(member), 1);
  }

  private async goDeaf(member: FleetMember): Promise<void> {
    if (this.deaf.has(member)) return;
    this.deaf.add(member);
    await member.stopListening();
  }

  private async cutConnections(): Promise<void> {
    await this.redis.admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  }

  private async recover(): Promise<void> {
    for (const member of this.fleet.members) {
      member.speakAgain();
      if (this.deaf.has(member)) await member.listenAgain();
    }
  }

  private async check(): Promise<void> {
    const { members } = this.fleet;
    const all = members.flatMap((member) => this.tickets.get(member)!.map((ticket) => ({ member, ticket })));
    const left = all.filter(({ member, ticket }) => !member.hasFinished(ticket));
    await this.fleet.drain(left.map(({ ticket }) => ticket));
    const odd = all.filter(({ member, ticket }) => member.startsOf(ticket).length !== 1);
    if (odd.length > 0) throw new Error(`not started once: ${odd.map(({ ticket }) => ticket.name).join(', ')}`);
  }
}

describe('lost keys and lost clients, at random', function () {
  this.timeout(CASES * 2000);
  const redis = useRedis();

  it(`leave nothing waiting for ever (${CASES} cases from seed ${SEED})`, async () => {
    const failures: string[] = [];
    let next = SEED;
    const worker = async (): Promise<void> => {
      while (next < SEED + CASES) {
        const seed = next++;
        const ordeal = new Ordeal(redis, seed);
        await ordeal
          .run()
          .catch((error) => failures.push(`seed ${seed}: ${error.message}\n${ordeal.story.join('\n')}`));
        await ordeal.end();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    if (failures.length > 0) throw new Error(failures.join('\n\n'));
  });
});
