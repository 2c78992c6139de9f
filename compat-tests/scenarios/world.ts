/** What a scenario acts on: one of the packages, in virtual time, with everything recorded. */
import type Bottleneck from 'bottleneck';
import { Recorder } from '../harness/recorder';
import type { Constructor, Subject } from '../harness/subjects';
import type { VirtualTime } from '../harness/virtual-time';

export interface Work {
  /** ms the function takes; 0 returns at once. Default 10. */
  takes?: number;
  /** How many attempts fail before one succeeds. Default 0. */
  failures?: number;
  /** Job options. */
  options?: Bottleneck.JobOptions;
}

export interface Outcome {
  label: string;
  /** Virtual ms at which each attempt began. */
  began: number[];
  /** Virtual ms at which the promise settled, or null while it has not. */
  settled: number | null;
  value?: unknown;
  error?: string;
}

export class World {
  readonly recorder: Recorder;
  readonly unhandled: string[] = [];
  /** Every job given to `job`, in that order. */
  readonly outcomes: Outcome[] = [];
  private readonly limiters = new Map<string, Bottleneck>();

  constructor(
    readonly subject: Subject,
    readonly time: VirtualTime,
  ) {
    this.recorder = new Recorder(subject, time);
  }

  get Bottleneck(): Constructor {
    return this.subject.Bottleneck;
  }

  /** A limiter whose events are recorded. `retry` decides what the `failed` listener returns. */
  limiter(
    options: Bottleneck.ConstructorOptions = {},
    retry: (label: string, count: number) => number | null = () => null,
  ): Bottleneck {
    return this.watch(`limiter ${this.limiters.size}`, new this.Bottleneck(options), retry);
  }

  /** Records the events of a limiter that was made elsewhere. */
  watch(
    name: string,
    limiter: Bottleneck,
    retry: (label: string, count: number) => number | null = () => null,
  ): Bottleneck {
    this.limiters.set(name, limiter);
    this.recorder.watch(name, limiter, retry);
    return limiter;
  }

  /** Schedules a job and follows it. Never rejects. */
  job(limiter: Bottleneck, label: string, { takes = 10, failures = 0, options = {} }: Work = {}): Outcome {
    const outcome = this.outcome(label);
    const task = async (given: string): Promise<string> => {
      outcome.began.push(this.time.now);
      const attempt = outcome.began.length;
      if (takes > 0) await this.pause(takes);
      if (attempt <= failures) throw new Error(`${given} failed`);
      return `${given} done`;
    };
    this.follow(outcome, limiter.schedule({ id: label, ...options }, task, label));
    return outcome;
  }

  outcome(label: string): Outcome {
    const outcome: Outcome = { label, began: [], settled: null };
    this.outcomes.push(outcome);
    return outcome;
  }

  follow(outcome: Outcome, promise: PromiseLike<unknown>): void {
    this.recorder.settles(`job ${outcome.label}`, promise);
    promise.then(
      (value) => Object.assign(outcome, { settled: this.time.now, value }),
      (error) => Object.assign(outcome, { settled: this.time.now, error: this.recorder.show(error) }),
    );
  }

  /** Records how a call ends, in a line of its own. */
  call(text: string, act: () => unknown): void {
    this.recorder.call(text, act);
  }

  /** What a call throws, as text; null when it does not. */
  thrownBy(act: () => unknown): string | null {
    try {
      act();
      return null;
    } catch (error) {
      return this.recorder.show(error);
    }
  }

  /** Waits inside of a job. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** Lets virtual time pass, and waits for a promise meanwhile. */
  async waitFor<T>(promise: T | PromiseLike<T>, atMost = 60_000): Promise<T> {
    let result: { value: T } | { error: unknown } | undefined;
    Promise.resolve(promise).then(
      (value) => {
        result = { value };
      },
      (error) => {
        result = { error };
      },
    );
    await this.time.settle();
    for (let waited = 0; result === undefined && waited < atMost; waited += 10) await this.time.sleep(10);
    if (result === undefined) throw new Error(`Still pending after ${atMost} ms`);
    if ('error' in result) throw result.error;
    return result.value;
  }

  /** Records everything the limiters can be asked now. */
  async look(): Promise<void> {
    this.recorder.look(
      this.limiters,
      this.outcomes.map((outcome) => outcome.label),
    );
    await this.time.settle();
  }
}
