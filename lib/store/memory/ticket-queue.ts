import { Place, type Ticket } from '../store';

/**
 * The in-process queue: one first-in-first-out list per priority, so that every operation is O(1) in the number of
 * waiting tickets. Lists are linked through the tickets themselves (`next`, `prev`): no array to grow or shift, and a
 * ticket can be taken out of the middle at once.
 */
export class TicketQueue {
  length = 0;
  private readonly lists: Array<TicketList | undefined> = [];

  push(ticket: Ticket): void {
    let list = this.lists[ticket.priority];
    if (list === undefined) {
      list = new TicketList();
      this.lists[ticket.priority] = list;
    }
    list.push(ticket);
    ticket.place = Place.Queued;
    this.length++;
  }

  /** The next ticket to start: the oldest of the most important. */
  peek(): Ticket | null {
    if (this.length === 0) return null;
    for (const list of this.lists) if (list !== undefined && list.head !== null) return list.head;
    return null;
  }

  remove(ticket: Ticket): void {
    this.lists[ticket.priority]!.remove(ticket);
    ticket.place = Place.Outside;
    this.length--;
  }

  /** The ticket to shed first, the oldest of the least important, unless all are more important than `priority`. */
  leastImportant(priority: number): Ticket | null {
    for (let p = this.lists.length - 1; p >= priority; p--) {
      const head = this.lists[p]?.head;
      if (head) return head;
    }
    return null;
  }

  lengthOf(priority: number): number {
    return this.lists[priority]?.length ?? 0;
  }

  /** All tickets in the order in which they would start. */
  *[Symbol.iterator](): Generator<Ticket> {
    for (const list of this.lists) {
      for (let ticket = list?.head ?? null; ticket !== null; ticket = ticket.next) yield ticket;
    }
  }
}

class TicketList {
  head: Ticket | null = null;
  private tail: Ticket | null = null;
  length = 0;

  push(ticket: Ticket): void {
    ticket.prev = this.tail;
    ticket.next = null;
    if (this.tail === null) this.head = ticket;
    else this.tail.next = ticket;
    this.tail = ticket;
    this.length++;
  }

  remove(ticket: Ticket): void {
    if (ticket.prev === null) this.head = ticket.next;
    else ticket.prev.next = ticket.next;
    if (ticket.next === null) this.tail = ticket.prev;
    else ticket.next.prev = ticket.prev;
    ticket.next = null;
    ticket.prev = null;
    this.length--;
  }
}
