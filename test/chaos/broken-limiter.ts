/**
 * A small limiter of one process that keeps every rule, unless it is told which to break: what the judge must catch.
 * Option `broken` names the fault; without it there must be nothing to catch.
 */
import { EventEmitter } from 'node:events';

export const BREAKS = {
  'over-limit': 'now and then one start too many at a time',
  'too-soon': 'now and then a start without the wait for minTime',
  'reservoir-twice': 'a reservoir refreshed twice in an interval',
  'runs-twice': 'now and then a function called a second time',
  'loses-a-job': 'now and then a job forgotten before it runs',
  'wrong-value': 'now and then a promise resolved early, with nothing',
  rejects: 'now and then a promise rejected for no reason of the user',
  uncaught: 'now and then a rejection that nobody can catch',
  'last-come-first-served': 'a queue in the wrong order of arrival',
  'no-priorities': 'a queue that ignores priorities',
  'leaks-a-slot': 'now and then a slot that is never given back',
  sleeps: 'at times no wake-up when a slot becomes free',
} as const;

export type Break = keyof typeof BREAKS;

interface Options {
  maxConcurrent: number;
  minTime: number;
  reservoir?: number;
  reservoirRefreshInterval?: number;
  broken?: Break;
}

interface Waiting {
  options: { id: string; priority: number; weight: number; expiration?: number };
  job: () => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** The fault shows in every so many jobs. */
const EVERY = 7;
const SLEEP_MS = 2500;
/** Long sleeps are few, so that the run ends. */
const SLEEPS_UNTIL = 20;

export default class BrokenLimiter extends EventEmitter {
  private readonly queue: Waiting[] = [];
  private readonly states = { RECEIVED: 0, QUEUED: 0, RUNNING: 0, EXECUTING: 0 };
  private taken = 0;
  private nextStart = 0;
  private left: number;
  private refresh: NodeJS.Timeout | undefined;
  private wake: NodeJS.Timeout | undefined;
  private asleep = false;
  private started = 0;

  constructor(private readonly options: Options) {
    super();
    this.left = options.reservoir ?? Number.POSITIVE_INFINITY;
    const { reservoirRefreshInterval: interval } = options;
    if (interval)
      this.refresh = setInterval(() => this.refill(), this.broken('reservoir-twice') ? interval / 2 : interval);
  }

  async ready(): Promise<void> {}

  schedule(options: Waiting['options'], job: Waiting['job']): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.enqueue({ options, job, resolve, reject });
      this.emit('queued', { options });
      this.drain();
    });
  }

  async running(): Promise<number> {
    return this.taken;
  }

  counts(): Record<string, number> {
    return { ...this.states };
  }

  async clusterQueued(): Promise<number> {
    return this.queue.length;
  }

  jobStatus(id: string): string | null {
    return this.queue.some(({ options }) => options.id === id) ? 'QUEUED' : null;
  }

  async stop(): Promise<void> {
    for (const { reject } of this.queue.splice(0)) reject(new Error('stopped'));
    this.states.QUEUED = 0;
  }

  async disconnect(): Promise<void> {
    clearInterval(this.refresh);
    clearTimeout(this.wake);
  }

  private broken(what: Break): boolean {
    return this.options.broken === what;
  }

  private nowAndThen(what: Break): boolean {
    return this.broken(what) && this.started % EVERY === 0;
  }

  private refill(): void {
    this.left = this.options.reservoir!;
    this.drain();
  }

  private enqueue(waiting: Waiting): void {
    const priority = ({ options }: Waiting) => (this.broken('no-priorities') ? 0 : options.priority);
    const place = this.queue.findIndex((other) =>
      this.broken('last-come-first-served')
        ? priority(other) >= priority(waiting)
        : priority(other) > priority(waiting),
    );
    this.queue.splice(place < 0 ? this.queue.length : place, 0, waiting);
    this.states.QUEUED += 1;
  }

  private drain(): void {
    if (this.asleep) return;
    for (let head = this.queue[0]; head && this.fits(head); head = this.queue[0]) {
      this.queue.shift();
      this.states.QUEUED -= 1;
      this.start(head);
    }
  }

  private fits({ options: { weight } }: Waiting): boolean {
    const room = this.options.maxConcurrent + (this.nowAndThen('over-limit') ? weight : 0);
    return this.taken + weight <= room && this.left >= weight;
  }

  private start(waiting: Waiting): void {
    const { options } = waiting;
    this.taken += options.weight;
    this.left -= options.weight;
    this.started += 1;
    const now = performance.now();
    const wait = this.nowAndThen('too-soon') ? 0 : Math.max(0, this.nextStart - now);
    this.nextStart = Math.max(now, this.nextStart) + this.options.minTime;
    this.emit('scheduled', { options });
    if (this.nowAndThen('loses-a-job')) {
      this.taken -= options.weight;
      return;
    }
    this.states.RUNNING += 1;
    setTimeout(() => void this.run(waiting), wait);
  }

  private async run(waiting: Waiting): Promise<void> {
    const { options, job, resolve, reject } = waiting;
    this.states.RUNNING -= 1;
    this.states.EXECUTING += 1;
    if (this.nowAndThen('wrong-value')) resolve(undefined);
    if (this.nowAndThen('rejects')) reject(new Error('because'));
    if (this.nowAndThen('uncaught')) void Promise.reject(new Error('nobody listens'));
    if (this.nowAndThen('runs-twice')) void job().catch(() => {});
    await job().then(resolve, reject);
    this.states.EXECUTING -= 1;
    if (this.nowAndThen('leaks-a-slot')) return;
    this.taken -= options.weight;
    if (this.nowAndThen('sleeps') && this.started < SLEEPS_UNTIL) this.sleep();
    this.drain();
  }

  private sleep(): void {
    if (this.asleep) return;
    this.asleep = true;
    this.wake = setTimeout(() => {
      this.asleep = false;
      this.drain();
    }, SLEEP_MS);
  }
}
