import { expect } from 'chai';
import { exponentialBackoff } from '../../../lib/resident/backoff';

describe('exponentialBackoff', () => {
  const waits = (count: number, backoff: ReturnType<typeof exponentialBackoff>): (number | null)[] =>
    Array.from({ length: count }, (_, i) => backoff(i + 1, new Error('x')));

  it('doubles from 1 s to at most 30 s by default', () => {
    expect(waits(8, exponentialBackoff())).to.deep.equal([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('begins, grows and ends as told', () => {
    expect(waits(4, exponentialBackoff({ initialMs: 10, factor: 3, maxMs: 100 }))).to.deep.equal([10, 30, 90, 100]);
    expect(waits(3, exponentialBackoff({ initialMs: 50, factor: 1 }))).to.deep.equal([50, 50, 50]);
  });

  it('takes a random part off', () => {
    const jitter = 0.5;
    expect(exponentialBackoff({ jitter }, () => 0)(1, null)).to.equal(1000);
    expect(exponentialBackoff({ jitter }, () => 1)(1, null)).to.equal(500);
    for (const wait of waits(50, exponentialBackoff({ jitter: 1, factor: 1 }))) expect(wait).to.be.within(0, 1000);
  });
});
