// One worker of the fleet: plain code as users of Bottleneck have it. Nothing in it knows which package answers.
const http = require('node:http');
/** @type {typeof import('bottleneck').default} */
// @ts-expect-error upstream's types know the class as `default` only
const Bottleneck = require('bottleneck');

/** @type {{ name: string, jobs: { id: string, priority: number }[], limiterId: string, redisPort: number, serverPort: number }} */
const { name, jobs, limiterId, redisPort, serverPort } = JSON.parse(process.env.DEMO_WORKER ?? '');
const agent = new http.Agent({ keepAlive: true });

const limiter = new Bottleneck({
  id: limiterId,
  maxConcurrent: 3,
  minTime: 20,
  datastore: 'ioredis',
  clientOptions: { host: '127.0.0.1', port: redisPort },
});
limiter.on('error', (error) => tell({ type: 'error', message: String(error?.message ?? error) }));

/** @param {object} message */
function tell(message) {
  if (process.connected) process.send?.(message);
}

/**
 * @param {string} path
 * @param {number} priority
 * @returns {Promise<void>} rejects unless the server answers 200
 */
function callServer(path, priority) {
  return new Promise((resolve, reject) => {
    const headers = { 'x-worker': name, 'x-priority': String(priority) };
    const request = http.get({ host: '127.0.0.1', port: serverPort, path, agent, headers }, (response) => {
      response.resume();
      const failed = response.statusCode === 200 ? undefined : new Error(`HTTP ${response.statusCode}`);
      response.on('end', () => (failed ? reject(failed) : resolve()));
    });
    request.on('error', reject);
  });
}

async function runAll() {
  const outcomes = await Promise.allSettled(
    jobs.map(({ id, priority }) => limiter.schedule({ id, priority }, callServer, '/', priority)),
  );
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  tell({ type: 'settled', failures });
  await limiter.disconnect();
  agent.destroy();
  process.disconnect();
}

process.once('message', runAll);
// A connection for each of the three requests, so that none of the first ones waits for its own.
const connections = Array.from({ length: 3 }, () => callServer('/health', 0));
Promise.all([limiter.ready(), ...connections]).then(() => tell({ type: 'ready' }));
