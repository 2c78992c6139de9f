/** Metrics for Prometheus: what limiters do, through `prom-client`, which has to be installed beside. */
import { Counter, register as defaultRegister, Gauge, Histogram, type Registry } from 'prom-client';
import { startTimer, type Timer } from './clock';
import type { WatchedGroup, WatchedLimiter } from './observe/types';
import { schedulerOf, watch, watchEach } from './observe/watched';
import type { Instrument } from './scheduler/instrument';
import type { Job } from './scheduler/job';
import { State } from './scheduler/job-states';

export type { WatchedGroup, WatchedLimiter } from './observe/types';

export interface MetricsOptions {
  /** Where the metrics are registered. Default: the default registry of prom-client. */
  register?: Registry;
  /** What all names begin with. Default `"rebottle_"`. */
  prefix?: string;
  /** Upper bounds of the buckets for waiting and running, in seconds. Default 1 ms to 5 min. */
  buckets?: number[];
}

export interface WatchOptions {
  /** The value of the label `limiter`. Default: the limiter's id; for a Group, its id. */
  name?: string;
}

export interface WatchGroupOptions extends WatchOptions {
  /** Whether each key is a limiter of its own, named `name-key`. With many keys that is many series. Default false. */
  perKey?: boolean;
}

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];
const ROUND_TRIP_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const BATCH_BUCKETS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/** ms that a scrape waits for Redis to tell reservoirs. */
const RESERVOIR_WITHIN = 1000;

/** A limiter and the name under which it is shown. */
interface Source {
  readonly name: string;
  readonly limiter: WatchedLimiter;
  readonly hasReservoir: boolean;
}

/** What is known of a job that is on its way. Times by `performance.now()`. */
interface Times {
  waitingSince: number;
  executingSince: number;
}

/**
 * A set of metrics, and the limiters that are in it. All carry the label `limiter`. A limiter that is not in it costs
 * nothing; gauges are read when they are scraped. Numbers are those of this process, except `reservoir`.
 */
export class Metrics {
  private readonly received: Counter;
  private readonly done: Counter;
  private readonly dropped: Counter;
  private readonly retries: Counter;
  private readonly errors: Counter;
  private readonly waitSeconds: Histogram;
  private readonly runSeconds: Histogram;
  private readonly roundTripSeconds: Histogram;
  private readonly batchSize: Histogram;
  /** What the gauges read. The limiters of a Group come and go, so that it is asked anew each time. */
  private readonly sources = new Set<() => Source[]>();

  /** @throws {Error} when the registry has metrics of these names already. */
  constructor({ register = defaultRegister, prefix = 'rebottle_', buckets = BUCKETS }: MetricsOptions = {}) {
    const registers = [register];
    const counter = (name: string, help: string, ...labels: string[]) =>
      new Counter({ name: prefix + name, help, labelNames: ['limiter', ...labels], registers });
    const histogram = (name: string, help: string, bounds: number[], ...labels: string[]) =>
      new Histogram({ name: prefix + name, help, labelNames: ['limiter', ...labels], buckets: bounds, registers });
    this.received = counter('jobs_received_total', 'Jobs scheduled.');
    this.done = counter('jobs_done_total', 'Jobs that have ended, by outcome: success or error.', 'outcome');
    this.dropped = counter(
      'jobs_dropped_total',
      'Jobs that the limiter rejected without running them, by reason.',
      'reason',
    );
    this.retries = counter('job_retries_total', 'Attempts after the first.');
    this.errors = counter('errors_total', 'Error events: failures that no job can be told of.');
    this.waitSeconds = histogram('job_wait_seconds', 'From scheduling a job, or its retry, to its start.', buckets);
    this.runSeconds = histogram(
      'job_run_seconds',
      'Duration of attempts, by outcome: success or error.',
      buckets,
      'outcome',
    );
    this.roundTripSeconds = histogram('round_trip_seconds', 'Until Redis has answered a batch.', ROUND_TRIP_BUCKETS);
    this.batchSize = histogram('batch_size', 'Submissions and completions in one batch.', BATCH_BUCKETS);
    this.gauge(registers, `${prefix}queue_length`, 'Jobs that wait in the queue.', [State.Received, State.Queued]);
    this.gauge(registers, `${prefix}jobs_running`, 'Jobs that have a slot.', [State.Running, State.Executing]);
    this.reservoirGauge(registers, `${prefix}reservoir`);
  }

  /** Adds a limiter. @returns a function that takes it out again. @throws {TypeError} for a limiter of another package. */
  watch(limiter: WatchedLimiter, { name = limiter.id }: WatchOptions = {}): () => void {
    const endJobs = this.watchJobs(limiter, name);
    const endGauges = this.addSource(() => [{ name, limiter, hasReservoir: true }]);
    return () => {
      endJobs();
      endGauges();
    };
  }

