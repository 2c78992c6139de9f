import { expect } from 'chai';
import { loadBench } from './load';

/** A Redis that does what the script of a bare queue does. */
class FakeRedis {
  calls: { ended: number; added: number; started: number }[] = [];
  private queue: string[] = [];
  private running = 0;

  async script(): Promise<string> {
    return 'sha';
  }

  async evalsha(
    _sha: string,
    _keys: number,
    _queue: string,
    _running: string,
    limit: number,
    ended: number,
    ...added: number[]
  ) {
    this.running -= ended;
    for (let i = 0; i < added.length; i += 2) this.queue.push(String(added[i]));
    const started = this.queue.splice(0, limit < 0 ? this.queue.length : limit - this.running);
    this.running += started.length;
    this.calls.push({ ended, added: added.length / 2, started: started.length });
    return started;
  }

  async get(): Promise<string> {
    return String(this.running);
  }
}

async function runAll(count: number, maxConcurrent?: number) {
  const { BareQueue } = await loadBench('adapters/bare-queue.mjs');
  const { JobLedger } = await loadBench('harness/checks.mjs');
  const redis = new FakeRedis();
  const queue = await BareQueue.open(redis, 'x', maxConcurrent);
  const ledger = new JobLedger(count, maxConcurrent);
  const results = await Promise.all(ledger.jobs().map((job: () => Promise<number>) => queue.schedule(job)));
  ledger.verify();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(results).to.deep.equal(Array.from({ length: count }, (_, index) => index));
  expect(await queue.running()).to.equal(0);
  return redis.calls;
}

describe('bench/adapters/bare-queue.mjs', () => {
  it('runs each job once, the first alone and the others in batches of 500', async () => {
    const calls = await runAll(1200);
    expect(calls.map(({ added }) => added)).to.deep.equal([1, 500, 500, 199, 0]);
  });

  it('never runs more than it may, and tells of ended jobs together', async () => {
    const calls = await runAll(1000, 100);
    expect(calls.slice(-2)).to.deep.equal([
      { ended: 100, added: 0, started: 100 },
      { ended: 100, added: 0, started: 0 },
    ]);
    expect(calls.length).to.be.below(16);
  });
});
