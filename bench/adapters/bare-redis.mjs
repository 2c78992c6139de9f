import { Redis } from 'ioredis';
import { BareQueue } from './bare-queue.mjs';

const SCRIPT = 'return 1';

/** No library at all: the floor under everything that goes through Redis. */
export default {
  name: 'bare-redis',

  /** A job between two calls of a script that does nothing; many jobs through a bare queue. */
  async redis({ port, id, maxConcurrent }) {
    const client = new Redis({ host: '127.0.0.1', port });
    const sha = await client.script('LOAD', SCRIPT);
    const queue = await BareQueue.open(client, id, maxConcurrent);
    return {
      runAll: (jobs) => Promise.all(jobs.map((job) => queue.schedule(job))),
      async schedule(job) {
        await client.evalsha(sha, 0);
        const result = await job();
        await client.evalsha(sha, 0);
        return result;
      },
      running: () => queue.running(),
      close: async () => client.disconnect(),
    };
  },

  publisher: (port) => new Redis({ host: '127.0.0.1', port }),

  async subscribe(port, channel, onMessage) {
    const client = new Redis({ host: '127.0.0.1', port });
    client.on('message', onMessage);
    await client.subscribe(channel);
  },
};
