import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect } from 'chai';
import { Bottleneck } from '../../lib/bottleneck';
import { traceGroup, traceLimiter } from '../../lib/opentelemetry';
import { failOnLeaks } from '../support/leaks';

// biome-ignore lint/suspicious/noExplicitAny: the public types are made for the build
type Any = any;

describe('rebottle/opentelemetry', () => {
  failOnLeaks();
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer('test');
  let limiter: Any;

  before(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(provider);
  });
  after(() => {
    context.disable();
    trace.disable();
  });
  beforeEach(() => {
    exporter.reset();
    limiter = new Bottleneck({ id: 'api', maxConcurrent: 1 });
  });

  const named = (name: string): ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.name === name);

  /** Runs `fn` in a span of that name. */
  function inSpan<T>(name: string, fn: () => Promise<T>): Promise<T> {
    return tracer.startActiveSpan(name, async (span) => {
      try {
        return await fn();
      } finally {
        span.end();
      }
    });
  }

  it('makes spans for waiting and running, both children of the span that scheduled the job', async () => {
    traceLimiter(limiter, { attributes: { service: 'mail' } });
    const sleep = () => new Promise((resolve) => setTimeout(resolve, 20));
    await Promise.all(
      ['a', 'b'].map((id) => inSpan(`request ${id}`, () => limiter.schedule({ id, priority: 3 }, sleep))),
    );
    for (const id of ['a', 'b']) {
      const [request] = named(`request ${id}`);
      const spans = exporter.getFinishedSpans().filter(({ attributes }) => attributes['rebottle.job.id'] === id);
      expect(spans.map(({ name }) => name)).to.deep.equal(['rebottle.wait', 'rebottle.run']);
      for (const span of spans) {
        expect(span.parentSpanContext?.spanId).to.equal(request!.spanContext().spanId);
        expect(span.attributes).to.deep.include({
          'rebottle.limiter.id': 'api',
          'rebottle.job.priority': 3,
          'rebottle.job.weight': 1,
          'rebottle.job.attempt': 1,
          service: 'mail',
        });
        expect(span.status.code).to.equal(SpanStatusCode.UNSET);
      }
    }
    const [, waited] = named('rebottle.wait');
    expect(waited!.duration[1]).to.be.above(15e6);
  });

  it("continues the caller's context inside the job, with the run as the active span", async () => {
    traceLimiter(limiter);
    const job = async () => {
      await null;
      await inSpan('inner', async () => {});
      return trace.getActiveSpan()?.spanContext().spanId;
    };
    const active = await Promise.all(['a', 'b'].map((id) => inSpan(id, () => limiter.schedule({ id }, job))));
    expect(named('rebottle.run').map((span) => span.spanContext().spanId)).to.deep.equal(active);
    const inner = named('inner');
    expect(inner.map(({ parentSpanContext }) => parentSpanContext?.spanId)).to.deep.equal(active);
    const traces = ['a', 'b'].map((id) => named(id)[0]!.spanContext().traceId);
    expect(inner.map((span) => span.spanContext().traceId)).to.deep.equal(traces);
  });

  it("keeps the caller's context also without spans of its own", async () => {
    const seen = () => trace.getActiveSpan()?.spanContext().spanId;
    const results = await Promise.all(['a', 'b'].map((id) => inSpan(id, () => limiter.schedule(async () => seen()))));
    expect(results).to.deep.equal(['a', 'b'].map((id) => named(id)[0]!.spanContext().spanId));
    expect(named('rebottle.run')).to.deep.equal([]);
  });

  it('shows retries and errors, each attempt with its own spans', async () => {
    traceLimiter(limiter);
    limiter.on('failed', (_error: unknown, { retryCount }: Any) => (retryCount === 0 ? 1 : undefined));
    await limiter.schedule({ id: 'a' }, () => Promise.reject(new Error('broken'))).catch(() => {});
    const spans = exporter
      .getFinishedSpans()
      .map(({ name, attributes, status }) => [name, attributes['rebottle.job.attempt'], status.code]);
    expect(spans).to.deep.equal([
      ['rebottle.wait', 1, SpanStatusCode.UNSET],
      ['rebottle.run', 1, SpanStatusCode.ERROR],
      ['rebottle.wait', 2, SpanStatusCode.UNSET],
      ['rebottle.run', 2, SpanStatusCode.ERROR],
    ]);
    const [run] = named('rebottle.run');
    expect(run!.status.message).to.equal('broken');
    expect(run!.events.map(({ name }) => name)).to.deep.equal(['exception']);
  });

  it('ends the wait of a dropped job as failed', async () => {
    const end = traceLimiter(limiter);
    const running = limiter.schedule(() => new Promise((resolve) => setTimeout(resolve, 5)));
    const waiting = limiter.schedule(async () => 1).catch(() => {});
    await Promise.all([running.catch(() => {}), waiting, limiter.stop()]);
    const dropped = named('rebottle.wait').filter(({ status }) => status.code === SpanStatusCode.ERROR);
    expect(dropped.map(({ attributes }) => attributes['rebottle.job.dropped'])).to.include('stopped');
    end();
  });

  it('takes Groups, and ends when told', async () => {
    const group: Any = new Bottleneck.Group({ id: 'users' } as Any);
    const end = traceGroup(group);
    await group.key('x').schedule(async () => 1);
    expect(named('rebottle.run')).to.have.length(1);
    end();
    await group.key('x').schedule(async () => 1);
    await group.key('y').schedule(async () => 1);
    expect(named('rebottle.run')).to.have.length(1);
    group.disconnect();
  });

  it('keeps the outcome of the job as it is', async () => {
    traceLimiter(limiter);
    const error = new Error('broken');
    expect(await limiter.schedule((a: number, b: number) => a + b, 1, 2)).to.equal(3);
    expect(await limiter.schedule(() => Promise.reject(error)).catch((reason: unknown) => reason)).to.equal(error);
    const thrown = limiter.schedule(() => {
      throw error;
    });
    expect(await thrown.catch((reason: unknown) => reason)).to.equal(error);
  });
});
