/** A process with one limiter. It is told what to do by messages, and tells what happens. */
import { ours, upstream } from '../../harness/subjects';

type Message = { type: string; [field: string]: unknown };

const tell = (message: Message): void => void process.send?.(message);
// biome-ignore lint/suspicious/noExplicitAny: either package's
let limiter: any;

async function make(message: Message): Promise<void> {
  const ahead = Number(message.clockAhead);
  const now = Date.now;
  Date.now = () => now() + ahead;
  const { Bottleneck } = message.subject === 'rebottle' ? ours() : upstream();
  limiter = new Bottleneck({
    datastore: 'ioredis',
    Redis: require('ioredis5'),
    clientOptions: { port: message.port },
    ...(message.options as object),
  });
  limiter.on('error', (error: Error) => tell({ type: 'error', message: error.message }));
  await limiter.ready();
  tell({ type: 'ready' });
}

/** Runs a job; a held one never ends. */
function job({ label, options, held }: Message): void {
  const task = async (): Promise<void> => {
    tell({ type: `began ${label}` });
    if (held) await new Promise(() => {});
  };
  limiter.schedule(options ?? {}, task).then(
    () => tell({ type: `resolved ${label}` }),
    (error: Error) => tell({ type: `rejected ${label}`, message: error.message }),
  );
}

process.on('message', (message: Message) => {
  if (message.type === 'make') void make(message);
  if (message.type === 'job') job(message);
  // From then on only what the limiter does can keep the process.
  if (message.type === 'be quiet') process.channel?.unref();
});
process.on('disconnect', () => process.exit(1));
