/**
 * One scenario with the unmodified plugins, by name; prints what came of it as JSON. Which Bottleneck they get is
 * decided from outside.
 */
import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { startGitHub } from '../../examples/octokit/github.mjs';

const [, , name, redisPort] = process.argv;
const Client = Octokit.plugin(throttling, retry);

/**
 * @param {string} url
 * @param {object} [throttle]
 */
function client(url, throttle) {
  /** @type {Array<{ kind: string, retryAfter: number, retryCount: number }>} */
  const limits = [];
  /** @param {string} kind @returns {(retryAfter: number, options: object, octokit: object, retryCount: number) => boolean} */
  const handler = (kind) => (retryAfter, _options, _octokit, retryCount) => {
    limits.push({ kind, retryAfter, retryCount });
    return retryCount < 1;
  };
  const octokit = new Client({
    baseUrl: url,
    // The plugins' own knob: a "second" of 50 ms.
    throttle: {
      retryAfterBaseValue: 50,
      onRateLimit: handler('primary'),
      onSecondaryRateLimit: handler('secondary'),
      ...throttle,
    },
    retry: { retryAfterBaseValue: 50 },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  return { octokit, limits };
}

/** @param {Promise<unknown>} request */
const outcome = (request) =>
  request.then(
    () => 'answered',
    (error) => error.status,
  );

const scenarios = {
  /** More requests than a window allows: each is told once, waits, and is answered in a later one. */
  async primary() {
    const github = await startGitHub({ limit: 2, windowMs: 500 });
    let told = 0;
    const { octokit, limits } = client(github.url, { onRateLimit: () => ++told > 0 });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) => outcome(octokit.request(`GET /items/${n}`))),
    );
    github.close();
    return { outcomes, primary: told > 0, secondary: limits.length > 0 };
  },

  /** The server asks to wait; the handler agrees once, then gives up. */
  async secondary() {
    const github = await startGitHub();
    const { octokit, limits } = client(github.url);
    const outcomes = [await outcome(octokit.request('GET /always-too-much'))];
    const [first, second] = github.served;
    github.close();
    return { outcomes, limits, waited: second !== undefined && first !== undefined && second.at - first.at >= 45 };
  },

  /** The retry plugin, which has a limiter of its own, on a server that fails once. */
  async retry() {
    const github = await startGitHub({ down: '/flaky' });
    const { octokit } = client(github.url);
    const outcomes = [await outcome(octokit.request('GET /flaky')), await outcome(octokit.request('GET /fine'))];
    const statuses = github.served.map(({ status }) => status);
    github.close();
    return { outcomes, statuses };
  },

  /**
   * Never more than ten at once; writes one at a time and a second apart. Counted where a job of the limiter calls
   * `fetch`: a server also sees how long connections take. The writes come alone, since a write that has its turn
   * still waits for one of the ten places.
   */
  async spacing() {
    const github = await startGitHub({ limit: 1000, mostAtOnce: 1000, answerAfterMs: 50 });
    const { octokit } = client(github.url);
    let atOnce = 0;
    let most = 0;
    /** @type {number[]} */
    const writtenAt = [];
    /** @param {string} url @param {RequestInit} options */
    const counted = async (url, options) => {
      most = Math.max(most, ++atOnce);
      if (options.method === 'POST') writtenAt.push(performance.now());
      return fetch(url, options).finally(() => atOnce--);
    };
    /** @param {string} route */
    const send = (route) => octokit.request(route, { request: { fetch: counted } });
    await Promise.all(Array.from({ length: 40 }, (_, n) => send(`GET /items/${n}`)));
    await Promise.all([1, 2].map((n) => send(`POST /items/${n}`)));
    github.close();
    const [first, second] = writtenAt;
    return { most, apart: first !== undefined && second !== undefined && second - first >= 800 };
  },

  /** The plugin's clustering: limiters on a Redis that the user connected to. */
  async cluster() {
    const { default: Bottleneck } = await import('bottleneck');
    const { Redis } = await import('ioredis');
    const redis = new Redis(Number(redisPort));
    const connection = new Bottleneck.IORedisConnection({ client: redis });
    const github = await startGitHub({ limit: 1000, mostAtOnce: 1000 });
    const { octokit } = client(github.url, { Bottleneck, connection, id: 'cluster', timeout: 1000 });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => outcome(octokit.request(`GET /items/${n}`))),
    );
    const keys = await redis.exists('b_octokit-global-cluster_settings');
    github.close();
    await connection.disconnect();
    await redis.quit();
    return { outcomes, most: github.mostSeenAtOnce, keys };
  },
};

// @ts-expect-error: without declarations, as in Bottleneck
const { default: Used } = await import('bottleneck/light.js');
const result = await scenarios[/** @type {keyof typeof scenarios} */ (name)]();
console.log(JSON.stringify({ version: Used.version, ...result }));
// The plugin keeps Groups for as long as a program lives, and Bottleneck's keep their timer.
process.exit();
