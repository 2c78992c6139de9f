/** Traces for OpenTelemetry, through `@opentelemetry/api`, which has to be installed beside. */
import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { WatchedGroup, WatchedLimiter } from './observe/types';
import { watch, watchEach } from './observe/watched';
import type { Instrument } from './scheduler/instrument';
import type { Job } from './scheduler/job';
import { version } from './version';

export type { WatchedGroup, WatchedLimiter } from './observe/types';

export interface TraceOptions {
  /** Default: that of the registered provider, named `rebottle`. */
  tracer?: Tracer;
  /** Added to every span. */
  attributes?: Attributes;
}

/** A job on its way: where it was scheduled, and the span that is open. */
interface Traced {
  readonly caller: Context;
  span: Span;
}

/**
 * Makes two spans of each job, both children of the span that is active where it is scheduled: `rebottle.wait` until it
 * starts, and `rebottle.run` for each attempt, which is the active span inside the job. A dropped job has the first one
 * alone, as failed.
 *
 * @returns a function that ends it.
 * @throws {TypeError} for a limiter of another package.
 */
export function traceLimiter(limiter: WatchedLimiter, options: TraceOptions = {}): () => void {
  return watch(limiter, new JobSpans(limiter.id, options));
}

/** As `traceLimiter`, for all limiters of a Group, those to come too. */
export function traceGroup(group: WatchedGroup, options: TraceOptions = {}): () => void {
  return watchEach(group, (limiter) => traceLimiter(limiter, options));
}

class JobSpans implements Instrument {
  private readonly jobs = new WeakMap<Job, Traced>();
  private readonly tracer: Tracer;
  private readonly attributes: Attributes;

  constructor(limiterId: string, { tracer, attributes }: TraceOptions) {
    this.tracer = tracer ?? trace.getTracer('rebottle', version);
    this.attributes = { 'rebottle.limiter.id': limiterId, ...attributes };
  }

  readonly received = (job: Job): void => {
    const caller = context.active();
    this.jobs.set(job, { caller, span: this.start('rebottle.wait', job, caller) });
  };

  readonly executing = (job: Job): void => {
    const traced = this.jobs.get(job);
    if (traced === undefined) return;
    traced.span.end();
    traced.span = this.start('rebottle.run', job, traced.caller);
  };

  readonly around = (job: Job, call: () => unknown): unknown => {
    const traced = this.jobs.get(job);
    return traced === undefined ? call() : context.with(trace.setSpan(traced.caller, traced.span), call);
  };

  readonly attempted = (job: Job, failure: { readonly error: unknown } | null): void => {
    const span = this.jobs.get(job)?.span;
    if (failure !== null) fail(span, failure.error);
    span?.end();
  };

  readonly retried = (job: Job): void => {
    const traced = this.jobs.get(job);
    if (traced !== undefined) traced.span = this.start('rebottle.wait', job, traced.caller);
  };

  readonly dropped = (job: Job, reason: string): void => {
    const span = this.jobs.get(job)?.span;
    span?.setAttribute('rebottle.job.dropped', reason);
    span?.setStatus({ code: SpanStatusCode.ERROR, message: `dropped: ${reason}` });
    span?.end();
  };

  private start(name: string, job: Job, parent: Context): Span {
    const attributes = {
      ...this.attributes,
      'rebottle.job.id': job.key,
      'rebottle.job.priority': job.priority,
      'rebottle.job.weight': job.weight,
      'rebottle.job.attempt': job.retryCount + 1,
    };
    return this.tracer.startSpan(name, { attributes }, parent);
  }
}

function fail(span: Span | undefined, error: unknown): void {
  const exception = error instanceof Error ? error : String(error);
  span?.recordException(exception);
  span?.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
}
