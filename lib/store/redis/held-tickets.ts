import { Place, type Ticket, type TicketDetails } from '../store';

/** What a client knows of a ticket that it has in Redis: enough to put it back where it was. */
export interface Held {
  ticket: Ticket;
  seq: number;
  started: boolean;
  /** Its place in the queue, as the script gave it; empty while unknown. */
  arrival: string;
  /** When a delayed ticket is due, by `Date.now()`; null for others. */
  dueAt: number | null;
  /** When a started ticket was to begin, by `Date.now()`. */
  beginsAt: number;
  /** When a started ticket expires, by `Date.now()`; null for never. */
  expiresAt: number | null;
}

/** The tickets that a client has in Redis, by their number, and their totals. */
export class HeldTickets {
  /** Tickets in the queue, as far as known; a delayed one counts as delayed until it starts. */
  queued = 0;
  delayed = 0;
  /** Weight running, and how many of those tickets expire by themselves. */
  running = 0;
  expiring = 0;
  private readonly bySeq = new Map<number, Held>();
  private lastSeq = 0;
  /** When the last of those that ended had begun. */
  private lastEnded = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.bySeq.size;
  }

  add(ticket: Ticket): Held {
    const seq = ++this.lastSeq;
    const dueAt = ticket.delay > 0 ? Date.now() + ticket.delay : (ticket.details?.dueAt ?? null);
    const held: Held = { ticket, seq, started: false, arrival: '', dueAt, beginsAt: 0, expiresAt: null };
    ticket.seq = seq;
    ticket.place = Place.Queued;
    if (dueAt === null) this.queued++;
    else this.delayed++;
    this.bySeq.set(seq, held);
    return held;
  }

  get(seq: number): Held | undefined {
    return this.bySeq.get(seq);
  }

  /** The ticket has its slot, for `wait` ms more before it may execute. */
  start(held: Held, wait: number): void {
    this.leaveQueue(held);
    const { ticket } = held;
    ticket.place = Place.Started;
    held.started = true;
    this.running += ticket.weight;
    held.beginsAt = Date.now() + wait;
    if (ticket.expiration === null || ticket.expiration === Number.POSITIVE_INFINITY) return;
    held.expiresAt = Date.now() + wait + ticket.expiration;
    this.expiring++;
  }

  /** The ticket waits again. It had been started before all that wait now at its priority: it comes before them. */
  returnToQueue(held: Held): void {
    this.running = Math.max(0, this.running - held.ticket.weight);
    if (held.expiresAt !== null) this.expiring--;
    held.expiresAt = null;
    held.started = false;
    held.ticket.place = Place.Queued;
    this.queued++;
    held.arrival = arrivalOf(held);
  }

  /** Redis has put the ticket aside, and by its clock it is due in `delay` ms. */
  delayUntilDue(held: Held, delay: number): void {
    if (held.dueAt === null) return;
    held.dueAt = Date.now() + delay;
    held.ticket.delay = delay;
  }

  remove(held: Held): void {
    if (!this.bySeq.delete(held.seq)) return;
    if (held.started) {
      this.running = Math.max(0, this.running - held.ticket.weight);
      if (held.expiresAt !== null) this.expiring--;
      this.lastEnded = Math.max(this.lastEnded, held.beginsAt);
    } else this.leaveQueue(held);
    if (held.ticket.seq === held.seq) held.ticket.place = Place.Outside;
  }

  /** When the last job began, by `Date.now()`; -Infinity for none. */
  get lastStart(): number {
    let last = this.lastEnded;
    for (const held of this) if (held.started && held.ticket.begun) last = Math.max(last, held.beginsAt);
    return last;
  }

  [Symbol.iterator](): Iterator<Held> {
    return this.bySeq.values();
  }

  private leaveQueue(held: Held): void {
    if (held.dueAt === null) this.queued--;
    else this.delayed--;
    held.dueAt = null;
  }
}

