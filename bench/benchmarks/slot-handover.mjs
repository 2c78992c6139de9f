import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { check } from '../harness/checks.mjs';
import { quantile } from '../harness/statistics.mjs';

const PEER = fileURLToPath(new URL('../harness/peer.mjs', import.meta.url));

/** How long a job may take to be known as waiting everywhere, in ms, before the slot is freed. */
const SETTLE_TIME = 15;

/** The clock that all processes of a machine share, in ms. */
const now = () => Number(process.hrtime.bigint()) / 1e6;

async function startPeer(library, port) {
  const child = fork(PEER, [JSON.stringify({ library, port })]);
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`the other process ended with exit code ${code}`);
  });
  await once(child, 'message');
  return child;
}

/** This process holds the only slot; the other one has a job waiting. From the return of ours to the first line of theirs. */
async function handOver(limiter, peer) {
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  let started;
  const running = new Promise((resolve) => {
    started = resolve;
  });
  const done = limiter.schedule(() => {
    started();
    return held;
  });
  await running;
  peer.send('schedule');
  await sleep(SETTLE_TIME);
  const begun = once(peer, 'message');
  const freedAt = now();
  release();
  const [{ startedAt }] = await begun;
  await done;
  check(startedAt >= freedAt, 'the other process began while the slot was held');
  return startedAt - freedAt;
}

async function publishHop(client, peer) {
  await sleep(SETTLE_TIME);
  const heard = once(peer, 'message');
  const sentAt = now();
  client.publish('hop', 'x');
  const [{ startedAt }] = await heard;
  return startedAt - sentAt;
}

export default [
  {
    name: 'redis-handover',
    title: 'Redis, slot freed in one process to start in another (maxConcurrent 1)',
    redis: true,
    libraries: ['rebottle', 'bottleneck', 'bare-redis'],
    sizes: { times: { full: 300, quick: 40 } },
    figures: { p50: 'ms', p99: 'ms' },
    targets: [
      { figure: 'p50', versus: 'bare-redis', atMost: 1.5, sane: 30 },
      { figure: 'p50', versus: 'bottleneck', atMost: 0.2, sane: 10 },
    ],
    async measure({ adapter, sizes, port }) {
      const peer = await startPeer(adapter.name, port);
      const hop = adapter.publisher
        ? publishHop.bind(undefined, adapter.publisher(port), peer)
        : handOver.bind(undefined, await adapter.redis({ port, id: 'handover', maxConcurrent: 1 }), peer);
      const took = [];
      for (let round = 0; round < sizes.times * 1.2; round++) took.push(await hop());
      peer.disconnect();
      const measured = took.slice(-sizes.times);
      return { p50: quantile(measured, 0.5), p99: quantile(measured, 0.99) };
    },
  },
];
