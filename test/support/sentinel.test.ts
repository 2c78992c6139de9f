import { expect } from 'chai';
import { Redis } from 'ioredis';
import { failOnLeaks } from './leaks';
import { SentinelSetup } from './sentinel';

describe('SentinelSetup', function () {
  this.timeout(60_000);
  failOnLeaks();

  it('promotes the replica when the primary is killed, and clients follow', async () => {
    const setup = await SentinelSetup.start();
    const client = new Redis({
      ...setup.clientOptions,
      sentinelRetryStrategy: () => 50,
      retryStrategy: () => 50,
      // However long the failover takes.
      maxRetriesPerRequest: null,
    });
    client.on('error', () => {});
    try {
      await client.set('k', '1');
      await client.wait(1, 1000);
      const old = await setup.primary();
      const promoted = await setup.failover();
      expect(promoted.port).not.to.equal(old.port);
      expect(await client.get('k')).to.equal('1');
      await client.set('k', '2');
      const direct = promoted.client();
      expect(await direct.get('k')).to.equal('2');
    } finally {
      client.disconnect();
      await setup.stop();
    }
  });
});