/** Where a ticket belongs in the queue; one that never was in it comes early, since all that came before it have started. */
export function arrivalOf({ arrival, started, seq }: Held): string {
  return arrival === '' && started ? String(seq) : arrival;
}

/** A submission as advance.lua takes it: the priority alone, or with what is not the default. */
export function packed(ticket: Ticket): string {
  const { details } = ticket;
  if (details === null && ticket.weight === 1 && ticket.expiration === null && ticket.delay === 0)
    return String(ticket.priority);
  const delay = details?.dueAt != null ? `@${details.dueAt}` : ticket.delay > 0 ? ticket.delay : '';
  const name = details === null ? '' : `:${detailsText(details)}`;
  return `${ticket.priority}:${weightText(ticket)}:${expirationText(ticket)}:${delay}${name}`;
}

type Numbered = Pick<Held, 'seq' | 'ticket'>;

/** Completions as advance.lua takes them: of weight 1, those numbered in a row are one text; others stand alone. */
export function completionTexts(completed: readonly Numbered[]): string[] {
  const ones = completed.filter(({ ticket }) => ticket.weight === 1).map(({ seq }) => seq);
  const texts = runTexts(ones.sort((a, b) => a - b));
  if (ones.length === completed.length) return texts;
  for (const { seq, ticket } of completed) if (ticket.weight !== 1) texts.push(`${seqText(seq)}:`);
  return texts;
}

function runTexts(seqs: readonly number[]): string[] {
  const texts: string[] = [];
  for (let i = 0, next = 0; i < seqs.length; i = next) {
    next = i + 1;
    while (next < seqs.length && seqs[next] === seqs[next - 1]! + 1) next++;
    texts.push(runText(seqs[i]!, next - i));
  }
  return texts;
}

/** Submissions as advance.lua takes them, two texts for each: numbers in a row, and what all of these tickets are. */
export function submissionTexts(submitted: readonly Numbered[]): string[] {
  const texts: string[] = [];
  let first = 0;
  let count = 0;
  let text = '';
  for (const { seq, ticket } of submitted) {
    const own = packed(ticket);
    if (count > 0 && own === text && seq === first + count && ticket.details === null) {
      count++;
      continue;
    }
    if (count > 0) texts.push(runText(first, count), text);
    first = seq;
    count = 1;
    text = own;
  }
  if (count > 0) texts.push(runText(first, count), text);
  return texts;
}

function runText(first: number, count: number): string {
  return count === 1 ? seqText(first) : `${seqText(first)}+${count}`;
}

/** What reconcile.lua needs to find the job again; empty for one without details. */
export function nameText(ticket: Ticket): string {
  if (ticket.details === null) return '';
  return `${ticket.priority}:${weightText(ticket)}:${expirationText(ticket)}:${detailsText(ticket.details)}`;
}

/** See lua/include/jobs.lua. */
function detailsText({ id, attempt, data }: TicketDetails): string {
  return `${attempt}:${Buffer.byteLength(id)}:${id}${data ?? ''}`;
}

/**
 * The number of a ticket as it stands in texts, in base 36: with a client's id of nine characters, members of the queue
 * have 14 at most up to the 1,679,616th ticket. From 15 on each takes 16 bytes more of Redis.
 */
export function seqText(seq: number): string {
  return seq.toString(36);
}

/** The member of the queue that stands for a ticket; see lua/include/tickets.lua. */
export function ticketText(clientId: string, { ticket, seq }: Held): string {
  const weight = weightText(ticket);
  const expiration = expirationText(ticket);
  const name = `${clientId}:${seqText(seq)}`;
  return weight === '' && expiration === '' ? name : `${name}:${weight}:${expiration}`;
}

function weightText({ weight }: Ticket): string {
  return weight === 1 ? '' : String(weight);
}

function expirationText({ expiration }: Ticket): string {
  return expiration === null || !Number.isFinite(expiration) ? '' : String(expiration);
}
