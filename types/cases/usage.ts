// How code uses the class, whatever the way of importing it. Compiled, never run.
import Bottleneck from 'rebottle';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <_T extends true>(): void => {};

export const limiter = new Bottleneck({ maxConcurrent: 1, minTime: null, strategy: Bottleneck.strategy.BLOCK });
export const group: Bottleneck.Group = new Bottleneck.Group({ timeout: 1000, maxConcurrent: 1 });
export const batcher: Bottleneck.Batcher = new Bottleneck.Batcher({ maxSize: 10, maxTime: null });

/* ---- inference ---- */

const one = async (a: number) => `${a}`;
const two = async (a: number, b: boolean) => (b ? [a] : []);
const eleven = async (...n: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) => n.length;

export async function inference(): Promise<void> {
  const text = await limiter.schedule(one, 1);
  isTrue<Equal<typeof text, string>>();
  const numbers = await limiter.schedule({ priority: 1, weight: 0 }, two, 1, true);
  isTrue<Equal<typeof numbers, number[]>>();
  const length = await limiter.schedule(eleven, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  isTrue<Equal<typeof length, 11>>();
  const lengthToo = await limiter.schedule({}, eleven, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  isTrue<Equal<typeof lengthToo, 11>>();
  const nothing = await limiter.schedule(async () => {});
  isTrue<Equal<typeof nothing, void>>();
  const synchronous = await limiter.schedule(() => 5);
  isTrue<Equal<typeof synchronous, number>>();
  const either = await limiter.schedule(() => (Math.random() > 0.5 ? 'now' : Promise.resolve('later')));
  isTrue<Equal<typeof either, string>>();
  const unknown = await limiter.schedule((): any => 1);
  isTrue<Equal<typeof unknown, any>>();
  const optional = async (a: number, b?: string) => `${a}${b}`;
  await limiter.schedule(optional, 1);
  await limiter.schedule(optional, 1, 'b');

  // @ts-expect-error: the argument is missing
  await limiter.schedule(one);
  // @ts-expect-error: the argument has the wrong type
  await limiter.schedule(one, 'one');
  // @ts-expect-error: no such option
  await limiter.schedule({ prioritty: 1 }, one, 1);
  // @ts-expect-error: nothing to run
  await limiter.schedule({ priority: 1 });
}

export async function explicitTypeArguments(): Promise<void> {
  const a: string = await limiter.schedule<string>(() => Promise.resolve('a'));
  const b: string = await limiter.schedule<string, number>(one, 1);
  const c: number[] = await limiter.schedule<number[], number, boolean>({ id: 'c' }, two, 1, true);
  const d = limiter.wrap<string, number>(one);
  const e = limiter.wrap<number[], number, boolean>(two);
  const f: [string, number[]] = await Promise.all([d(1), e(1, false)]);
  limiter.submit<string, number>(
    (n, done) => done(null, `${n}`),
    1,
    () => {},
  );
  void [a, b, c, f];
}

export async function wrapping(): Promise<void> {
  const wrapped = limiter.wrap(two);
  const numbers = await wrapped(1, true);
  isTrue<Equal<typeof numbers, number[]>>();
  const withOptions = await wrapped.withOptions({ expiration: 100 }, 1, true);
  isTrue<Equal<typeof withOptions, number[]>>();
  const many = limiter.wrap(eleven);
  const length = await many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  isTrue<Equal<typeof length, 11>>();
  const list = limiter.wrap<number, string[]>(async (items) => items.length);
  const counted: number = await list(['a', 'b']);
  const anything = limiter.wrap<string, any>(async (item) => `${item}`);
  void [counted, await anything({})];
  await many.withOptions({ priority: 1 }, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  // @ts-expect-error: an argument is missing
  await wrapped(1);
  // @ts-expect-error: options come first
  await wrapped.withOptions(1, true);
}

export function submitting(): void {
  const add = (a: number, b: number, done: (error: Error | null, sum: number) => void) => done(null, a + b);
  limiter.submit(add, 1, 2, (error, sum) => {
    isTrue<Equal<typeof sum, number>>();
    void error;
  });
  limiter.submit({ weight: 2 }, add, 1, 2, null);
  const twelve = (...all: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, Bottleneck.Callback<string>]) => void all;
  limiter.submit(twelve, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, (_error, text: string) => void text);
  limiter.submit({}, twelve, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, null);
  // @ts-expect-error: the callback is missing
  limiter.submit(add, 1, 2);
}

/* ---- options ---- */

export type MyOptions = Bottleneck.ConstructorOptions & { region: string };
export interface MyJob extends Bottleneck.JobOptions {
  tenant: string;
}
export const presets: Record<string, Bottleneck.ConstructorOptions> = { slow: { minTime: 1000 }, none: {} };
export const asRecord: Record<string, unknown> = {} as Bottleneck.JobOptions;
export const partial: Partial<Bottleneck.JobOptions> = {};

export function options(given: Bottleneck.ConstructorOptions = {}, job: Bottleneck.JobOptions = {}): void {
  const merged = new Bottleneck({ ...presets.slow, ...given, id: 'merged' });
  const derived: MyJob = { ...job, tenant: 'a' };
  derived.priority = 3;
  job.weight = 2;
  void merged.schedule(derived, one, 1);
  const numeric: Bottleneck.Strategy = 3;
  void new Bottleneck({ strategy: numeric, somethingOfOurs: true });
  void new Bottleneck({ strategy: 2, heartbeatInterval: 250, clientTimeout: 10_000 });
  void new Bottleneck({ dispatch: 'just-in-time', retryMode: 'requeue', workerHeartbeat: true });
  void new Bottleneck({ window: { max: 10, duration: 1000 }, bucket: { capacity: 5, refillPerSecond: 0.5 } });
  // @ts-expect-error: no such mode
  void new Bottleneck({ dispatch: 'sometimes' });
  // @ts-expect-error: half a window
  void new Bottleneck({ window: { max: 10 } });
  // @ts-expect-error: text where a number is meant
  void new Bottleneck({ maxConcurrent: '1' });
  // @ts-expect-error: a single argument
  void new Bottleneck({}, {});
}

/* ---- events ---- */

class HttpError extends Error {
  status = 500;
}

export function events(): void {
  limiter.on('failed', async (error: HttpError, info) =>
    error.status === 429 && info.retryCount < 3 ? 100 : undefined,
  );
  limiter.on('failed', async () => {});
  limiter.on('failed', (error) => (error instanceof HttpError ? 5 : null));
  limiter.on('failed', (_error, info) => {
    if (info.retryCount === 0) return 25;
    return undefined;
  });
  limiter.on('error', (error: HttpError) => void error.status);
  limiter.once('idle', async () => {});
  limiter.on('depleted', (empty) => isTrue<Equal<typeof empty, boolean>>());
  limiter.on('dropped', ({ task, promise, args, options: { priority } }) => void [task, promise, args, priority]);
  limiter.on('queued', ({ reachedHWM, blocked }) => isTrue<Equal<typeof reachedHWM | typeof blocked, boolean>>());
  limiter.removeAllListeners('idle');
  group.on('created', (created, key) => {
    isTrue<Equal<typeof created, Bottleneck>>();
    isTrue<Equal<typeof key, string>>();
    created.on('error', () => {});
  });
  group.on('something else', () => {});
  batcher.on('batch', (batch) => {
    isTrue<Equal<typeof batch, any[]>>();
  });
  batcher.once('batch', (batch: string[]) => void batch.length);
  // @ts-expect-error: no such event
  limiter.on('faled', () => {});
  // @ts-expect-error: a retry is asked for with a number
  limiter.on('failed', () => 'soon');
}

/* ---- states ---- */

export function states(): void {
  const status: Bottleneck.Status = limiter.jobStatus('a');
  const queued: Bottleneck.Status.QUEUED = Bottleneck.Status.QUEUED;
  const names: string[] = [
    ...limiter.jobs('RUNNING'),
    ...limiter.jobs(Bottleneck.Status.DONE),
    ...limiter.jobs(status),
  ];
  const text: string = status;
  const done: number | undefined = limiter.counts().DONE;
  // @ts-expect-error: no such state
  limiter.jobs('SLEEPING');
  void [queued, names, text, done];
}

/* ---- inheritance, structure ---- */

export class Limited extends Bottleneck {
  constructor(
    readonly name: string,
    options?: Bottleneck.ConstructorOptions,
  ) {
    super(options);
  }

  override schedule(...args: any[]): Promise<any> {
    return (super.schedule as (...all: any[]) => Promise<any>)(...args);
  }

  override async stop(options?: Bottleneck.StopOptions): Promise<void> {
    await super.stop({ dropWaitingJobs: false, ...options });
  }
}

export interface Extended extends Bottleneck {
  extra: number;
}

/** A hand-made stand-in is enough where only some methods are used. */
export const fake: Pick<Bottleneck, 'queued' | 'empty'> = { queued: () => 0, empty: () => true };

export async function rest(): Promise<void> {
  const chained: Bottleneck = limiter.chain(group.key('a')).chain(null);
  const updated: Bottleneck = await limiter.updateSettings({ maxConcurrent: 2 });
  const reservoir: number | null = await limiter.currentReservoir();
  const error: Error = new Bottleneck.BottleneckError('text');
  const connection: Bottleneck.IORedisConnection = new Bottleneck.IORedisConnection({ client: {} });
  const shared = new Bottleneck({ connection });
  const { client, subscriber } = await connection.ready();
  const version: string = Bottleneck.version;
  const pairs: { key: string; limiter: Bottleneck }[] = group.limiters();
  const sameClass: typeof Bottleneck = Bottleneck.default;
  await limiter.schedule({ signal: null }, one, 1);
  await new Bottleneck.Events({}).trigger('name', 1, 'two');
  void [chained, updated, reservoir, error, shared, client, subscriber, version, pairs, sameClass, group.key()];
  const why: Bottleneck.Explanation | undefined = await limiter.explain?.('id');
  for (const hold of why?.holds ?? []) {
    const until: number | null = hold.until;
    if (hold.by === 'maxConcurrent') void [hold.running + hold.maxConcurrent, until];
    // @ts-expect-error: only of maxConcurrent
    if (hold.by === 'minTime') void hold.running;
  }
  void new Bottleneck({ traceJobs: true });
  // @ts-expect-error: not public
  void limiter._store;
}
