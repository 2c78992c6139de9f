/**
 * A limit for each tenant and feature, on one pool. Changing a feature's limits reaches the limiters that exist.
 *
 * REDIS_URL=redis://127.0.0.1:6379 node examples/resident/per-tenant.mjs
 */
import { WorkerPool } from 'rebottle';
import LimiterManager from 'rebottle/LimiterManager';

const pool = await WorkerPool.create({ redis: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' });

const limiters = new LimiterManager({ maxLimiters: 500 });
await limiters.registerFeatureConfig('mail', { maxConcurrent: 1, maxRetries: 5 });
await limiters.registerFeatureConfig('search', { maxConcurrent: 4, window: { max: 10, duration: 1000 } });

let sending = 0;
let most = 0;
/** @param {string} address */
const send = async (address) => {
  most = Math.max(most, ++sending);
  await new Promise((resolve) => setTimeout(resolve, 20));
  sending--;
  return address;
};

const addresses = ['ann', 'bob', 'cid', 'dan'];
const mail = limiters.getLimiter('example-tenant', 'mail');
const sent = await Promise.all(addresses.map((address) => mail.schedule({ timeout: 5000 }, send, address)));
console.log(`sent to ${sent.join()}, at most ${most} at once`);

most = 0;
await limiters.registerFeatureConfig('mail', { maxConcurrent: 2, maxRetries: 5 });
await Promise.all(addresses.map((address) => mail.schedule(send, address)));
console.log(`now at most ${most} at once`);

const found = await limiters.getLimiter('example-tenant', 'search').schedule(async (text) => text.length, 'query');
console.log(`search gave ${found}, ${limiters.size} limiters`);

await pool.stop();
