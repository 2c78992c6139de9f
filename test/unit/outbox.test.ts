import { expect } from 'chai';
import { Outbox } from '../../lib/scheduler/outbox';
import type { Ticket } from '../../lib/store/store';

function ticket(seq: number): Ticket {
  return { seq } as Ticket;
}

describe('Outbox', () => {
  it('keeps what comes while a step is in flight for the next one, also if the step was empty', () => {
    const outbox = new Outbox();
    const inFlight = outbox.take(10);
    outbox.submit(ticket(1));
    outbox.complete(ticket(2));
    outbox.withdrawn.push(ticket(3));
    outbox.renewed.push({ ticket: ticket(4), expiresIn: 5 });
    expect(inFlight).to.deep.equal({ submitted: [], completed: [], withdrawn: [], renewed: [] });
    expect(outbox.take(10)).to.deep.equal({
      submitted: [ticket(1)],
      completed: [ticket(2)],
      withdrawn: [ticket(3)],
      renewed: [{ ticket: ticket(4), expiresIn: 5 }],
    });
  });
});
