import { Redis } from 'ioredis';
import rebottle from './rebottle.mjs';

/** Jobs until a limiter does for each what it does for the one before. */
const SETTLING_JOBS = 20;

/**
 * Nothing but the commands that rebottle's scripts call for a job that starts at once: recorded from one, and called with
 * the same arguments by two scripts without a line of anything else. What keeps Bottleneck's keys true cannot be had for less.
 */
export default {
  name: 'commands-alone',

  async redis({ port, id }) {
    const client = new Redis({ host: '127.0.0.1', port });
    const scripts = await recordJob(port, id);
    const shas = await Promise.all(scripts.map((script) => client.script('LOAD', script)));
    return {
      async schedule(job) {
        await client.evalsha(shas[0], 0);
        const result = await job();
        await client.evalsha(shas[1], 0);
        return result;
      },
      running: async () => 0,
      close: async () => client.disconnect(),
    };
  },
};

/** Two scripts of the commands that came between the beginnings of the two calls for a job, and after the second. */
async function recordJob(port, id) {
  const limiter = await rebottle.redis({ port, id: `${id}-recorded` });
  for (let i = 0; i < SETTLING_JOBS; i++) await limiter.schedule(async () => {});
  const client = new Redis({ host: '127.0.0.1', port });
  const monitor = await client.monitor();
  const calls = [];
  monitor.on('monitor', (_time, args, source) => {
    if (source !== 'lua' && /^eval/i.test(args[0])) calls.push([]);
    else if (source === 'lua') calls.at(-1)?.push(args);
  });
  await limiter.schedule(async () => {});
  await client.ping(); // what the monitor was told came before
  while (calls.length < 2 || calls[1].length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  monitor.disconnect();
  client.disconnect();
  await limiter.close();
  return calls.slice(0, 2).map((commands) => commands.map(luaCall).join('\n'));
}

function luaCall(args) {
  return `redis.call(${args.map(luaText).join(', ')})`;
}

/** A text of Lua: every byte but letters, digits and the plainest signs by its number. */
function luaText(text) {
  const bytes = [...Buffer.from(text, 'latin1')];
  const plain = (byte) => /[\w.:-]/.test(String.fromCharCode(byte));
  return `'${bytes.map((byte) => (plain(byte) ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`)).join('')}'`;
}
