import { expect } from 'chai';
import { TicketQueue } from '../../lib/store/memory/ticket-queue';
import { Place } from '../../lib/store/store';
import { Random } from '../model/random';
import { TestTicket } from '../store/store-driver';

function names(queue: TicketQueue): string[] {
  return [...queue].map((ticket) => (ticket as TestTicket).name);
}

function filled(...entries: Array<[name: string, priority: number]>): [TicketQueue, Map<string, TestTicket>] {
  const queue = new TicketQueue();
  const byName = new Map(entries.map(([name, priority]) => [name, new TestTicket(name, { priority })]));
  for (const ticket of byName.values()) queue.push(ticket);
  return [queue, byName];
}

describe('TicketQueue', () => {
  it('is empty at first', () => {
    const queue = new TicketQueue();
    expect(queue.length).to.equal(0);
    expect(queue.peek()).to.equal(null);
    expect(queue.leastImportant(0)).to.equal(null);
    expect(names(queue)).to.deep.equal([]);
  });

  it('keeps the most important first, and equals in their order', () => {
    const [queue, byName] = filled(['a', 5], ['b', 0], ['c', 99], ['d', 5], ['e', 0]);
    expect(names(queue)).to.deep.equal(['b', 'e', 'a', 'd', 'c']);
    expect(queue.peek()).to.equal(byName.get('b'));
    expect([queue.length, queue.lengthOf(5), queue.lengthOf(7)]).to.deep.equal([5, 2, 0]);
  });

  it('marks where a ticket stands', () => {
    const [queue, byName] = filled(['a', 5]);
    const a = byName.get('a')!;
    expect(a.place).to.equal(Place.Queued);
    queue.remove(a);
    expect(a).to.include({ place: Place.Outside, next: null, prev: null });
  });

  it('takes tickets out of the front, the middle and the end', () => {
    for (const out of ['a', 'b', 'c']) {
      const [queue, byName] = filled(['a', 5], ['b', 5], ['c', 5]);
      queue.remove(byName.get(out)!);
      expect(names(queue)).to.deep.equal(['a', 'b', 'c'].filter((name) => name !== out));
      queue.push(byName.get(out)!);
      expect(names(queue).at(-1)).to.equal(out);
    }
  });

  it('finds the oldest of the least important, down to a priority', () => {
    const [queue, byName] = filled(['a', 3], ['b', 7], ['c', 7]);
    expect(queue.leastImportant(0)).to.equal(byName.get('b'));
    expect(queue.leastImportant(7)).to.equal(byName.get('b'));
    expect(queue.leastImportant(8)).to.equal(null);
    queue.remove(byName.get('b')!);
    queue.remove(byName.get('c')!);
    expect(queue.leastImportant(3)).to.equal(byName.get('a'));
    expect(queue.leastImportant(4)).to.equal(null);
  });

  it('does what a sorted list does', () => {
    const random = new Random(7);
    const queue = new TicketQueue();
    let list: TestTicket[] = [];
    for (let i = 0; i < 3000; i++) {
      if (list.length > 0 && random.chance(0.45)) {
        const out = random.chance(0.5) ? (queue.peek() as TestTicket) : random.pick(list);
        queue.remove(out);
        list = list.filter((ticket) => ticket !== out);
      } else {
        const ticket = new TestTicket(String(i), { priority: random.int(0, 9) });
        queue.push(ticket);
        list.push(ticket);
      }
      const sorted = [...list].sort((a, b) => a.priority - b.priority);
      expect(queue.peek()).to.equal(sorted[0] ?? null);
      expect(queue.length).to.equal(list.length);
    }
    expect([...queue]).to.deep.equal([...list].sort((a, b) => a.priority - b.priority));
  });
});
