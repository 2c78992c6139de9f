import type { Job } from './job';
import type { EndReason } from './scheduler';

/** One step that was taken with the store. */
export interface StepSample {
  /** ms from the question to the answer. */
  duration: number;
  /** Submissions, completions and all else that went with it. */
  batchSize: number;
}

/**
 * What watches a limiter's jobs from inside, for metrics and tracing: unlike a listener it sees why a job was dropped, it
 * can stand around the job's function, and `removeAllListeners` does not reach it. Everything is called at once, and must
 * not throw. A limiter that nobody watches asks once for each moment whether anybody does.
 */
export interface Instrument {
  /** The job has been taken in. Called where the caller is. */
  received?(job: Job): void;
  /** An attempt begins. */
  executing?(job: Job): void;
  /** Calls the function of the job. Whatever it returns or throws is the outcome of the attempt. */
  around?(job: Job, call: () => unknown): unknown;
  /** An attempt ended: well, or with an error. */
  attempted?(job: Job, failure: { readonly error: unknown } | null): void;
  /** The job waits for another attempt. */
  retried?(job: Job): void;
  /** The job ended, well or not, and was not dropped. */
  done?(job: Job): void;
  /** The limiter has rejected the job, and never calls its function (again). */
  dropped?(job: Job, reason: EndReason): void;
  /** The store has answered. Not told of the store in this process, which answers at once. */
  stepped?(sample: StepSample): void;
}

/** Several as one, with the first outermost. */
export function combined(instruments: readonly Instrument[]): Instrument | null {
  if (instruments.length < 2) return instruments[0] ?? null;
  return {
    received: (job) => instruments.forEach((one) => void one.received?.(job)),
    executing: (job) => instruments.forEach((one) => void one.executing?.(job)),
    around: (job, call) =>
      instruments.reduceRight<() => unknown>(
        (inner, one) => (one.around === undefined ? inner : () => one.around!(job, inner)),
        call,
      )(),
    attempted: (job, failure) => instruments.forEach((one) => void one.attempted?.(job, failure)),
    retried: (job) => instruments.forEach((one) => void one.retried?.(job)),
    done: (job) => instruments.forEach((one) => void one.done?.(job)),
    dropped: (job, reason) => instruments.forEach((one) => void one.dropped?.(job, reason)),
    stepped: (sample) => instruments.forEach((one) => void one.stepped?.(sample)),
  };
}

/** Watches the scheduler until the function that this gives is called. */
export function instrument(scheduler: Instrumented, watcher: Instrument): () => void {
  const watchers = watchersOf.get(scheduler) ?? [];
  watchersOf.set(scheduler, watchers);
  watchers.push(watcher);
  scheduler.instrument = combined([...watchers]);
  return () => {
    const index = watchers.indexOf(watcher);
    if (index < 0) return;
    watchers.splice(index, 1);
    scheduler.instrument = combined([...watchers]);
  };
}

export interface Instrumented {
  instrument: Instrument | null;
}

const watchersOf = new WeakMap<Instrumented, Instrument[]>();
