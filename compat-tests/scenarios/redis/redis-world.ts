/** What a Redis scenario acts on: one of the packages, a Redis, and processes. Time is real. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type Bottleneck from 'bottleneck';
import type { Redis } from 'ioredis';
import { type EventuallyOptions, eventually } from '../../../test/support/eventually';
import { WorkerProcess } from '../../../test/support/worker-process';
import type { Constructor, Subject } from '../../harness/subjects';

// biome-ignore lint/suspicious/noExplicitAny: options that the types leave out
type Options = Record<string, any>;

export interface Work {
  options?: Bottleneck.JobOptions;
  /** The job goes on until its `end` is called; otherwise it returns at once. */
  held?: boolean;
}

/** A job and what has become of it. */
export class Following {
  state: 'pending' | 'resolved' | 'rejected' = 'pending';
  began = 0;
  value: unknown;
  error: unknown;
  readonly settled: Promise<void>;
  private release: () => void = () => {};
  private readonly released = new Promise<void>((resolve) => {
    this.release = resolve;
  });

  constructor(
    readonly label: string,
    schedule: (task: () => Promise<string>) => PromiseLike<unknown>,
    held: boolean,
    onStart: (label: string) => void,
  ) {
    const task = async (): Promise<string> => {
      this.began++;
      onStart(label);
      if (held) await this.released;
      return `${label} done`;
    };
    this.settled = Promise.resolve(schedule(task)).then(
      (value) => {
        this.state = 'resolved';
        this.value = value;
      },
      (error) => {
        this.state = 'rejected';
        this.error = error;
      },
    );
  }

  end(): void {
    this.release();
  }
}

/** The client library for both packages: the last one that Bottleneck works with. */
const ioredis = require('ioredis5');
const HEARTBEAT = 200;

export class RedisWorld {
  /** Labels of the jobs in the order in which they began. */
  readonly starts: string[] = [];
  /** Texts of all `error` events. */
  readonly errors: string[] = [];
  private readonly limiters: Bottleneck[] = [];
  private readonly others: Array<{ disconnect(flush: boolean): unknown }> = [];
  private readonly workers: WorkerProcess[] = [];
  private readonly clients: Redis[] = [];
  private readonly jobs: Following[] = [];
  readonly eventually = (predicate: () => unknown, options: EventuallyOptions = {}): Promise<unknown> =>
    eventually(predicate, { within: 10_000, ...options });

  constructor(
    readonly subject: Subject,
    readonly port: number,
    /** Looks into the database. */
    readonly admin: Redis,
    private readonly name: string,
  ) {}

  get Bottleneck(): Constructor {
    return this.subject.Bottleneck;
  }

  /** A limiter id of this scenario and package alone. */
  id(name = 'limiter'): string {
    return `${this.name}-${this.subject.name}-${name}`;
  }

  /** Options with which limiters and Groups reach the Redis. */
  redisOptions(options: Options = {}): Options {
    return { datastore: 'ioredis', Redis: ioredis, clientOptions: { port: this.port }, ...options };
  }

  limiter(options: Options = {}): Bottleneck {
    const made = new this.Bottleneck({ id: this.id(), heartbeatInterval: HEARTBEAT, ...this.redisOptions(options) });
    return this.adopt(made);
  }

  /** Sees to it that a limiter made elsewhere is closed, and its errors are heard. */
  adopt(limiter: Bottleneck): Bottleneck {
    limiter.on('error', (error) => this.errors.push(String(error?.message ?? error)));
    this.limiters.push(limiter);
    return limiter;
  }

  /** A Group on the Redis, closed with the world, as are its limiters. */
  group(options: Options = {}): Bottleneck.Group & { disconnect(): Promise<void>; connection: unknown } {
    const Group = this.Bottleneck.Group as unknown as new (options: Options) => ReturnType<RedisWorld['group']>;
    const group = new Group({ id: this.id('group'), ...this.redisOptions(options) });
    group.on('created', (limiter) => void this.adopt(limiter));
    this.others.push(group);
    return group;
  }

  /** A connection, closed with the world. */
  connection(options: Options = this.redisOptions()): Bottleneck.IORedisConnection {
    const connection = new this.Bottleneck.IORedisConnection(options);
    this.others.push(connection as unknown as { disconnect(flush: boolean): unknown });
    return connection;
  }

  job(limiter: Bottleneck, label: string, { options = {}, held = false }: Work = {}): Following {
    const schedule = (task: () => Promise<string>): PromiseLike<unknown> =>
      limiter.schedule({ id: label, ...options }, task);
    const job = new Following(label, schedule, held, (started) => this.starts.push(started));
    this.jobs.push(job);
    return job;
  }

  /** A job that has begun and goes on until its `end` is called. */
  async runningJob(limiter: Bottleneck, label: string, options: Bottleneck.JobOptions = {}): Promise<Following> {
    const job = this.job(limiter, label, { held: true, options });
    await this.eventually(() => job.began > 0, { that: `${label} begins` });
    return job;
  }

  /** What the job has come to after at most so many ms. */
  async after(ms: number, job: { settled: Promise<void>; state: string }): Promise<string> {
    await this.within(ms, job.settled);
    return job.state;
  }

  /** The value of a promise, its error as text, or 'pending' after so many ms. */
  async within<T>(ms: number, promise: PromiseLike<T>): Promise<T | string> {
    const text = Promise.resolve(promise).catch((error) => this.show(error));
    const inTime = new AbortController();
    const late = sleep(ms, 'pending', { signal: inTime.signal }).catch(() => 'pending');
    try {
      return await Promise.race([text, late]);
    } finally {
      inTime.abort();
    }
  }

  show(error: unknown): string {
    if (!(error instanceof Error)) return String(error);
    const name = error instanceof this.Bottleneck.BottleneckError ? 'BottleneckError' : error.constructor.name;
    return `${name}(${error.message})`;
  }

  pause(ms: number): Promise<void> {
    return sleep(ms);
  }

  /** A raw client of another kind of use, closed with the world. */
  client(options: Options = {}): Redis {
    const client: Redis = new ioredis({ port: this.port, ...options });
    this.clients.push(client);
    return client;
  }

  /** Tells each command that the Redis executes from now on, until the function it gives is called. */
  async monitor(onLine: (line: string) => void): Promise<() => void> {
    const socket = connect(this.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('MONITOR\r\n');
    await once(socket, 'data');
    createInterface({ input: socket }).on('line', onLine);
    return () => socket.destroy();
  }

  /** Another process of this package with a limiter of that id. */
  async process(options: Options = {}, { clockAhead = 0 }: { clockAhead?: number } = {}): Promise<WorkerProcess> {
    const worker = new WorkerProcess(require.resolve('./worker.ts'));
    this.workers.push(worker);
    worker.send({
      type: 'make',
      subject: this.subject.name,
      port: this.port,
      clockAhead,
      options: { id: this.id(), heartbeatInterval: HEARTBEAT, ...options },
    });
    await worker.waitFor('ready');
    return worker;
  }

  async close(): Promise<void> {
    for (const job of this.jobs) job.end();
    await Promise.all(this.workers.map((worker) => worker.kill()));
    // A client that never reached its Redis may wait for ever.
    const closings = [...this.limiters, ...this.others].map(async (one) => one.disconnect(false));
    await this.within(500, Promise.allSettled(closings));
    for (const client of this.clients) client.disconnect();
  }
}
