/** The scheduler over a store whose answers the test gives, and over the memory store on a fake clock. */
import FakeTimers, { type Clock } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { Bottleneck } from '../../lib/bottleneck';
import { MonotonicClock } from '../../lib/clock';
import { BottleneckError } from '../../lib/errors';
import { Events, type Listener } from '../../lib/events';
import { Job, type JobOptions } from '../../lib/scheduler/job';
import { Scheduler, type SchedulerHost } from '../../lib/scheduler/scheduler';
import {
  type Effect,
  type Notice,
  type Outcome,
  Place,
  type Step,
  type Store,
  type Ticket,
} from '../../lib/store/store';

const DAY = 86_400_000;

let fake: Clock;

/** Lets promises and turns of the event loop go on, and time by `ms`. */
function pass(ms = 0): Promise<number> {
  return fake.tickAsync(ms);
}

interface OpenStep {
  step: Step;
  answer(effects: Effect[], nextIn?: number | null): Promise<unknown>;
  fail(error: Error): Promise<unknown>;
}

/** Keeps each step until the test answers it. */
class ManualStore {
  readonly synchronous = false;
  mayBegin = true;
  confirmed = () => {};

  confirm(): Promise<void> {
    return new Promise((resolve) => {
      this.confirmed = () => {
        this.mayBegin = true;
        resolve();
      };
    });
  }
  maxBatch = 500;
  onNotice: (notice: Notice) => void = () => {};
  readonly steps: OpenStep[] = [];

  advance(step: Step): Promise<Outcome> {
    for (const ticket of step.submitted) ticket.place = Place.Queued;
    return new Promise((resolve, reject) => {
      this.steps.push({
        step,
        answer: (effects, nextIn = null) => {
          resolve({ effects, nextIn });
          return pass();
        },
        fail: (error) => {
          reject(error);
          return pass();
        },
      });
    });
  }

  /** The one step in flight. */
  take(): OpenStep {
    expect(this.steps).to.have.length(1);
    return this.steps.shift()!;
  }
}

function queued(ticket: Ticket): Effect {
  return { kind: 'queued', ticket, reachedHighWater: false };
}

function started(ticket: Ticket, wait = 0): Effect {
  return { kind: 'started', ticket, wait, reservoir: null };
}

function completed(ticket: Ticket, running = 0): Effect {
  return { kind: 'completed', ticket, running };
}

