/** A local server that plays the part of api.github.com which matters to clients: its rate limits. */
import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * @typedef {object} GitHubOptions
 * @property {number} [limit] requests in one window: the primary limit. Default 60
 * @property {number} [windowMs] length of the window. Default 2000
 * @property {number} [mostAtOnce] requests at the same time, above which the secondary limit strikes. Default 10
 * @property {number} [answerAfterMs] how long a request takes. Default 5
 * @property {string} [down] a path that answers 502 the first time
 *
 * @typedef {{ method: string, path: string, status: number, at: number }} Served
 */

/** @param {GitHubOptions} [options] */
export async function startGitHub({ limit = 60, windowMs = 2000, mostAtOnce = 10, answerAfterMs = 5, down } = {}) {
  /** @type {Served[]} */
  const served = [];
  let left = limit;
  let resetAt = Date.now() + windowMs;
  let atOnce = 0;
  let mostSeenAtOnce = 0;

  /** @param {string} path @returns {{ status: number, body: object, headers?: Record<string, string> }} */
  function answer(path) {
    if (Date.now() >= resetAt) {
      left = limit;
      resetAt = Date.now() + windowMs;
    }
    if (path === down && !served.some((one) => one.path === down))
      return { status: 502, body: { message: 'Bad gateway' } };
    if (atOnce > mostAtOnce || path === '/always-too-much') {
      const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
      return { status: 403, body: { message }, headers: { 'retry-after': '1' } };
    }
    if (left === 0) return { status: 403, body: { message: 'API rate limit exceeded for user ID 1.' } };
    left--;
    return { status: 200, body: { path } };
  }

  const server = createServer((request, response) => {
    atOnce++;
    mostSeenAtOnce = Math.max(mostSeenAtOnce, atOnce);
    const path = request.url ?? '/';
    const { status, body, headers } = answer(path);
    // As it was when the request came: others come before the answer goes.
    const limits = {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(left),
      'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    };
    served.push({ method: request.method ?? '', path, status, at: Date.now() });
    setTimeout(() => {
      atOnce--;
      response.writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        ...limits,
        ...headers,
      });
      response.end(JSON.stringify(body));
    }, answerAfterMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    served,
    get mostSeenAtOnce() {
      return mostSeenAtOnce;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
