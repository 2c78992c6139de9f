import type { Step, Ticket } from '../store/store';

/** Every list that has nothing in it: most steps of a busy limiter have three. Never added to. */
const NONE: never[] = [];

/** News for the store that gathers while a step is in flight, and goes with the next one. */
export class Outbox {
  /** What `complete` was told. */
  completed: Ticket[] = NONE;
  withdrawn: Ticket[] = [];
  renewed: Step['renewed'] = [];
  /** A step is due even when there is no news. */
  poked = false;
  private submitted: Ticket[] = NONE;
  /** Submissions before this one have been taken. */
  private taken = 0;

  get isEmpty(): boolean {
    return (
      !this.poked &&
      this.submissions === 0 &&
      this.completed.length === 0 &&
      this.withdrawn.length === 0 &&
      this.renewed.length === 0
    );
  }

  /** Tickets to be submitted. */
  get submissions(): number {
    return this.submitted.length - this.taken;
  }

  submit(ticket: Ticket): void {
    this.submitted = withOneMore(this.submitted, ticket);
  }

  complete(ticket: Ticket): void {
    this.completed = withOneMore(this.completed, ticket);
  }

  keepSubmitted(keep: (ticket: Ticket) => boolean): void {
    this.submitted = this.submitted.slice(this.taken).filter(keep);
    this.taken = 0;
  }

  /** The next step: everything that ends something, and at most `limit` submissions. */
  take(limit: number): Step {
    // What comes while the step is in flight must not end up in it: it gets the lists, or none where they are empty.
    const { completed, withdrawn, renewed } = this;
    this.completed = NONE;
    if (withdrawn.length > 0) this.withdrawn = [];
    if (renewed.length > 0) this.renewed = [];
    this.poked = false;
    return {
      submitted: this.takeSubmitted(limit),
      completed,
      withdrawn: withdrawn.length > 0 ? withdrawn : NONE,
      renewed: renewed.length > 0 ? renewed : NONE,
    };
  }

  private takeSubmitted(limit: number): Ticket[] {
    const { submitted, taken } = this;
    if (submitted.length === 0) return NONE;
    if (this.submissions > limit) {
      this.taken += limit;
      return submitted.slice(taken, taken + limit);
    }
    this.submitted = NONE;
    this.taken = 0;
    return taken === 0 ? submitted : submitted.slice(taken);
  }
}

/** Mostly there is one entry. A list that begins with it has room for it alone; one that grows gets room for many. */
function withOneMore(list: Ticket[], ticket: Ticket): Ticket[] {
  if (list.length === 0) return [ticket];
  list.push(ticket);
  return list;
}