describe('Scheduler', () => {
  beforeEach(() => {
    fake = FakeTimers.install({ now: 100 * DAY });
  });

  afterEach(() => fake.uninstall());

  describe('over a store that takes its time', () => {
    let store: ManualStore;
    let scheduler: Scheduler;
    let emitter: { on(name: string, listener: Listener): void };
    const host: SchedulerHost = { Promise, rejectOnDrop: true, retryMode: 'hold', chained: null };
    let jobs: number;

    beforeEach(() => {
      jobs = 0;
      store = new ManualStore();
      emitter = {} as typeof emitter;
      const events = new Events(emitter);
      scheduler = new Scheduler(host, events, store as unknown as Store, false, new MonotonicClock());
    });

    function schedule(task: () => unknown = () => {}, options: Partial<JobOptions> = {}): Job {
      const id = `job${jobs++}`;
      const job = new Job(task, [], { priority: 5, weight: 1, expiration: null, id, ...options }, false);
      job.promise = new Promise((resolve) => (job.resolve = resolve));
      job.promise.then(undefined, () => {});
      scheduler.receive(job);
      return job;
    }

    it('has one step in flight, and gathers what comes meanwhile for the next', async () => {
      const first = schedule();
      await pass();
      const step = store.take();
      expect(step.step.submitted).to.deep.equal([first]);
      const more = [schedule(), schedule(), schedule()];
      await pass();
      expect(store.steps).to.have.length(0);
      await step.answer([queued(first), started(first)]);
      const next = store.take().step;
      expect(next.submitted).to.deep.equal(more);
      expect(next.completed).to.deep.equal([first]);
    });

    it('submits no more at once than the store takes', async () => {
      store.maxBatch = 2;
      const five = Array.from({ length: 5 }, () => schedule());
      await pass();
      const sizes: number[] = [];
      for (let step = store.take(); ; step = store.take()) {
        sizes.push(step.step.submitted.length);
        await step.answer(step.step.submitted.map(queued));
        if (store.steps.length === 0) break;
      }
      expect(sizes.reduce((sum, size) => sum + size, 0)).to.equal(5);
      expect(Math.max(...sizes)).to.equal(2);
      expect(scheduler.queued()).to.equal(five.length);
    });

    it('takes a step when the store said that one is due, and only then', async () => {
      const job = schedule();
      await pass();
      await store.take().answer([queued(job)], 250.5);
      await pass(250);
      expect(store.steps).to.have.length(0);
      await pass(2);
      await store.take().answer([started(job)]);
      expect(store.take().step.completed).to.deep.equal([job]);
    });

    it('takes a step when there may be capacity', async () => {
      store.onNotice({ kind: 'capacity' });
      await pass();
      expect(store.take().step).to.deep.equal({ submitted: [], completed: [], withdrawn: [], renewed: [] });
    });

    it('starts what another process started', async () => {
      let ran = false;
      const job = schedule(() => (ran = true));
      await pass();
      await store.take().answer([queued(job)]);
      store.onNotice({ kind: 'effects', effects: [started(job)] });
      await pass();
      expect(ran).to.equal(true);
    });

    it('starts what another process started before the store told that it is queued', async () => {
      const told: string[] = [];
      for (const name of ['queued', 'scheduled', 'executing']) emitter.on(name, () => told.push(name));
      const job = schedule();
      await pass();
      const step = store.take();
      store.onNotice({ kind: 'effects', effects: [started(job, 20)] });
      await step.answer([queued(job)]);
      await pass(20);
      expect(told).to.deep.equal(['queued', 'scheduled', 'executing']);
      expect(scheduler.queued()).to.equal(0);
    });

    it('gives back the slot of a job that was dropped before it heard of its start', async () => {
      const job = schedule();
      await pass();
      const step = store.take();
      void scheduler.stop({ dropWaitingJobs: true, dropErrorMessage: 'dropped', enqueueErrorMessage: 'refused' });
      await step.answer([queued(job), started(job)]);
      expect(store.take().step.withdrawn).to.include(job);
    });

    describe('out of touch with the store', () => {
      let runs: number;
      let job: Job;

      async function book(wait: number, task: () => unknown = () => {}): Promise<void> {
        runs = 0;
        job = schedule(() => {
          runs++;
          return task();
        });
        await pass();
        await store.take().answer([queued(job), started(job, wait)]);
      }

      it('begins a job only when its start has been confirmed', async () => {
        await book(50);
        store.mayBegin = false;
        await pass(100);
        expect(runs).to.equal(0);
        store.confirmed();
        await pass();
        expect(runs).to.equal(1);
      });

      it('puts a job whose start is void back, and runs it once when it is started again', async () => {
        await book(50);
        store.mayBegin = false;
        await pass(100);
        store.onNotice({ kind: 'effects', effects: [{ kind: 'returned', ticket: job }] });
        store.confirmed();
        await pass();
        expect([runs, scheduler.queued(), scheduler.states.status(job.key)]).to.deep.equal([0, 1, 'QUEUED']);
        store.onNotice({ kind: 'effects', effects: [started(job, 10)] });
        await pass(9);
        expect(runs).to.equal(0);
        await pass(1);
        expect([runs, scheduler.queued()]).to.deep.equal([1, 0]);
        await pass(1);
        expect(store.take().step.completed).to.deep.equal([job]);
      });

      it('forgets the old wait of a start that is void', async () => {
        await book(50);
        store.onNotice({ kind: 'effects', effects: [{ kind: 'returned', ticket: job }] });
        await pass(100);
        expect(runs).to.equal(0);
      });

      it('lets a retry wait for both its delay and its new start', async () => {
        emitter.on('failed', () => 100);
        await book(0, () => {
          if (runs === 1) throw new Error('once');
        });
        await pass();
        expect(job.begun).to.equal(false);
        store.onNotice({ kind: 'effects', effects: [{ kind: 'returned', ticket: job }] });
        store.onNotice({ kind: 'effects', effects: [started(job)] });
        await pass(99);
        expect(runs).to.equal(1);
        await pass(1);
        expect(runs).to.equal(2);
      });

      it('lets a retry whose delay is over wait for its new start', async () => {
        emitter.on('failed', () => 100);
        await book(0, () => {
          if (runs === 1) throw new Error('once');
        });
        await pass();
        store.onNotice({ kind: 'effects', effects: [{ kind: 'returned', ticket: job }] });
        await pass(200);
        expect(runs).to.equal(1);
        store.onNotice({ kind: 'effects', effects: [started(job)] });
        await pass();
        expect(runs).to.equal(2);
      });

      it('drops a retry whose start is void when the limiter has been stopped', async () => {
        emitter.on('failed', () => 100);
        await book(0, () => {
          if (runs === 1) throw new Error('once');
        });
        await pass();
        const stopped = scheduler.stop({
          dropWaitingJobs: true,
          dropErrorMessage: 'dropped',
          enqueueErrorMessage: 'refused',
        });
        store.onNotice({ kind: 'effects', effects: [{ kind: 'returned', ticket: job }] });
        const outcome = await job.promise.then(
          () => 'resolved',
          (error: Error) => error.message,
        );
        expect(outcome).to.equal('dropped');
        await pass(1);
        expect(store.steps[0]!.step.withdrawn).to.deep.equal([job]);
        await store.take().answer([]);
        await stopped;
      });

      it('lets what executes go on after a disconnect', async () => {
        emitter.on('failed', () => 100);
        await book(0, () => {
          if (runs === 1) throw new Error('once');
        });
        await pass();
        store.mayBegin = false;
        scheduler.disconnect();
        await pass(100);
        expect(runs).to.equal(2);
      });
    });

    it('settles a job only when the store has freed its slot', async () => {
      const job = schedule(() => 'value');
      let settled: unknown;
      job.promise.then((value) => (settled = value));
      await pass();
      await store.take().answer([queued(job), started(job)]);
      const completion = store.take();
      expect(completion.step.completed).to.deep.equal([job]);
      expect(settled).to.equal(undefined);
      await completion.answer([completed(job)]);
      expect(settled).to.equal('value');
    });

    it('settles a job whose completion was on its way when the limiter was disconnected', async () => {
      const job = schedule(() => 'value');
      let settled: unknown;
      job.promise.then((value) => (settled = value));
      await pass();
      await store.take().answer([queued(job), started(job)]);
      const completion = store.take();
      scheduler.disconnect();
      await completion.fail(new Error('disconnected'));
      expect(settled).to.equal('value');
    });

    it('when it is disconnected, rejects what waits and lets what executes end', async () => {
      const errors: unknown[] = [];
      emitter.on('error', (error: unknown) => errors.push(error));
      let end!: (value: string) => void;
      const [running, waiting] = [schedule(() => new Promise((resolve) => (end = resolve))), schedule()];
      await pass();
      await store.take().answer([queued(running), started(running)]);
      const step = store.take();
      scheduler.disconnect();
      await step.fail(new Error('stopped'));
      const rejection = await Promise.resolve(waiting.promise).catch((error: unknown) => error);
      expect(rejection).to.be.instanceOf(BottleneckError);
      expect((rejection as Error).message).to.match(/disconnected/);
      end('value');
      await pass();
      expect(await running.promise).to.equal('value');
      expect(errors).to.deep.equal([]);
      expect(await Promise.resolve(schedule().promise).catch(({ message }: Error) => message)).to.match(/disconnected/);
    });

    it('is disconnected when the store tells that it was closed', async () => {
      const job = schedule();
      await pass();
      store.onNotice({ kind: 'closed' });
      expect(await Promise.resolve(job.promise).catch((error: unknown) => error)).to.be.instanceOf(BottleneckError);
    });

    it('passes on what the store tells', () => {
      const heard: unknown[] = [];
      emitter.on('message', (message: string) => heard.push(['message', message]));
      emitter.on('error', (error: unknown) => heard.push(['error', error]));
      store.onNotice({ kind: 'message', message: 'hello' });
      store.onNotice({ kind: 'error', error: 'lost' });
      expect(heard).to.deep.equal([
        ['message', 'hello'],
        ['error', 'lost'],
      ]);
    });

    it('waits with whenSettled until the store has decided on all that was received', async () => {
      const job = schedule();
      let settled = false;
      void scheduler.whenSettled().then(() => (settled = true));
      await pass();
      expect(settled).to.equal(false);
      await store.take().answer([queued(job)]);
      expect(settled).to.equal(true);
      await scheduler.whenSettled();
    });

    it('renews the slot of a retry that goes on longer than its expiration', async () => {
      emitter.on('failed', () => 500);
      let attempts = 0;
      const job = schedule(
        () => {
          if (attempts++ === 0) throw new Error('once');
        },
        { expiration: 100 },
      );
      await pass();
      await store.take().answer([queued(job), started(job)]);
      const renewals = [];
      while (store.steps.length > 0) {
        const step = store.take();
        renewals.push(...step.step.renewed);
        await step.answer([]);
      }
      expect(renewals.at(-1)).to.deep.equal({ ticket: job, expiresIn: 600 });
    });
  });

  describe('over the memory store', () => {
    let log: string[];

    /** A limiter whose events are logged as `name` or `name id`. */
    function limiter(options: object = {}): InstanceType<typeof Bottleneck> {
      log = [];
      const made = new Bottleneck(options as Record<string, unknown>);
      for (const name of [
        'received',
        'queued',
        'scheduled',
        'executing',
        'done',
        'empty',
        'idle',
        'dropped',
        'depleted',
        'failed',
        'retry',
        'error',
      ]) {
        made.on(name, (...args: unknown[]) => {
          const info = args.find((arg) => typeof arg === 'object' && arg !== null && 'options' in arg) as
            | { options?: { id: string } }
            | undefined;
          log.push(info?.options === undefined ? name : `${name} ${info.options.id}`);
        });
      }
      return made;
    }

    function later(ms: number, value?: unknown): Promise<unknown> {
      return new Promise((resolve) => setTimeout(resolve, ms, value));
    }

    async function outcome(promise: Promise<unknown>): Promise<string> {
      return promise.then(
        (value) => `value ${value}`,
        (error: Error) => `${error instanceof BottleneckError ? 'BottleneckError' : 'error'}: ${error.message}`,
      );
    }

    it('takes a job through all its states, in this order', async () => {
      const made = limiter({ maxConcurrent: 1 });
      const done = made.schedule({ id: 'a' }, () => later(10, 'x'));
      await pass(20);
      expect(await done).to.equal('x');
      expect(log).to.deep.equal(['received a', 'queued a', 'empty', 'scheduled a', 'executing a', 'done a', 'idle']);
    });

    it('tells idle once when several jobs end at once', async () => {
      const made = limiter();
      const all = [1, 2, 3].map(() => made.schedule(() => later(10)));
      await pass(20);
      await Promise.all(all);
      expect(log.filter((line) => line === 'idle')).to.have.length(1);
      expect(log.at(-1)).to.equal('idle');
    });

    it('gives a job its arguments, and a value, an error or a thrown error back', async () => {
      const made = limiter();
      const results = [
        made.schedule((a: number, b: number) => Promise.resolve(a + b), 2, 3),
        made.schedule(() => 'plain'),
        made.schedule(() => Promise.reject(new Error('rejected'))),
        made.schedule(() => {
          throw new Error('thrown');
        }),
      ].map(outcome);
      await pass();
      expect(await Promise.all(results)).to.deep.equal(['value 5', 'value plain', 'error: rejected', 'error: thrown']);
    });

    it('begins jobs minTime apart, and counts those that wait as RUNNING', async () => {
      const begun: number[] = [];
      const made = limiter({ minTime: 100 });
      for (let i = 0; i < 3; i++) void made.schedule(() => begun.push(Date.now() - 100 * DAY));
      await pass(1);
      expect(made.counts()).to.deep.equal({ RECEIVED: 0, QUEUED: 0, RUNNING: 2, EXECUTING: 0 });
      await pass(250);
      expect(begun).to.deep.equal([0, 100, 200]);
    });

    describe('retries', () => {
      it('wait as long as the failed handler says, and count', async () => {
        const made = limiter();
        const counts: number[] = [];
        made.on('failed', (_error: Error, { retryCount }: { retryCount: number }) => {
          counts.push(retryCount);
          return retryCount < 2 ? 50 : undefined;
        });
        const times: number[] = [];
        const ended = outcome(
          made.schedule({ id: 'a' }, () => {
            times.push(Date.now() - 100 * DAY);
            throw new Error('no');
          }),
        );
        await pass(500);
        expect(await ended).to.equal('error: no');
        expect([times, counts]).to.deep.equal([
          [0, 50, 100],
          [0, 1, 2],
        ]);
        expect(log.filter((line) => /^(failed|retry|done)/.test(line))).to.deep.equal([
          'failed a',
          'retry a',
          'failed a',
          'retry a',
          'failed a',
          'done a',
        ]);
      });

      it('hold their slot by default', async () => {
        const made = limiter({ maxConcurrent: 1 });
        made.on('failed', () => 100);
        let attempts = 0;
        const order: string[] = [];
        void made.schedule(() => {
          order.push('a');
          if (attempts++ === 0) throw new Error('once');
        });
        void made.schedule(() => order.push('b'));
        await pass(300);
        expect(order).to.deep.equal(['a', 'a', 'b']);
      });

      it('queue again when asked to, behind what waits, with all limits', async () => {
        const made = limiter({ maxConcurrent: 1, retryMode: 'requeue' });
        made.on('failed', () => 10);
        let attempts = 0;
        const order: string[] = [];
        const a = made.schedule(() => {
          order.push('a');
          if (attempts++ === 0) throw new Error('once');
          return 'second';
        });
        void made.schedule(() => {
          order.push('b');
          return later(30);
        });
        await pass(300);
        expect(order).to.deep.equal(['a', 'b', 'a']);
        expect(await a).to.equal('second');
        expect(await made.running()).to.equal(0);
      });
    });

    describe('expirations', () => {
      it('reject with the time it took', async () => {
        const made = limiter();
        const ended = outcome(made.schedule({ expiration: 50 }, () => later(100)));
        await pass(60);
        expect(await ended).to.equal('BottleneckError: This job timed out after 50 ms.');
      });

      it('count from the beginning of the job, not from its scheduling', async () => {
        const made = limiter({ maxConcurrent: 1 });
        void made.schedule(() => later(100));
        const ended = outcome(made.schedule({ expiration: 50 }, () => later(40, 'in time')));
        await pass(200);
        expect(await ended).to.equal('value in time');
      });

      it('ignore the late result of an attempt that expired', async () => {
        const made = limiter();
        made.on('failed', (_error: Error, { retryCount }: { retryCount: number }) =>
          retryCount === 0 ? 200 : undefined,
        );
        let attempts = 0;
        const ended = outcome(
          made.schedule({ expiration: 50 }, () => (attempts++ === 0 ? later(100, 'late') : later(10, 'second'))),
        );
        await pass(500);
        expect(await ended).to.equal('value second');
        expect(await made.running()).to.equal(0);
      });

      it('free the slot of a job that never ends', async () => {
        const made = limiter({ maxConcurrent: 1 });
        const first = outcome(made.schedule({ expiration: 50 }, () => new Promise(() => {})));
        const second = outcome(made.schedule(() => 'next'));
        await pass(60);
        expect(await first).to.match(/timed out/);
        expect(await second).to.equal('value next');
      });

      for (const expiration of [2 ** 31, 2 ** 33, Number.POSITIVE_INFINITY]) {
        it(`of ${expiration} ms do not come at once`, async () => {
          const made = limiter();
          const ended = outcome(made.schedule({ expiration }, () => later(1000, 'done')));
          await pass(2000);
          expect(await ended).to.equal('value done');
        });
      }

      it('above what a timer can hold come when they are due', async () => {
        const made = limiter();
        const ended = outcome(made.schedule({ expiration: 2 ** 31 + 500 }, () => new Promise(() => {})));
        let end: string | undefined;
        void ended.then((text) => (end = text));
        await pass(2 ** 31);
        expect(end).to.equal(undefined);
        await pass(501);
        expect(end).to.match(/timed out after 2147484148 ms/);
      });
    });

    describe('stop', () => {
      it('drops what waits, lets what executes end, and refuses what comes', async () => {
        const made = limiter({ maxConcurrent: 1 });
        const first = outcome(made.schedule({ id: 'a' }, () => later(50, 'ended')));
        const second = outcome(made.schedule({ id: 'b' }, () => 'never'));
        await pass(10);
        let stopped = false;
        void made.stop().then(() => (stopped = true));
        await pass(10);
        expect(await second).to.equal('BottleneckError: This limiter has been stopped.');
        expect(stopped).to.equal(false);
        expect(await outcome(made.schedule(() => {}))).to.equal(
          'BottleneckError: This limiter has been stopped and cannot accept new jobs.',
        );
        await pass(50);
        expect(await first).to.equal('value ended');
        expect(stopped).to.equal(true);
        expect(log.filter((line) => line.startsWith('dropped'))).to.deep.equal(['dropped b']);
      });

      it('lets everything run when it is not to drop', async () => {
        const made = limiter({ maxConcurrent: 1, highWater: 1, strategy: Bottleneck.strategy.OVERFLOW });
        const both = [made.schedule(() => later(20, 1)), made.schedule(() => later(20, 2))].map(outcome);
        await pass(1);
        let stopped = false;
        void made.stop({ dropWaitingJobs: false }).then(() => (stopped = true));
        await pass(30);
        expect(stopped).to.equal(false);
        await pass(30);
        expect(stopped).to.equal(true);
        expect(await Promise.all(both)).to.deep.equal(['value 1', 'value 2']);
      });

      it('says what it was told to say, once only', async () => {
        const made = limiter({ maxConcurrent: 1 });
        void made.schedule(() => later(10));
        const waiting = outcome(made.schedule(() => {}));
        await pass(1);
        const stopped = made.stop({ dropErrorMessage: 'gone', enqueueErrorMessage: 'closed' });
        await pass(20);
        await stopped;
        expect(await waiting).to.equal('BottleneckError: gone');
        expect(await outcome(made.schedule(() => {}))).to.equal('BottleneckError: closed');
        expect(await outcome(made.stop())).to.equal('BottleneckError: stop() has already been called');
      });
    });

    it('goes on when the clock is set back a day', async () => {
      const made = limiter({ minTime: 100 });
      const first = outcome(made.schedule(() => 1));
      await pass();
      expect(await first).to.equal('value 1');
      fake.setSystemTime(99 * DAY);
      const second = outcome(made.schedule(() => 2));
      await pass(100);
      expect(await second).to.equal('value 2');
    });

    it('leaves no timer behind when nothing waits or runs', async () => {
      const made = limiter({
        minTime: 1000,
        reservoir: 1,
        reservoirRefreshInterval: 60_000,
        reservoirRefreshAmount: 1,
      });
      void made.schedule({ expiration: 5000 }, () => 1);
      await pass(10);
      expect(fake.countTimers()).to.equal(0);
    });

    it('lets the event loop turn while thousands of plain jobs drain', async () => {
      const made = limiter();
      let ended = 0;
      for (let i = 0; i < 3000; i++) void made.schedule(() => 1).then(() => ended++);
      let turns = 0;
      while (ended < 3000 && turns < 1000) {
        turns++;
        await fake.nextAsync();
      }
      expect(ended).to.equal(3000);
      expect(turns).to.be.at.least(5);
    });
  });
});
