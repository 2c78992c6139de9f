import { AsyncLocalStorage } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { Bottleneck } from '../../lib/bottleneck';

// biome-ignore lint/suspicious/noExplicitAny: the public types are made for the build
type Any = any;

const JOB_EVENTS = ['received', 'queued', 'scheduled', 'executing', 'failed', 'retry', 'done', 'dropped'];

describe('the async context of the caller', () => {
  const storage = new AsyncLocalStorage<string>();

  it('is that of the job, also when another caller made room for it', async () => {
    const limiter: Any = new Bottleneck({ maxConcurrent: 1 });
    const seen: Array<[string, string | undefined]> = [];
    const job = async (name: string) => {
      seen.push([name, storage.getStore()]);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push([name, storage.getStore()]);
    };
    const schedule = (name: string) => storage.run(name, () => limiter.schedule(job, name));
    const outside = limiter.schedule(job, 'outside');
    await Promise.all([schedule('a'), schedule('b'), schedule('c'), outside, limiter.schedule(job, 'outside')]);
    expect(seen).to.have.length(10);
    for (const [name, store] of seen) expect(store, name).to.equal(name === 'outside' ? undefined : name);
  });

  it('is that of the job in every event that is about it', async () => {
    const limiter: Any = new Bottleneck({ maxConcurrent: 1, highWater: 2, minTime: 2 });
    const seen: Array<[string, string, string | undefined]> = [];
    for (const name of JOB_EVENTS) {
      limiter.on(name, (...args: Any[]) => {
        const { options } = args.find((argument) => argument?.options !== undefined);
        seen.push([name, options.id, storage.getStore()]);
        if (name === 'failed' && args[1].retryCount === 0) return 1;
      });
    }
    const tasks: Record<string, () => Promise<unknown>> = {
      a: async () => 1,
      b: async () => Promise.reject(new Error('b fails')),
      c: () => new Promise(() => {}),
      d: async () => 1,
      e: async () => 1,
    };
    const outcomes = Object.entries(tasks).map(([id, task]) =>
      storage.run(id, () => limiter.schedule({ id, expiration: id === 'c' ? 5 : null }, task)),
    );
    await Promise.allSettled(outcomes);
    for (const [event, id, store] of seen) expect(store, `${event} of ${id}`).to.equal(id);
    const names = new Set(seen.map(([name]) => name));
    expect([...names]).to.have.members(JOB_EVENTS);
  });

  it('reaches the callbacks of submit, wrapped functions and chained limiters', async () => {
    const limiter: Any = new Bottleneck({ maxConcurrent: 1 }).chain(new Bottleneck({ maxConcurrent: 1 }) as Any);
    const wrapped = limiter.wrap(async () => storage.getStore());
    const results = ['a', 'b'].map((name) => storage.run(name, wrapped));
    expect(await Promise.all(results)).to.deep.equal(['a', 'b']);
    const told = storage.run(
      'c',
      () =>
        new Promise((resolve) => {
          const fn = (callback: Any) => callback(null, storage.getStore());
          limiter.submit(fn, (_error: unknown, value: unknown) => resolve([value, storage.getStore()]));
        }),
    );
    expect(await told).to.deep.equal(['c', 'c']);
  });

  it('does not depend on the promise class of the limiter', async () => {
    class Plain {
      static resolve = (value: unknown) => new Plain((resolve: Any) => resolve(value));
      private readonly inner: Promise<unknown>;
      constructor(executor: Any) {
        this.inner = new Promise(executor);
      }
      // biome-ignore lint/suspicious/noThenProperty: a promise class of the user's own
      then(...args: [Any, Any]) {
        return this.inner.then(...args);
      }
    }
    const limiter: Any = new Bottleneck({ maxConcurrent: 1, Promise: Plain as Any });
    const results = ['a', 'b'].map((name) => storage.run(name, () => limiter.schedule(async () => storage.getStore())));
    expect(await Promise.all(results)).to.deep.equal(['a', 'b']);
  });

  it('is not lost for jobs that were scheduled before anybody used a storage', () => {
    const program = `
      const { Bottleneck } = require('./lib/bottleneck');
      const limiter = new Bottleneck({ maxConcurrent: 1 });
      const { AsyncLocalStorage } = require('node:async_hooks');
      const storage = new AsyncLocalStorage();
      const job = async (name) => { await null; return [name, storage.getStore()]; };
      const early = ['x', 'y', 'z'].map(() => limiter.schedule(job, undefined));
      const late = storage.run('late', () => limiter.schedule(job, 'late'));
      Promise.all([...early, late]).then((seen) => console.log(JSON.stringify(seen.map(([name, store]) => name === store))));
    `;
    const output = execFileSync(process.execPath, ['--require', 'tsx/cjs', '-e', program], { encoding: 'utf8' });
    expect(JSON.parse(output)).to.deep.equal([true, true, true, true]);
  });
});

