/** The thread of worker-heartbeat.ts: beats for the limiters that it watches, as long as they are busy. */
import { parentPort, workerData } from 'node:worker_threads';
import { openClient } from './clients/open-clients';
import { scripts } from './scripts';
import type { WatchMessage, WorkerSource } from './worker-heartbeat';

interface Watched {
  clientId: string;
  keys: string[];
  busy: Int32Array;
  timer: ReturnType<typeof setInterval>;
}

const { datastore, ...source } = workerData as WorkerSource;
const client = openClient(datastore, source);
const watched = new Map<number, Watched>();
let told = '';

/** The same failure in a row is told once. */
function tell(error: unknown): void {
  const text = `The heartbeat thread cannot reach Redis: ${error instanceof Error ? error.message : String(error)}`;
  if (text !== told) parentPort?.postMessage(text);
  told = text;
}

client.onError(tell);

function beat({ clientId, keys, busy }: Watched): void {
  if (Atomics.load(busy, 0) === 0 || !client.isReady) return;
  client.evalScript(scripts.beat, keys, [clientId, '']).then(() => (told = ''), tell);
}

parentPort?.on('message', (message: WatchMessage) => {
  if (message.kind === 'watch') {
    const { watch, clientId, keys, every, busy } = message;
    const entry: Watched = {
      clientId,
      keys,
      busy: new Int32Array(busy),
      timer: setInterval(() => beat(entry), every),
    };
    watched.set(watch, entry);
    return;
  }
  const entry = watched.get(message.watch);
  if (entry === undefined) return;
  if (message.kind === 'rename') entry.clientId = message.clientId;
  else {
    clearInterval(entry.timer);
    watched.delete(message.watch);
  }
});
