import { expect } from 'chai';
import type { Job } from '../../lib/scheduler/job';
import { ReadyQueue } from '../../lib/scheduler/ready-queue';

/** The queue looks at nothing in a job. */
function job(name: string): Job {
  return { name } as unknown as Job;
}

describe('ReadyQueue', () => {
  it('is empty at first', () => {
    expect(new ReadyQueue().isEmpty).to.equal(true);
  });

  it('gives jobs in the order in which they came, also of those that come meanwhile', () => {
    const queue = new ReadyQueue();
    const [a, b, c] = [job('a'), job('b'), job('c')];
    queue.push(a);
    queue.push(b);
    expect(queue.shift()).to.equal(a);
    queue.push(c);
    expect(queue.shift()).to.equal(b);
    expect(queue.isEmpty).to.equal(false);
    expect(queue.shift()).to.equal(c);
    expect(queue.isEmpty).to.equal(true);
  });

  it('is used again when it has run empty, after few jobs and after many', () => {
    const queue = new ReadyQueue();
    for (const size of [1, 3, 500, 2]) {
      const jobs = Array.from({ length: size }, (_, index) => job(String(index)));
      for (const one of jobs) queue.push(one);
      expect(jobs.map(() => queue.shift())).to.deep.equal(jobs);
      expect(queue.isEmpty).to.equal(true);
    }
  });

  it('gives up a job, wherever it stands, and one that it does not have', () => {
    const queue = new ReadyQueue();
    const [a, b, c, d] = [job('a'), job('b'), job('c'), job('d')];
    for (const one of [a, b, c, d]) queue.push(one);
    queue.shift();
    queue.remove(a);
    queue.remove(c);
    expect(queue.shift()).to.equal(b);
    expect(queue.shift()).to.equal(d);
    expect(queue.isEmpty).to.equal(true);
    queue.remove(d);
    expect(queue.isEmpty).to.equal(true);
  });
});