  /** Adds all limiters of a Group, those to come too. @returns a function that takes them out again. */
  watchGroup(group: WatchedGroup, { name, perKey = false }: WatchGroupOptions = {}): () => void {
    const groupName = name ?? String((group as { id?: unknown }).id ?? 'group');
    const nameOf = (key: string): string => (perKey ? `${groupName}-${key}` : groupName);
    const endJobs = watchEach(group, (limiter, key) => this.watchJobs(limiter, nameOf(key)));
    // The reservoirs of several keys do not add up to anything.
    const endGauges = this.addSource(() =>
      group.limiters().map(({ key, limiter }) => ({ name: nameOf(key), limiter, hasReservoir: perKey })),
    );
    return () => {
      endJobs();
      endGauges();
    };
  }

  private watchJobs(limiter: WatchedLimiter, name: string): () => void {
    let watching = true;
    const end = watch(limiter, this.instrumentOf(name));
    limiter.on('error', () => {
      if (watching) this.errors.inc({ limiter: name });
    });
    return () => {
      watching = false;
      end();
    };
  }

  private instrumentOf(limiter: string): Instrument {
    const times = new WeakMap<Job, Times>();
    const labels = { limiter };
    const seconds = (since: number): number => Math.max(0, performance.now() - since) / 1000;
    return {
      received: (job) => {
        this.received.inc(labels);
        times.set(job, { waitingSince: performance.now(), executingSince: 0 });
      },
      executing: (job) => {
        const known = times.get(job);
        if (known === undefined) return;
        this.waitSeconds.observe(labels, seconds(known.waitingSince));
        known.executingSince = performance.now();
      },
      attempted: (job, failure) => {
        const known = times.get(job);
        if (known === undefined) return;
        this.runSeconds.observe({ limiter, outcome: outcomeOf(failure !== null) }, seconds(known.executingSince));
      },
      retried: (job) => {
        this.retries.inc(labels);
        const known = times.get(job);
        if (known !== undefined) known.waitingSince = performance.now();
      },
      done: (job) => this.done.inc({ limiter, outcome: outcomeOf(job.failed) }),
      dropped: (_job, reason) => this.dropped.inc({ limiter, reason: reason.replaceAll(' ', '_') }),
      stepped: ({ duration, batchSize }) => {
        this.roundTripSeconds.observe(labels, duration / 1000);
        this.batchSize.observe(labels, batchSize);
      },
    };
  }

  private addSource(source: () => Source[]): () => void {
    this.sources.add(source);
    return () => void this.sources.delete(source);
  }

  private gauge(registers: Registry[], name: string, help: string, states: readonly State[]): void {
    const { sources } = this;
    new Gauge({
      name,
      help,
      labelNames: ['limiter'],
      registers,
      collect() {
        this.reset();
        for (const source of sources) {
          for (const { limiter, name } of source()) this.inc({ limiter: name }, countIn(limiter, states));
        }
      },
    });
  }

  /** The only number that has to be asked for. Limiters that do not answer in time are left out. */
  private reservoirGauge(registers: Registry[], name: string): void {
    const { sources } = this;
    new Gauge({
      name,
      help: 'What is left in the reservoir, over all processes.',
      labelNames: ['limiter'],
      registers,
      async collect() {
        const asked = [...sources].flatMap((source) => source()).filter(({ hasReservoir }) => hasReservoir);
        const answers = await Promise.all(
          asked.map(async ({ limiter, name }) => ({ name, left: await reservoirOf(limiter) })),
        );
        this.reset();
        for (const { name, left } of answers) if (left !== null) this.set({ limiter: name }, left);
      },
    });
  }
}

function outcomeOf(failed: boolean): string {
  return failed ? 'error' : 'success';
}

function countIn(limiter: WatchedLimiter, states: readonly State[]): number {
  const { counts } = schedulerOf(limiter).states;
  return sum(states.map((state) => counts[state] ?? 0));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

interface ReservoirSource {
  currentReservoir?(): PromiseLike<number | null>;
  getReservoir?(): PromiseLike<number | null>;
}

async function reservoirOf(limiter: WatchedLimiter & ReservoirSource): Promise<number | null> {
  const asked = limiter.currentReservoir?.() ?? limiter.getReservoir?.() ?? null;
  let timer: Timer | undefined;
  const late = new Promise<null>((resolve) => {
    timer = startTimer(RESERVOIR_WITHIN, () => resolve(null));
    timer.unref();
  });
  try {
    return await Promise.race([asked, late]);
  } catch {
    return null; // it was disconnected
  } finally {
    timer?.cancel();
  }
}
