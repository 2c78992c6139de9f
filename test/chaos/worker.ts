/**
 * One process of the fleet: ordinary Bottleneck code under a random load, which logs all it sees. Told what to do by
 * the driver over Node's channel; the package is chosen by the driver.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Redis } from 'ioredis';
import { watchLateness } from './lateness';
import { type Limiter, loadLimiter } from './load-package';
import { LogWriter } from './log';
import { Random } from './random';
import type { WorkerSetup, Workload } from './worker-setup';

const setup = JSON.parse(process.env.CHAOS_WORKER!) as WorkerSetup;
const log = new LogWriter(setup.logFile, setup.clockOffset);
if (setup.clockSkew) skewClock(setup.clockSkew);

/** A host whose clock is wrong: everything that asks for the wall clock's time in this process is misled. */
function skewClock(by: number): void {
  const real = Date.now;
  Date.now = () => real() + by;
}

class JobError extends Error {
  override name = 'JobError';
}

/** ms between two samples of how late timers and Redis are: a few ms of delay must not fall in between. */
const METER_EVERY_MS = 4;

/** How late timers are: the worst of the last samples. A late start is the machine's doing, not the limiter's. */
class LagMeter {
  private readonly samples: Array<{ t: number; lag: number }> = [];
  stop: () => void = () => {};

  start(): void {
    this.stop = watchLateness(
      () => log.now(),
      METER_EVERY_MS,
      (lag) => this.note(lag),
    );
  }

  private note(lag: number): void {
    const t = log.now();
    this.samples.push({ t, lag });
    while (this.samples[0]!.t < t - 300) this.samples.shift();
  }

  /** A blocked loop has not even taken its sample: the time since the last one counts too. */
  worst(): number {
    const since = log.now() - (this.samples.at(-1)?.t ?? log.now()) - METER_EVERY_MS;
    return Math.max(0, since, ...this.samples.map(({ lag }) => lag));
  }
}

/** How long Redis takes to answer, on a connection of its own that no proxy disturbs: the server may be starved too. */
class RedisMeter {
  private readonly samples: Array<{ t: number; took: number }> = [];
  private readonly client: Redis;
  private sent: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(address: { host: string; port: number }) {
    this.client = new Redis({ ...address, retryStrategy: () => 50, maxRetriesPerRequest: null });
    this.client.on('error', () => {});
  }

  start(): void {
    this.timer = setInterval(() => void this.ping(), METER_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.client.disconnect();
  }

  worst(): number {
    const pending = this.sent === undefined ? 0 : log.now() - this.sent;
    return Math.max(pending, ...this.samples.map(({ took }) => took), 0);
  }

  private async ping(): Promise<void> {
    if (this.sent !== undefined) return;
    this.sent = log.now();
    await this.client.ping().catch(() => {});
    const t = log.now();
    this.samples.push({ t, took: t - this.sent });
    this.sent = undefined;
    while (this.samples[0]!.t < t - 300) this.samples.shift();
  }
}

class Load {
  private readonly random: Random;
  private readonly attempts = new Map<string, number>();
  private readonly unsettled = new Set<string>();
  settled = 0;
  private submitted = 0;
  private open = false;
  private onEmpty: (() => void) | undefined;

  constructor(
    private readonly limiter: Limiter,
    private readonly load: Workload,
    private readonly lag: () => number,
  ) {
    this.random = new Random(load.seed);
    limiter.on('queued', ((info: { options: { id: string } }) => this.note('queued', info.options.id)) as never);
    limiter.on('scheduled', ((info: { options: { id: string } }) => this.note('scheduled', info.options.id)) as never);
    limiter.on('failed', ((error: Error, info: { options: { id: string } }) =>
      this.retry(error, info.options.id)) as never);
  }

  start(): void {
    this.open = true;
    this.refill();
  }

  /** Resolves when everything submitted has settled. */
  drain(): Promise<void> {
    this.open = false;
    return new Promise((resolve) => {
      this.onEmpty = resolve;
      this.check();
    });
  }

  /** What has not settled, with the limiter's own word on it. */
  rest(): string[] {
    return [...this.unsettled].map((id) => `${id}:${this.limiter.jobStatus(id)}`);
  }

  private refill(): void {
    while (this.open && this.unsettled.size < this.load.backlog && this.submitted < this.load.jobs) this.submit();
  }

  private check(): void {
    if (this.unsettled.size === 0) this.onEmpty?.();
  }

  private note(k: 'queued' | 'scheduled', job: string): void {
    if (this.attempts.has(job)) log.write({ k, job });
  }

