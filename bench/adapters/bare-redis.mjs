import { Redis } from 'ioredis';

const SCRIPT = 'return 1';

/** No library at all: the floor under everything that goes through Redis. */
export default {
  name: 'bare-redis',

  /** A job between two calls of a script that does nothing. */
  async redis({ port }) {
    const client = new Redis({ host: '127.0.0.1', port });
    const sha = await client.script('LOAD', SCRIPT);
    return {
      async schedule(job) {
        await client.evalsha(sha, 0);
        const result = await job();
        await client.evalsha(sha, 0);
        return result;
      },
      running: async () => 0,
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
