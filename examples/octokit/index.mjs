/**
 * Octokit with its throttling and retry plugins, which bring Bottleneck along. Nothing here names rebottle: the line in
 * package.json beside this file gives it to them.
 */
import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { startGitHub } from './github.mjs';

const github = await startGitHub({ limit: 12, windowMs: 1000, mostAtOnce: 100, down: '/repos/o/r/down' });
const waits = { primary: 0, secondary: 0 };

const octokit = new (Octokit.plugin(throttling, retry))({
  baseUrl: github.url,
  throttle: {
    onRateLimit: (retryAfter, { method, url }, { log }) => {
      log.warn(`${method} ${url}: no requests left, again in ${retryAfter} s`);
      waits.primary++;
      return true;
    },
    onSecondaryRateLimit: (_retryAfter, _options, _octokit, retryCount) => {
      waits.secondary++;
      return retryCount < 1;
    },
  },
  log: { debug() {}, info() {}, warn() {}, error() {} },
});

// 20 requests: the plugin sends ten at once, twelve are allowed in a window, the rest waits for the next one.
const issues = await Promise.all(Array.from({ length: 20 }, (_, n) => octokit.request(`GET /repos/o/r/issues/${n}`)));
console.log(`${issues.filter(({ status }) => status === 200).length} of 20 requests answered`);
console.log(`waited for the primary limit: ${waits.primary > 0 ? 'yes' : 'no'}`);

const { status } = await octokit.request('GET /repos/o/r/down');
console.log(`a server that was down for a moment: ${status}`);

try {
  await octokit.request('GET /always-too-much');
} catch (error) {
  const { message } = /** @type {Error} */ (error);
  console.log(`given up after ${waits.secondary} secondary limits: ${message.split('.')[0]}`);
}
github.close();
