/** Writes down what a limiter does. Jobs are recognised by their first argument, a label. */
import type Bottleneck from 'bottleneck';
import type { Subject } from './subjects';
import type { Entry, Trace } from './trace';
import type { VirtualTime } from './virtual-time';

const JOB_EVENTS = ['received', 'queued', 'scheduled', 'executing', 'done', 'dropped'] as const;
/** Debug messages that are part of what users see; the rest tells how a scheduler works inside. */
const PUBLIC_DEBUG = /^(Drained|Freed) /;

type Emitter = { on(name: string, listener: (...args: never[]) => unknown): unknown };
type Info = { args: unknown[]; options: { id: string } & Record<string, unknown>; retryCount?: number };

export class Recorder {
  readonly trace: Trace = { streams: {} };
  private calls = 0;
  private looks = 0;

  constructor(
    private readonly subject: Subject,
    private readonly time: VirtualTime,
  ) {}

  note(stream: string, text: string): void {
    const entries = this.trace.streams[stream] ?? [];
    this.trace.streams[stream] = entries;
    entries.push({ at: this.time.now, text });
  }

  /** The entries of a stream, for assertions. */
  entries(stream: string): Entry[] {
    return this.trace.streams[stream] ?? [];
  }

  /** Follows every event of a limiter. `retry` decides what the `failed` listener returns. */
  watch(name: string, limiter: Bottleneck, retry: (label: string, retryCount: number) => number | null): void {
    const emitter = limiter as unknown as Emitter;
    for (const event of JOB_EVENTS) {
      emitter.on(event, (info: Info) => {
        const label = String(info.args[0]);
        this.note(`job ${label} in ${name}`, `${event} ${this.show(info)}`);
        if (event === 'executing') this.note(`starts ${name}`, label);
      });
    }
    emitter.on('failed', (error: unknown, info: Info) => {
      const label = String(info.args[0]);
      this.note(`job ${label} in ${name}`, `failed ${this.show(error)} ${this.show(info)}`);
      return retry(label, info.retryCount ?? 0);
    });
    emitter.on('retry', (message: string, info: Info) => {
      this.note(`job ${String(info.args[0])} in ${name}`, `retry ${withoutRandomIds(message)} ${this.show(info)}`);
    });
    for (const event of ['empty', 'idle', 'depleted', 'error', 'message']) {
      emitter.on(event, (...args: unknown[]) => {
        this.note(`limiter ${name}`, [event, ...args.map((arg) => this.show(arg))].join(' '));
      });
    }
  }

  /** Follows the debug messages that users may rely on. */
  watchDebug(name: string, limiter: Bottleneck): void {
    const emitter = limiter as unknown as Emitter;
    emitter.on('debug', (message: string, info: Info & { success?: boolean }) => {
      if (!PUBLIC_DEBUG.test(message) || info.success === false) return;
      this.note(`debug ${String(info.args[0])} in ${name}`, `${withoutRandomIds(message)} ${this.show(info)}`);
    });
  }

  /** Records how a call ended. */
  call(text: string, act: () => unknown): void {
    const stream = `call ${this.calls++} ${text}`;
    let result: unknown;
    try {
      result = act();
    } catch (error) {
      this.note(stream, `threw ${this.show(error)}`);
      return;
    }
    this.settles(stream, result as PromiseLike<unknown>);
  }

  /** Records how a promise ends, in a stream. */
  settles(stream: string, promise: PromiseLike<unknown>): void {
    promise.then(
      (value) => this.note(stream, `resolved ${this.show(value)}`),
      (error) => this.note(stream, `rejected ${this.show(error)}`),
    );
  }

  /** Looks at everything a limiter can be asked. The answers of asynchronous questions come in one line of their own. */
  look(limiters: Map<string, Bottleneck>, ids: string[], priorities: number[] = [0, 5, 9]): void {
    const stream = `look ${this.looks++}`;
    for (const [name, limiter] of limiters) {
      const sync = {
        counts: limiter.counts(),
        queued: limiter.queued(),
        byPriority: priorities.map((priority) => limiter.queued(priority)),
        empty: limiter.empty(),
        status: ids.map((id) => limiter.jobStatus(id)),
        jobs: limiter.jobs().map(withoutRandomIds).sort(),
        waiting: limiter
          .jobs('QUEUED' as never)
          .map(withoutRandomIds)
          .sort(),
      };
      this.note(stream, `${name} ${JSON.stringify(sync)}`);
      const questions = [
        limiter.running(),
        limiter.done(),
        limiter.currentReservoir(),
        limiter.clusterQueued(),
        limiter.check(),
        limiter.check(3),
      ];
      this.settles(`${stream} ${name}`, Promise.all(questions));
    }
  }

  show(value: unknown): string {
    if (value instanceof Error) return `${this.errorName(value)}(${withoutRandomIds(value.message)})`;
    if (value instanceof this.subject.Bottleneck) return 'limiter';
    if (value === undefined) return 'undefined';
    return withoutRandomIds(JSON.stringify(value, showMember) ?? String(value));
  }

  private errorName(error: Error): string {
    return error instanceof this.subject.Bottleneck.BottleneckError ? 'BottleneckError' : error.constructor.name;
  }
}

function showMember(_key: string, value: unknown): unknown {
  if (typeof value === 'function') return 'function';
  if (value !== null && typeof value === 'object' && typeof (value as PromiseLike<unknown>).then === 'function')
    return 'promise';
  if (value === undefined) return 'undefined';
  if (value === Number.POSITIVE_INFINITY) return 'Infinity';
  if (typeof value === 'number' && Number.isNaN(value)) return 'NaN';
  return value;
}

/** Ids that a limiter makes up for jobs without one are random. */
function withoutRandomIds(text: string): string {
  return text.replace(/<no-id>-[0-9a-z]+/g, '<no-id>');
}
