/** A Fastify server where each API key may have one request in work and ten a minute; others do not notice. */
import Fastify from 'fastify';
import Bottleneck from 'rebottle';

const perKey = new Bottleneck.Group({
  maxConcurrent: 1,
  reservoir: 10,
  reservoirRefreshInterval: 60_000,
  reservoirRefreshAmount: 10,
  timeout: 120_000,
});

const app = Fastify();

app.get('/', async (request, reply) => {
  const limiter = perKey.key(String(request.headers['x-api-key'] ?? 'nobody'));
  const left = await limiter.currentReservoir();
  if (left !== null && left <= limiter.queued()) {
    reply.code(429).header('retry-after', '60');
    return { error: 'ten a minute' };
  }
  return limiter.schedule(async () => ({ done: true }));
});

// Twelve requests of one key, two of another.
const ask = (/** @type {string} */ key) => app.inject({ url: '/', headers: { 'x-api-key': key } });
const keys = [...Array(12).fill('a'), 'b', 'b'];
/** @type {Record<string, number>} */
const counts = {};
for (const key of keys) {
  const { statusCode } = await ask(key);
  counts[`${key} ${statusCode}`] = (counts[`${key} ${statusCode}`] ?? 0) + 1;
}
console.log(
  Object.entries(counts)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', '),
);
await app.close();
perKey.disconnect();