  private retry(error: Error, id: string): number | undefined {
    const attempt = this.attempts.get(id);
    if (attempt === undefined || attempt > 0 || !this.random.chance(this.load.retries)) return undefined;
    if (!(error instanceof JobError)) return undefined;
    this.attempts.set(id, attempt + 1);
    return this.random.between(0, 20);
  }

  private submit(): void {
    const { random, load } = this;
    const job = `${setup.name}-${++this.submitted}`;
    const priority = random.pick(load.priorities);
    const weight = random.between(load.weight[0], load.weight[1]);
    const expiration = random.chance(load.expirations) ? random.between(20, 60) : undefined;
    this.attempts.set(job, 0);
    this.unsettled.add(job);
    log.write({ k: 'submit', job, priority, weight, ...(expiration === undefined ? {} : { expiration }) });
    const options = { id: job, priority, weight, ...(expiration === undefined ? {} : { expiration }) };
    this.limiter
      .schedule(options, () => this.execute(job))
      .then(
        (value) => this.settle(job, true, value === job ? undefined : `resolved with ${JSON.stringify(value)}`),
        (error) => this.settle(job, false, undefined, error),
      );
  }

  private async execute(job: string): Promise<string> {
    const attempt = this.attempts.get(job)!;
    log.write({ k: 'start', job, attempt, lag: this.lag() });
    const [shortest, longest] = this.load.duration;
    const fails = this.random.chance(this.load.failures);
    await new Promise((resolve) => setTimeout(resolve, this.random.between(shortest, longest)));
    log.write({ k: 'end', job, attempt, ok: !fails });
    if (fails) throw new JobError(job);
    return job;
  }

  private settle(job: string, ok: boolean, problem?: string, error?: Error): void {
    const reason = error && { name: error.name, message: error.message, own: error instanceof JobError };
    log.write({ k: 'settle', job, ok, ...(problem ? { problem } : {}), ...(reason ? { error: reason } : {}) });
    this.unsettled.delete(job);
    this.attempts.delete(job);
    this.settled += 1;
    // Not in the same tick: a limiter that rejects everything must not keep this process busy for ever.
    setImmediate(() => this.refill());
    this.check();
  }
}

function crash(error: unknown): void {
  log.write({ k: 'crash', message: String((error as Error)?.stack ?? error) });
}

function blockFor(ms: number): void {
  const end = process.hrtime.bigint() + BigInt(Math.round(ms * 1e6));
  while (process.hrtime.bigint() < end);
}

/** What is left on the heap then is in use; Node takes its time otherwise, the more so on a busy machine. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

function say(type: string, fields: Record<string, unknown> = {}): void {
  process.send?.({ type, ...fields });
}

async function main(): Promise<void> {
  log.write({ k: 'open', worker: setup.name, pid: process.pid });
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  process.on('disconnect', () => process.exit(0));

  const Bottleneck = loadLimiter(setup.under);
  const options = { ...setup.options, ...(setup.client ? { Redis: require(setup.client) } : {}) };
  const limiter = new Bottleneck(options);
  limiter.on('error', ((error: Error) =>
    log.write({ k: 'limiter-error', message: String(error?.message ?? error) })) as never);
  const lag = new LagMeter();
  lag.start();
  const meter = setup.server && new RedisMeter(setup.server);
  meter?.start();
  const load = new Load(limiter, setup.workload, () => lag.worst() + (meter?.worst() ?? 0));

  const orders: Record<string, (message: { ms?: number }) => unknown> = {
    go: () => load.start(),
    drain: async () => {
      await load.drain();
      say('drained');
    },
    block: ({ ms }) => blockFor(ms!),
    rest: () => say('rest', { rest: load.rest() }),
    memory: () => {
      collectGarbage();
      say('memory', { heap: process.memoryUsage().heapUsed, jobs: load.settled });
    },
    look: async () => {
      const [running, queued] = await Promise.all([limiter.running(), limiter.clusterQueued()]);
      say('look', { running, queued, counts: limiter.counts() });
    },
    leave: async () => {
      log.write({ k: 'leaving' });
      const empty = load.drain();
      await limiter.stop({ dropWaitingJobs: true });
      await empty;
      await close();
    },
    close,
  };

  // As a service does it.
  process.on('SIGTERM', () => void Promise.resolve(orders.leave!({})).catch(crash));

  /** The process must end by itself once the limiter has let go of it. */
  async function close(): Promise<void> {
    lag.stop();
    meter?.stop();
    await limiter.disconnect(true);
    say('closed');
    process.removeAllListeners('disconnect');
    process.disconnect();
  }

  process.on('message', (message: { type: string; ms?: number }) => {
    void Promise.resolve(orders[message.type]?.(message)).catch(crash);
  });
  say('loaded');
  await limiter.ready();
  say('ready');
}

void main().catch(crash);
