import { expect } from 'chai';
import { IORedisConnection } from '../../lib/store/redis/connection';
import { eventually } from '../support/eventually';
import { SentinelSetup } from '../support/sentinel';
import { families } from './client-families';

describe('Redis clients with Sentinel', () => {
  let sentinel: SentinelSetup;

  beforeEach('start the servers', async function () {
    this.timeout(60_000);
    sentinel = await SentinelSetup.start();
  });

  afterEach('stop the servers', () => sentinel.stop());

  for (const family of families.filter(({ datastore }) => datastore === 'ioredis')) {
    it(`${family.name}: commands and subscriptions follow a failover`, async function () {
      this.timeout(60_000);
      const connection = new IORedisConnection({
        Redis: family.Redis,
        clientOptions: { ...sentinel.clientOptions, maxRetriesPerRequest: null, sentinelRetryStrategy: () => 50 },
      });
      await connection.ready;
      const { commands, subscriptions } = connection;
      const received: string[] = [];
      subscriptions.onMessage((_, message) => received.push(message));
      await subscriptions.subscribe('b_sentinel');
      const back = new Promise<void>((resolve) => subscriptions.onReady(resolve));
      await sentinel.failover();
      await back;
      await eventually(async () => (await commands.publish('b_sentinel', 'after')) === 1, { within: 20_000 });
      await eventually(() => received.includes('after'));
      expect(commands.isEnded || subscriptions.isEnded).to.equal(false);
      await connection.disconnect();
    });
  }
});
