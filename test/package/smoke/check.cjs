/**
 * What must work under every version of Node, done with a class that was given: in memory and, where there is a port of
 * a Redis, through each client library. Copied into a project that has the packed package; prints nothing.
 */
const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');

/** @typedef {any} Any what a plain JavaScript program sees */

/** @param {Any} Bottleneck @param {object} [options] of the limiters */
async function checkClass(Bottleneck, options = {}) {
  const limiter = new Bottleneck({ id: `smoke-${process.pid}`, maxConcurrent: 1, minTime: 1, ...options });
  const request = new AsyncLocalStorage();
  /** @type {string[]} */
  const seen = [];
  limiter.on('executing', () => seen.push(`listener for ${request.getStore()}`));
  /** @param {string} name */
  const job = (name) => () => limiter.schedule(async () => seen.push(`${name} for ${request.getStore()}`));
  await Promise.all(['a', 'b'].map((name) => request.run(`request ${name}`, job(name))));
  assert.deepEqual(seen, ['listener for request a', 'a for request a', 'listener for request b', 'b for request b']);

  await assert.rejects(
    limiter.schedule(async () => {
      throw new RangeError('thrown');
    }),
    RangeError,
  );
  await assert.rejects(
    limiter.schedule({ expiration: 5 }, () => new Promise(() => {})),
    /timed out after 5 ms/,
  );
  assert.match((await limiter.explain()).text, /[Nn]othing waits/);
  assert.equal(await limiter.running(), 0);
  assert.equal(await limiter.wrap(async (/** @type {number} */ n) => n * 2)(21), 42);
  await limiter.stop();
  await limiter.disconnect();
}

/** @param {Any} Bottleneck @param {number} port @param {'ioredis' | 'redis'} datastore */
async function checkRedis(Bottleneck, port, datastore) {
  const address = { host: '127.0.0.1', port };
  await checkClass(Bottleneck, {
    datastore,
    clearDatastore: true,
    // A thread of its own, from a file of the package.
    workerHeartbeat: true,
    timeout: 1000,
    clientOptions: datastore === 'ioredis' ? address : { socket: address },
  });
}

/** @param {Any} resident its module @param {number} port */
async function checkResident({ WorkerPool, DistributedLimiter }, port) {
  const pool = await WorkerPool.create({ redis: { host: '127.0.0.1', port } });
  const limiter = new DistributedLimiter({
    id: `smoke-resident-${process.pid}`,
    maxConcurrent: 2,
    ttl: 1000,
    backoff: () => 1,
  });
  /** @type {number[]} */
  const attempts = [];
  const answer = await limiter.schedule(async (/** @type {{ attempt: number }} */ { attempt }) => {
    attempts.push(attempt);
    if (attempt === 1) throw new Error('once');
    return 'answered';
  });
  assert.deepEqual([answer, attempts], ['answered', [1, 2]]);
  await pool.stop();
}

module.exports = { checkClass, checkRedis, checkResident };
