import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ClusterSetup } from '../../support/cluster';
import type { Limiter } from '../load-package';
import { Limiters } from './case';

const COUNT = 200;
const JOBS = 6;

/** Limiters on a cluster with a load of their own; counts what runs, and how much of one limiter runs at a time. */
class ClusterLoad {
  readonly runs = new Map<string, number>();
  readonly excesses: string[] = [];
  private readonly promises: Array<Promise<unknown>> = [];

  constructor(private readonly limiters: Limiter[]) {}

  submit(jobs: number): void {
    for (const [index, limiter] of this.limiters.entries()) {
      let running = 0;
      for (let i = 0; i < jobs; i++) {
        const id = `${index}-${this.promises.length}`;
        const job = async () => {
          this.runs.set(id, (this.runs.get(id) ?? 0) + 1);
          if (++running > 2) this.excesses.push(id);
          await sleep(10);
          running--;
          return id;
        };
        this.promises.push(limiter.schedule({ id }, job).then((value) => expect(value).to.equal(id)));
      }
    }
  }

  async settle(): Promise<void> {
    await Promise.all(this.promises);
    expect([...this.runs.values()].every((count) => count === 1)).to.equal(true);
    expect(this.runs.size).to.equal(this.promises.length);
    expect(this.excesses).to.deep.equal([]);
  }
}

describe('case 7: Redis Cluster', function () {
  this.timeout(120_000);
  let setup: ClusterSetup;
  const limiters = new Limiters({ maxConcurrent: 2 });

  beforeEach(async () => {
    setup = await ClusterSetup.start();
  });

  afterEach(async () => {
    await limiters.closeAll();
    await setup.stop();
  });

  function create(count: number): Limiter[] {
    const options = { clusterNodes: setup.startupNodes, clientOptions: { clusterRetryStrategy: () => 100 } };
    return Array.from({ length: count }, (_, i) => limiters.create({ ...options, id: `limiter ${i}` }));
  }

  async function redirectedSlot(id: string): Promise<number> {
    const client = setup.servers.find(({ running }) => running)!.client();
    const keys = await allKeys(setup, `*${id}*_settings`);
    client.disconnect();
    if (keys.length !== 1) throw new Error(`keys found: ${keys.join(' ')}`);
    return setup.slotOf(keys[0]!);
  }

  it('200 limiters with plain ids spread over it, and stay within their limits', async () => {
    const all = create(COUNT);
    const load = new ClusterLoad(all);
    load.submit(JOBS);
    await load.settle();
    const perNode = await Promise.all(
      setup.servers.map(async (server) => {
        const client = server.client();
        const role = ((await client.call('ROLE')) as string[])[0];
        const count = (await client.keys('b_*_settings')).length;
        client.disconnect();
        return role === 'master' ? count : 0;
      }),
    );
    expect(perNode.filter((count) => count > COUNT / 10)).to.have.length(3);
    expect(perNode.reduce((a, b) => a + b)).to.equal(COUNT);
  });

  it('a primary is killed and its replica promoted while limiters work', async () => {
    const all = create(30);
    const load = new ClusterLoad(all);
    await Promise.all(all.map((limiter) => limiter.ready()));
    load.submit(40);
    await sleep(100);
    await setup.failover(0);
    load.submit(10);
    // What started twice in the time that was lost would show here; the limits may be exceeded for a moment.
    await load.settle();
  });

  it('a slot moves to another node while its limiter works', async () => {
    const [limiter] = create(1);
    await limiter!.ready();
    const load = new ClusterLoad([limiter!]);
    load.submit(150);
    const slot = await redirectedSlot('limiter 0');
    for (let i = 0; i < 3; i++) {
      await sleep(100);
      await setup.moveSlot(slot);
    }
    load.submit(20);
    await load.settle();
  });
});

async function allKeys(setup: ClusterSetup, pattern: string): Promise<string[]> {
  const found = await Promise.all(
    setup.servers.map(async (server) => {
      const client = server.client();
      const keys = await client.keys(pattern);
      client.disconnect();
      return keys;
    }),
  );
  return [...new Set(found.flat())];
}
