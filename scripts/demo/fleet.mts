import { setTimeout as sleep } from 'node:timers/promises';
import type Bottleneck from 'bottleneck';
import { type CommandCounts, startCommandCounter } from './command-counter.mjs';
import { type ServerRecord, StrictServer } from './strict-server.mjs';
import { WorkerProcess } from './worker-process.mjs';
import { makeWorkload, URGENT, VICTIM, type WorkerPlan } from './workload.mjs';

/** The fleet is given up when no request has arrived for this long, in ms: twice the default clientTimeout. */
const STUCK_AFTER = 20_000;

/** The longest that one fleet may take, in ms. */
const TIME_LIMIT = 90_000;

/** How long the killed worker's slots may take to come back, in ms: twice the default clientTimeout. */
const RECOVERY_TIME = 20_000;

const POLL_INTERVAL = 250;

export interface FleetOptions {
  label: string;
  /** File of the package under test. */
  packagePath: string;
  /** The class which that file exports. */
  Limiter: typeof Bottleneck;
  redisPort: number;
  onProgress: (text: string) => void;
}

export interface FleetResult {
  label: string;
  /** The fleet was given up with jobs waiting. */
  stuck: boolean;
  /** From the first `schedule()` to the last request. */
  seconds: number;
  record: ServerRecord;
  /** How many jobs the workers had that were not killed. */
  survivorsJobs: number;
  /** What `running()` still said after `RECOVERY_TIME`. */
  slotsLost: number;
  commands: CommandCounts;
  /** Texts of the errors that the workers met, with how often. */
  errors: Map<string, number>;
}

/** Runs the whole fleet once on one package and returns what was measured. */
export async function runFleet(options: FleetOptions): Promise<FleetResult> {
  const fleet = new Fleet(options);
  try {
    return await fleet.run();
  } finally {
    await fleet.stop();
  }
}

class Fleet {
  private readonly workload = makeWorkload();
  private readonly total = countJobs(this.workload);
  private readonly limiterId: string;
  private readonly server: StrictServer;
  private readonly errors = new Map<string, number>();
  private workers: WorkerProcess[] = [];
  private startedAt = 0;
  private lastArrival = 0;
  private killedAt = 0;

  constructor(private readonly options: FleetOptions) {
    this.limiterId = `demo-${options.label}`;
    this.server = new StrictServer(({ worker, rank }) => this.onArrival(worker, rank));
  }

  async run(): Promise<FleetResult> {
    await this.startWorkers();
    const counter = await startCommandCounter(this.options.redisPort);
    this.startedAt = this.lastArrival = Date.now();
    for (const worker of this.workers) worker.start();
    const stuck = await this.untilSettledOrStuck();
    const seconds = (this.lastArrival - this.startedAt) / 1000;
    counter.stop();
    return {
      label: this.options.label,
      stuck,
      seconds,
      record: this.server.record,
      survivorsJobs: countJobs(this.workload.filter(({ name }) => name !== VICTIM)),
      slotsLost: await this.slotsLost(),
      commands: counter.counts,
      errors: this.errors,
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await this.server.close();
  }

  private async startWorkers(): Promise<void> {
    await this.server.listen();
    const { packagePath, redisPort } = this.options;
    const setting = { packagePath, redisPort, limiterId: this.limiterId, serverPort: this.server.port };
    this.workers = this.workload.map((plan) => new WorkerProcess(plan, setting, (text) => this.countError(text)));
    await Promise.all(this.workers.map(({ ready }) => ready));
  }

  /** Kills the victim while it has a request open, when a third of the work has begun. */
  private onArrival(worker: string, rank: number): void {
    this.lastArrival = Date.now();
    if (worker !== VICTIM || this.killedAt > 0 || rank <= this.total / 3) return;
    this.killedAt = Date.now();
    this.workers.find(({ name }) => name === VICTIM)?.kill();
  }

  private countError(text: string): void {
    this.errors.set(text, (this.errors.get(text) ?? 0) + 1);
  }

  private report(what: string): void {
    const { finished, tooMany, tooEarly } = this.server.record;
    const seconds = ((Date.now() - this.startedAt) / 1000).toFixed(1);
    const { label, onProgress } = this.options;
    onProgress(
      `${label}: ${finished} of ${this.total} requests, ${tooMany + tooEarly} violations, ${seconds} s, ${what}`,
    );
  }

  private async untilSettledOrStuck(): Promise<boolean> {
    const survivors = this.workers.filter(({ name }) => name !== VICTIM);
    const settled = Promise.all(survivors.map((worker) => worker.settled)).then(() => true);
    for (;;) {
      if (await Promise.race([settled, sleep(POLL_INTERVAL, false)])) return false;
      this.report(this.killedAt > 0 ? `${VICTIM} was killed` : 'three workers');
      const now = Date.now();
      if (now - this.lastArrival > STUCK_AFTER || now - this.startedAt > TIME_LIMIT) return true;
    }
  }

  private async slotsLost(): Promise<number> {
    const { Limiter, redisPort } = this.options;
    const clientOptions = { host: '127.0.0.1', port: redisPort };
    const observer = new Limiter({ id: this.limiterId, datastore: 'ioredis', clientOptions });
    observer.on('error', (error) => this.countError(String(error)));
    await observer.ready();
    let running = await observer.running();
    while (running > 0 && Date.now() - this.killedAt < RECOVERY_TIME) {
      this.report('waiting for the slots of the killed worker');
      await sleep(POLL_INTERVAL);
      running = await observer.running();
    }
    await observer.disconnect();
    return running;
  }
}

function countJobs(workload: WorkerPlan[]): number {
  return workload.reduce((sum, { jobs }) => sum + jobs.length, 0);
}

/** Ranks, among all requests, of those that could not wait. */
export function urgentRanks({ arrivals }: ServerRecord): number[] {
  return arrivals.filter(({ priority }) => priority === URGENT).map(({ rank }) => rank);
}

/** How many requests of the surviving workers were answered. */
export function doneBySurvivors({ arrivals }: ServerRecord): number {
  return arrivals.filter(({ worker, finished }) => worker !== VICTIM && finished).length;
}
