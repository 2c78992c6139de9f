import type { Worker } from 'node:worker_threads';
import { bad } from '../../options';
import type { ClientSource, RedisDatastore } from './clients/open-clients';

/**
 * Heartbeats from a thread of their own (option `workerHeartbeat`): a process whose event loop is blocked by synchronous
 * work sends none by itself, and after `clientTimeout` it would look dead though it only is busy.
 *
 * The thread opens one connection of its own, with the same client library and the same options, so these must be plain
 * data. One thread serves all limiters of a process that ask for the same connection.
 */

/** What the thread is told. */
export type WatchMessage =
  | { kind: 'watch'; watch: number; clientId: string; keys: string[]; every: number; busy: SharedArrayBuffer }
  | { kind: 'rename'; watch: number; clientId: string }
  | { kind: 'unwatch'; watch: number };

export interface WorkerSource {
  datastore: RedisDatastore;
  clientOptions: unknown;
  clusterNodes: unknown;
}

/** One limiter's part in the thread. */
export interface Watch {
  /** Whether anything is queued or running: only then beats are sent. */
  setBusy(busy: boolean): void;
  rename(clientId: string): void;
  end(): void;
}

const threads = new Map<string, HeartbeatThread>();

/**
 * Begins to send heartbeats for a client. The source has passed {@link checkSource}.
 */
export function watchFromThread(
  source: WorkerSource,
  client: { clientId: string; keys: string[]; every: number },
  onError: (error: unknown) => void,
): Watch {
  const key = sourceKey(source);
  const thread = threads.get(key) ?? new HeartbeatThread(source, () => threads.delete(key));
  threads.set(key, thread);
  return thread.watch(client, onError);
}

class HeartbeatThread {
  private readonly worker: Worker;
  private readonly listeners = new Map<number, (error: unknown) => void>();
  private lastWatch = 0;

  constructor(
    source: ClientSource & WorkerSource,
    private readonly onEnd: () => void,
  ) {
    const file = threadFile();
    const execArgv = file.endsWith('.ts') ? ['--require', 'tsx/cjs'] : [];
    this.worker = new (builtin('worker_threads').Worker)(file, { workerData: source, execArgv });
    // It must not keep the process alive, as no heartbeat does.
    this.worker.unref();
    const tell = (error: unknown): void => {
      for (const listener of this.listeners.values()) listener(error);
    };
    this.worker.on('error', tell);
    this.worker.on('message', (message: string) => tell(new Error(message)));
  }

  watch(
    { clientId, keys, every }: { clientId: string; keys: string[]; every: number },
    onError: (error: unknown) => void,
  ): Watch {
    const watch = ++this.lastWatch;
    const busy = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    this.listeners.set(watch, onError);
    this.send({ kind: 'watch', watch, clientId, keys, every, busy: busy.buffer as SharedArrayBuffer });
    return {
      setBusy: (isBusy) => Atomics.store(busy, 0, isBusy ? 1 : 0),
      rename: (newId) => this.send({ kind: 'rename', watch, clientId: newId }),
      end: () => this.unwatch(watch),
    };
  }

  private unwatch(watch: number): void {
    if (!this.listeners.delete(watch)) return;
    this.send({ kind: 'unwatch', watch });
    if (this.listeners.size > 0) return;
    this.onEnd();
    void this.worker.terminate();
  }

  private send(message: WatchMessage): void {
    this.worker.postMessage(message);
  }
}

interface Builtins {
  fs: typeof import('node:fs');
  path: typeof import('node:path');
  worker_threads: typeof import('node:worker_threads');
}

/** Looked up when it is needed: an import would keep this package out of browsers. */
function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  const found = globalThis.process?.getBuiltinModule?.(name);
  if (found !== undefined) return found as Builtins[Name];
  // By another name: a bundler would take `module.require` for an import.
  const own = module;
  return own.require(name);
}

/** The built file lies beside the bundle, the source beside this one. */
function threadFile(): string {
  const { join } = builtin('path');
  const names = ['heartbeat-worker.js', '../heartbeat-worker.js', 'heartbeat-worker.ts'];
  const file = names.map((name) => join(__dirname, name)).find((one) => builtin('fs').existsSync(one));
  if (file === undefined) {
    throw bad('workerHeartbeat', 'to run from the package itself, beside its file heartbeat-worker.js', __dirname);
  }
  return file;
}

/** @throws {BottleneckError} when the options of the connection are not plain data, or the thread's file is missing */
export function checkSource({ clientOptions, clusterNodes }: WorkerSource): void {
  threadFile();
  try {
    structuredClone([clientOptions, clusterNodes]);
  } catch {
    throw bad('workerHeartbeat', 'clientOptions of plain data, since they are passed to another thread', clientOptions);
  }
}

function sourceKey({ datastore, clientOptions, clusterNodes }: WorkerSource): string {
  return `${datastore} ${JSON.stringify([clientOptions, clusterNodes])}`;
}
