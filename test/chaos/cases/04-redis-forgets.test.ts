import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { failOnLeaks } from '../../support/leaks';
import { type RedisServer, startRedis } from '../../support/redis-server';
import { CLIENT_TIMEOUT, expectClean, HEARTBEAT, Limiters, repeatFault, runCase } from './case';
import { keepsItsOrder } from './queue-order';

/** Everybody finds out at the next heartbeat. */
const RECOVERY = CLIENT_TIMEOUT + HEARTBEAT;

describe('case 4: Redis forgets', function () {
  this.timeout(180_000);

  for (const [fault, times] of [
    ['flushall', 3],
    ['script-flush', 5],
    ['delete-keys', 3],
    ['restart-empty', 2],
  ] as const) {
    it(`${fault} under load: everything that waits in a living process runs exactly once`, async () => {
      const { verdict, history } = await runCase({}, (fleet) => repeatFault(fleet, fault, times));
      expectClean(verdict);
      expect(history.faults).to.have.length(times);
    });
  }

  describe('what waits keeps its old order', () => {
    failOnLeaks();
    let server: RedisServer;

    beforeEach(async () => {
      server = await startRedis();
    });

    afterEach(() => server.stop());

    async function withAdmin(work: (admin: ReturnType<RedisServer['client']>) => Promise<unknown>): Promise<void> {
      const admin = server.client();
      await work(admin);
      admin.disconnect();
      await sleep(RECOVERY);
    }

    it('after FLUSHALL', () => keepsItsOrder(server, () => withAdmin((admin) => admin.flushall())));

    it('after SCRIPT FLUSH', () => keepsItsOrder(server, () => withAdmin((admin) => admin.script('FLUSH'))));

    it('after an empty restart', () =>
      keepsItsOrder(server, async () => {
        await server.restart({ graceful: false });
        await sleep(RECOVERY);
      }));

    it('after each single key was deleted', () =>
      keepsItsOrder(server, () =>
        withAdmin(async (admin) => {
          for (const key of await admin.keys('b_*')) {
            await admin.del(key);
            await sleep(2 * HEARTBEAT);
          }
        }),
      ));

    it('after the keys were replaced by keys of another type', () =>
      keepsItsOrder(server, () =>
        withAdmin(async (admin) => {
          for (const key of await admin.keys('b_*')) await admin.multi().del(key).set(key, 'garbage').exec();
        }),
      ));
  });

  describe('settings', () => {
    let server: RedisServer;
    const limiters = new Limiters();

    before(async () => {
      server = await startRedis();
    });

    afterEach(() => limiters.closeAll());

    after(() => server.stop());

    it('come back, also those changed later', async () => {
      const limiter = limiters.on(server, { id: 'settings', maxConcurrent: 3 });
      await limiter.ready();
      await (limiter as unknown as { updateSettings(patch: object): Promise<unknown> }).updateSettings({
        maxConcurrent: 2,
      });
      const admin = server.client();
      await admin.flushall();
      let running = 0;
      let most = 0;
      await Promise.all(
        Array.from({ length: 10 }, () =>
          limiter.schedule({}, async () => {
            most = Math.max(most, ++running);
            await sleep(10);
            running--;
          }),
        ),
      );
      expect(most).to.equal(2);
      admin.disconnect();
    });

    it('the keys outlive their timeout while jobs wait, or what waits survives them', async () => {
      const limiter = limiters.on(server, { id: 'timeout', maxConcurrent: 1, timeout: 400, heartbeatInterval: 5000 });
      await limiter.ready();
      const first = limiter.schedule({}, () => sleep(1500, 'first'));
      const second = limiter.schedule({}, async () => 'second');
      expect(await Promise.all([first, second])).to.deep.equal(['first', 'second']);
      expect(await limiter.running()).to.equal(0);
    });
  });
});