describe('traceJobs', () => {
  async function stackOf(limiter: Any, task: () => unknown): Promise<string> {
    const error = await scheduledHere(limiter, task).catch((reason: Error) => reason);
    return (error as Error).stack ?? '';
  }

  /** The line to look for. */
  function scheduledHere(limiter: Any, task: () => unknown): Promise<unknown> {
    return limiter.schedule(task);
  }

  const fail = () => {
    throw new TypeError('broken');
  };

  it('adds to the stack where the job was scheduled', async () => {
    const limiter: Any = new Bottleneck({ traceJobs: true, maxConcurrent: 1 });
    void limiter.schedule(() => new Promise((resolve) => setImmediate(resolve)));
    const stack = await stackOf(limiter, fail);
    expect(stack).to.match(/^TypeError: broken\n {4}at .*fail /);
    expect(stack).to.match(/\n {4}at async .*scheduledHere .*caller-context\.test\.ts:\d+/);
    const later = await stackOf(limiter, async () => {
      await null;
      fail();
    });
    expect(later).to.match(/\n {4}at async .*scheduledHere /);
  });

  it('leaves the error the object that was thrown, once for all retries', async () => {
    const limiter: Any = new Bottleneck({ traceJobs: true });
    limiter.on('failed', (_error: Error, { retryCount }: Any) => (retryCount < 2 ? 0 : undefined));
    const error = new Error('the same each time');
    const caught = await scheduledHere(limiter, () => Promise.reject(error)).catch((reason: Error) => reason);
    expect(caught).to.equal(error);
    expect(error.stack!.match(/scheduledHere/g)).to.have.length(1);
    const frozen = Object.freeze(new Error('frozen'));
    expect(await scheduledHere(limiter, () => Promise.reject(frozen)).catch((reason: Error) => reason)).to.equal(
      frozen,
    );
    expect(await scheduledHere(limiter, () => Promise.reject('text')).catch((reason: unknown) => reason)).to.equal(
      'text',
    );
  });

  it('tells of expired and dropped jobs', async () => {
    const limiter: Any = new Bottleneck({ traceJobs: true, maxConcurrent: 1 });
    const expired = limiter.schedule({ expiration: 1 }, () => new Promise(() => {}));
    const dropped = stackOf(limiter, async () => 1);
    const error: Error = await expired.catch((reason: Error) => reason);
    expect(error.stack).to.match(/timed out[\s\S]*at async Context\.<anonymous> .*caller-context\.test\.ts/);
    expect(await dropped).to.equal('');
    const holding = limiter.schedule(() => new Promise((resolve) => setTimeout(resolve, 5)));
    const waiting = stackOf(limiter, async () => 1);
    await Promise.all([limiter.stop(), holding.catch(() => {})]);
    expect(await waiting).to.match(/has been stopped[\s\S]*scheduledHere/);
  });

  it('is off unless asked for, and can be switched', async () => {
    const limiter: Any = new Bottleneck();
    const byCallerOnly = (stack: string) => !/at async .*Bottleneck\.schedule/.test(stack);
    expect(await stackOf(limiter, fail)).to.satisfy(byCallerOnly);
    await limiter.updateSettings({ traceJobs: true });
    expect(await stackOf(limiter, fail)).to.match(/at async .*Bottleneck\.schedule/);
    expect(() => new Bottleneck({ traceJobs: 'yes' as Any })).to.throw('Invalid traceJobs: expected true or false');
  });
});
