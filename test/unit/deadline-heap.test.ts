import { expect } from 'chai';
import { type Deadline, DeadlineHeap } from '../../lib/deadline-heap';
import { Random } from '../model/random';

interface Named extends Deadline {
  name: number;
}

function drained(heap: DeadlineHeap<Named>): number[] {
  const names: number[] = [];
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) names.push(next.name);
  return names;
}

function filled(times: number[]): DeadlineHeap<Named> {
  const heap = new DeadlineHeap<Named>();
  for (const [name, at] of times.entries()) heap.push({ at, order: 0, name });
  return heap;
}

describe('DeadlineHeap', () => {
  it('is empty at first', () => {
    const heap = new DeadlineHeap<Named>();
    expect([heap.size, heap.peek(), heap.pop()]).to.deep.equal([0, undefined, undefined]);
  });

  it('gives the earliest first, and those of one time in their order', () => {
    expect(drained(filled([30, 10, 20, 10, 30, 10]))).to.deep.equal([1, 3, 5, 2, 0, 4]);
  });

  it('shows the earliest without taking it', () => {
    const heap = filled([2, 1]);
    expect(heap.peek()?.name).to.equal(1);
    expect(heap.size).to.equal(2);
  });

  it('drops what is not to be kept, and keeps the order of the rest', () => {
    const heap = filled([5, 3, 4, 3, 1, 5, 2]);
    heap.filter(({ name }) => name !== 4 && name !== 1);
    heap.push({ at: 3, order: 0, name: 99 });
    expect(drained(heap)).to.deep.equal([6, 3, 99, 2, 0, 5]);
  });

  it('takes times that never come', () => {
    expect(drained(filled([Number.POSITIVE_INFINITY, 1, Number.POSITIVE_INFINITY]))).to.deep.equal([1, 0, 2]);
  });

  it('does what a stable sort does', () => {
    const random = new Random(11);
    for (let round = 0; round < 50; round++) {
      const times = random.list(0, 80, () => random.int(0, 20));
      const sorted = times.map((at, name) => ({ at, name })).sort((a, b) => a.at - b.at);
      expect(drained(filled(times))).to.deep.equal(sorted.map(({ name }) => name));
    }
  });
});
