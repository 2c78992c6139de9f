import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../../support/eventually';
import { type RedisServer, startRedis } from '../../support/redis-server';
import { expectClean, Limiters, runCase, startsOf } from './case';

/** No script may hold Redis for longer than this, µs. On a busy machine that time includes waiting for a core. */
const LONGEST_SCRIPT_US = 150_000;

const LIMITERS = 10_000;
const TICKETS = 500_000;
const PROCESSES = 50;

type Admin = ReturnType<RedisServer['client']>;

async function longestScript(admin: Admin): Promise<number> {
  const entries = (await admin.call('SLOWLOG', 'GET', 200)) as Array<[number, number, number, string[]]>;
  return Math.max(0, ...entries.filter(([, , , [name]]) => /^eval/i.test(name!)).map(([, , took]) => took));
}

describe('case 10: scale', function () {
  this.timeout(600_000);
  let server: RedisServer;
  let admin: Admin;
  // Bottleneck's defaults: so many limiters could not all send a heartbeat several times a second.
  const limiters = new Limiters({ clientTimeout: 10_000, heartbeatInterval: 5000 });

  beforeEach(async () => {
    server = await startRedis({ config: { 'slowlog-log-slower-than': 1000, 'slowlog-max-len': 200 } });
    admin = server.client();
  });

  afterEach(async () => {
    await limiters.closeAll();
    await server.stop();
  });

  it(`${LIMITERS} limiters in one process on one pair of connections`, async () => {
    // The same plain options: the connections are shared.
    const clientOptions = { host: server.host, port: server.port };
    const all = Array.from({ length: LIMITERS }, (_, i) =>
      limiters.create({ id: `many-${i}`, maxConcurrent: 1, clientOptions }),
    );
    const results = await Promise.all(all.map((limiter, i) => limiter.schedule({}, async () => i)));
    expect(results).to.deep.equal(all.map((_, i) => i));
    const ours =
      String(await admin.client('LIST'))
        .split('\n')
        .filter((line) => line.includes('addr=')).length - 1;
    expect(ours).to.be.at.most(2);
    expect(limiters.errors).to.deep.equal([]);
    expect(await longestScript(admin)).to.be.lessThan(LONGEST_SCRIPT_US);
  });

  it(`${TICKETS} tickets waiting in one queue: bounded scripts, flat memory afterwards`, async () => {
    const clientOptions = { host: server.host, port: server.port };
    const limiter = limiters.create({ id: 'deep', maxConcurrent: 1, clientOptions });
    await limiter.ready();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = limiter.schedule({}, () => held);
    let ran = 0;
    const waiting: Array<Promise<unknown>> = [];
    for (let i = 0; i < TICKETS; i++) {
      waiting.push(
        limiter.schedule({ priority: i % 10 }, async () => {
          ran += 1;
        }),
      );
      if (i % 10_000 === 0) await sleep(1);
    }
    await eventually(async () => (await limiter.clusterQueued()) === TICKETS, {
      within: 240_000,
      every: 200,
      that: 'all tickets in the queue',
    });
    const full = await longestScript(admin);
    (limiter as unknown as { updateSettings(patch: object): Promise<unknown> }).updateSettings({ maxConcurrent: 1000 });
    release();
    await first;
    await Promise.all(waiting);
    expect(ran).to.equal(TICKETS);
    const longest = Math.max(full, await longestScript(admin));
    console.log(`      longest script: ${longest} µs`);
    expect(longest).to.be.lessThan(LONGEST_SCRIPT_US);
    expect(limiters.errors).to.deep.equal([]);
    const left = await admin.keys('*');
    expect(left.length).to.be.lessThan(15);
    for (const key of left) expect(Number(await admin.memory('USAGE', key)), key).to.be.lessThan(10_000);
  });

  it(`${PROCESSES} processes on one id`, async () => {
    const { history, verdict } = await runCase(
      {
        workers: 0,
        // On two cores a process out of fifty waits its turn for longer than the other cases' clientTimeout.
        options: { maxConcurrent: 20, clientTimeout: 10_000, heartbeatInterval: 1000 },
        rules: { clientTimeout: 10_000, heartbeatInterval: 1000 },
        workload: { backlog: 4, duration: [20, 60] },
      },
      async (fleet) => {
        // What starting and measuring so many processes costs the machine is not what is tried here.
        for (let i = 0; i < PROCESSES; i += 5)
          await Promise.all(Array.from({ length: 5 }, (_, j) => fleet.add(i + j + 1, { server: undefined })));
        await Promise.all(fleet.members.map(({ process }) => process.waitFor('ready', 60_000)));
        for (const { process } of fleet.members) process.send({ type: 'go' });
        await sleep(3000);
      },
    );
    expectClean(verdict);
    const silent = [...history.workers.keys()].filter((worker) => startsOf(history, worker).length === 0);
    expect(silent).to.deep.equal([]);
  });
});
