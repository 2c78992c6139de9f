/**
 * An Express handler that calls something slow: at most two calls at once over all requests, five requests in wait;
 * whoever comes then gets a 503 at once.
 */
import { once } from 'node:events';
import express from 'express';
import Bottleneck from 'rebottle';

const limiter = new Bottleneck({ maxConcurrent: 2, highWater: 5, strategy: Bottleneck.strategy.OVERFLOW });

/** Stands for the slow part. @param {string} id */
async function makeReport(id) {
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { id, pages: 3 };
}

const app = express();

app.get('/reports/:id', async (request, response) => {
  try {
    response.json(await limiter.schedule({ expiration: 5000 }, makeReport, request.params.id));
  } catch (error) {
    if (!(error instanceof Bottleneck.BottleneckError)) throw error;
    response.status(503).set('retry-after', '1').json({ error: error.message });
  }
});

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

// Ten clients at the same time, to see it work.
const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => fetch(`http://127.0.0.1:${port}/reports/${n}`)));
const statuses = answers.map(({ status }) => status);
console.log(`answered: ${statuses.filter((status) => status === 200).length}`);
console.log(`turned away: ${statuses.filter((status) => status === 503).length}`);
await Promise.all(answers.map((answer) => answer.text()));
server.close();
server.closeAllConnections();
