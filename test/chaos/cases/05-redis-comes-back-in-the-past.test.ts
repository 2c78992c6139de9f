import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { failOnLeaks } from '../../support/leaks';
import { type RedisServer, startRedis } from '../../support/redis-server';
import { CLIENT_TIMEOUT, expectClean, HEARTBEAT, repeatFault, runCase } from './case';
import { keepsItsOrder } from './queue-order';

const RECOVERY = CLIENT_TIMEOUT + HEARTBEAT;

describe('case 5: Redis comes back in the past', function () {
  this.timeout(180_000);

  for (const [fault, redis] of [
    ['restart-aof', { aof: true }],
    ['restart-past', { rdb: true }],
  ] as const) {
    it(`${fault} under load`, async () => {
      const { verdict, history } = await runCase({ redis }, (fleet) => repeatFault(fleet, fault, 3));
      expectClean(verdict);
      expect(history.faults).to.have.length(3);
    });
  }

  describe('what waits keeps its old order', () => {
    failOnLeaks();
    let server: RedisServer;

    afterEach(() => server.stop());

    it('after an RDB file from when the queue was half as long', async () => {
      server = await startRedis({ rdb: true });
      const admin = server.client();
      const half = sleep(60).then(() => admin.save());
      await keepsItsOrder(server, async () => {
        await half;
        await server.restart({ graceful: false });
        await sleep(RECOVERY);
      });
      admin.disconnect();
    });

    it('after an append-only file that was cut off', async () => {
      server = await startRedis({ aof: true });
      await keepsItsOrder(server, async () => {
        await server.restart({ graceful: false, whileDown: ({ dir }) => cutInHalf(path.join(dir, 'appendonlydir')) });
        await sleep(RECOVERY);
      });
    });

    it('after a whole append-only file', async () => {
      server = await startRedis({ aof: true });
      await keepsItsOrder(server, async () => {
        await server.restart({ graceful: false });
        await sleep(RECOVERY);
      });
    });
  });
});

/** Takes the younger half off: the server loads a file with a torn end. */
function cutInHalf(folder: string): void {
  const name = fs.readdirSync(folder).find((one) => one.endsWith('.incr.aof'));
  if (!name) throw new Error(`no append-only file in ${folder}`);
  const file = path.join(folder, name);
  fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2));
}
