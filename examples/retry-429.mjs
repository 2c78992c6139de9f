/**
 * Retries on 429: a server says how long to wait, and all requests wait, not only the one that was refused.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import Bottleneck from 'rebottle';

// A server that takes five requests, then none for a second.
let taken = 0;
let refused = 0;
const server = createServer((_request, response) => {
  if (++taken > 5 && refused < 2) {
    refused++;
    if (refused === 1) setTimeout(() => (taken = 0), 1000);
    response.writeHead(429, { 'retry-after': '1' }).end();
  } else response.end('ok');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

const limiter = new Bottleneck({ maxConcurrent: 2 });

class TooManyRequests extends Error {
  /** @param {number} retryAfter ms */
  constructor(retryAfter) {
    super('429');
    this.retryAfter = retryAfter;
  }
}

/** @param {number} n */
async function request(n) {
  const response = await fetch(`http://127.0.0.1:${port}/${n}`);
  const text = await response.text();
  if (response.status === 429) throw new TooManyRequests(Number(response.headers.get('retry-after') ?? 1) * 1000);
  return text;
}

// A number asks for another attempt after so many ms. The job keeps its slot meanwhile, and so slows the others down.
limiter.on('failed', (error, { retryCount }) => {
  if (error instanceof TooManyRequests && retryCount < 5) return error.retryAfter + Math.random() * 100;
});
limiter.on('retry', (message) => console.log(message.replace(/<no-id>-\w+ after \d+/, 'a job after about 1000')));

const begun = performance.now();
const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => limiter.schedule(request, n)));
console.log(`${answers.filter((answer) => answer === 'ok').length} of 10 answered`);
console.log(`waited as told: ${performance.now() - begun > 990}`);
server.closeAllConnections();
server.close();
