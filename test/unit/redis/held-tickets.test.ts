import FakeTimers, { type Clock } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import {
  completionTexts,
  HeldTickets,
  packed,
  submissionTexts,
  ticketText,
} from '../../../lib/store/redis/held-tickets';
import { Place } from '../../../lib/store/store';
import { TestTicket } from '../../store/store-driver';

describe('HeldTickets', () => {
  let fake: Clock;
  let held: HeldTickets;

  beforeEach(() => {
    fake = FakeTimers.install({ now: 5000 });
    held = new HeldTickets();
  });

  afterEach(() => fake.uninstall());

  function totals(): [size: number, queued: number, delayed: number, running: number, expiring: number] {
    return [held.size, held.queued, held.delayed, held.running, held.expiring];
  }

  it('numbers tickets, and marks them as queued', () => {
    const [a, b] = [new TestTicket('a'), new TestTicket('b')];
    expect([held.add(a).seq, held.add(b).seq]).to.deep.equal([1, 2]);
    expect(a).to.include({ seq: 1, place: Place.Queued });
    expect(held.get(2)?.ticket).to.equal(b);
    expect([...held].map(({ ticket }) => ticket)).to.deep.equal([a, b]);
    expect(totals()).to.deep.equal([2, 2, 0, 0, 0]);
  });

  it('follows a ticket from the queue to its end', () => {
    const a = new TestTicket('a', { weight: 3, expiration: 100 });
    const one = held.add(a);
    held.start(one, 20);
    expect(a.place).to.equal(Place.Started);
    expect(one).to.include({ started: true, expiresAt: 5120 });
    expect(totals()).to.deep.equal([1, 0, 0, 3, 1]);
    held.remove(one);
    held.remove(one);
    expect(a.place).to.equal(Place.Outside);
    expect(totals()).to.deep.equal([0, 0, 0, 0, 0]);
  });

  it('counts a delayed ticket apart until it starts', () => {
    const one = held.add(new TestTicket('a', { delay: 50 }));
    expect(one.dueAt).to.equal(5050);
    expect(totals()).to.deep.equal([1, 0, 1, 0, 0]);
    held.start(one, 0);
    expect(one.dueAt).to.equal(null);
    expect(totals()).to.deep.equal([1, 0, 0, 1, 0]);
  });

  it('takes a delayed ticket back', () => {
    held.remove(held.add(new TestTicket('a', { delay: 50 })));
    expect(totals()).to.deep.equal([0, 0, 0, 0, 0]);
  });

  it('knows no end for a ticket that never expires', () => {
    const endless = held.add(new TestTicket('a', { expiration: Number.POSITIVE_INFINITY }));
    held.start(endless, 0);
    expect(endless.expiresAt).to.equal(null);
    expect(totals()).to.deep.equal([1, 0, 0, 1, 0]);
  });

  it('gives a ticket that is submitted again a new number, and leaves it there when the old one goes', () => {
    const a = new TestTicket('a');
    const first = held.add(a);
    held.start(first, 0);
    const second = held.add(a);
    held.remove(first);
    expect(a).to.include({ seq: second.seq, place: Place.Queued });
    expect(totals()).to.deep.equal([1, 1, 0, 0, 0]);
  });
});

describe('texts for scripts', () => {
  const rows: Array<[reason: string, ticket: TestTicket, packed: string, text: string]> = [
    ['defaults take no room', new TestTicket('a'), '5', 'c.0:0'],
    ['another priority', new TestTicket('a', { priority: 0 }), '0', 'c.0:0'],
    ['a weight', new TestTicket('a', { weight: 2.5 }), '5:2.5::', 'c.0:0:2.5:'],
    ['a weight of 0', new TestTicket('a', { weight: 0 }), '5:0::', 'c.0:0:0:'],
    ['an expiration', new TestTicket('a', { expiration: 100 }), '5::100:', 'c.0:0::100'],
    ['an expiration that never comes', new TestTicket('a', { expiration: Number.POSITIVE_INFINITY }), '5:::', 'c.0:0'],
    ['a delay, which is no part of the queued ticket', new TestTicket('a', { delay: 30 }), '5:::30', 'c.0:0'],
    ['everything', new TestTicket('a', { priority: 9, weight: 3, expiration: 0, delay: 1 }), '9:3:0:1', 'c.0:0:3:0'],
  ];
  for (const [reason, ticket, wanted, text] of rows) {
    it(reason, () => {
      expect(packed(ticket)).to.equal(wanted);
      const held = { ticket, seq: 0, started: false, arrival: '', dueAt: null, beginsAt: 0, expiresAt: null };
      expect(ticketText('c.0', held)).to.equal(text);
    });
  }

  function numbered(...tickets: Array<[seq: number, options?: object]>) {
    return tickets.map(([seq, options]) => ({ seq, ticket: new TestTicket('a', options) }));
  }

  it('what is completed stands in rows of numbers, and what has another weight alone', () => {
    const completed = numbered(
      [12, {}],
      [1, {}],
      [2, { expiration: 5 }],
      [3, {}],
      [4, { weight: 2 }],
      [5, {}],
      [36, {}],
    );
    expect(completionTexts(completed)).to.deep.equal(['1+3', '5', 'c', '10', '4:']);
    expect(completionTexts([])).to.deep.equal([]);
  });

  it('what is submitted stands in rows of what is alike', () => {
    const rows = numbered([9, {}], [10, {}], [11, {}], [12, { priority: 1 }], [13, { weight: 2 }], [14, { weight: 2 }]);
    expect(submissionTexts(rows)).to.deep.equal(['9+3', '5', 'c', '1', 'd+2', '5:2::']);
    expect(submissionTexts([])).to.deep.equal([]);
  });

  it('every job with a name stands alone', () => {
    const details = { id: 'x', attempt: 0, dueAt: null, data: null };
    const rows = numbered([1], [2]).map(({ seq, ticket }) => ({ seq, ticket: Object.assign(ticket, { details }) }));
    expect(submissionTexts(rows)).to.deep.equal(['1', '5::::0:1:x', '2', '5::::0:1:x']);
  });

  it('a job with a name carries its attempt, its id by length, and its data', () => {
    const details = { id: 'é:1', attempt: 2, dueAt: null, data: '{"x":1}' };
    const ticket = Object.assign(new TestTicket('a', { delay: 7 }), { details });
    expect(packed(ticket)).to.equal('5:::7:2:4:é:1{"x":1}');
    details.dueAt = 1234 as never;
    expect(packed(ticket)).to.equal('5:::@1234:2:4:é:1{"x":1}');
  });
});
