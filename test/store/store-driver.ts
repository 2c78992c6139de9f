import {
  type Effect,
  type Notice,
  type Outcome,
  Place,
  type Step,
  type Store,
  type StoreSettings,
  type Ticket,
} from '../../lib/store/store';
import { eventually } from '../support/eventually';

export const UNLIMITED: StoreSettings = {
  maxConcurrent: null,
  minTime: 0,
  highWater: null,
  strategy: 1,
  penalty: null,
  reservoir: null,
  reservoirRefreshInterval: null,
  reservoirRefreshAmount: null,
  reservoirIncreaseInterval: null,
  reservoirIncreaseAmount: null,
  reservoirIncreaseMaximum: null,
  dispatch: 'default',
  windowMax: null,
  windowDuration: null,
  bucketCapacity: null,
  bucketRefillPerSecond: null,
};

export class TestTicket implements Ticket {
  seq = 0;
  next: Ticket | null = null;
  prev: Ticket | null = null;
  place = Place.Outside;
  queuedAt = 0;
  /** As if its function were called when it starts. */
  begun = true;
  readonly details = null;
  readonly priority: number;
  readonly weight: number;
  readonly expiration: number | null;
  delay: number;

  constructor(
    readonly name: string,
    {
      priority = 5,
      weight = 1,
      expiration = null,
      delay = 0,
    }: Partial<Pick<Ticket, 'priority' | 'weight' | 'expiration' | 'delay'>> = {},
  ) {
    this.priority = priority;
    this.weight = weight;
    this.expiration = expiration;
    this.delay = delay;
  }
}

/** One line for an effect, such as `started a` or `dropped b shed`. */
export function inWords(effect: Effect): string {
  const name = (effect.ticket as TestTicket).name;
  switch (effect.kind) {
    case 'queued':
      return effect.reachedHighWater ? `queued ${name} full` : `queued ${name}`;
    case 'dropped':
      return `dropped ${name} ${effect.reason}`;
    case 'overweight':
      return `overweight ${name} ${effect.maxConcurrent}`;
    case 'completed':
      return `completed ${name} ${effect.running}`;
    default:
      return `${effect.kind} ${name}`;
  }
}

const NOTHING: Step = { submitted: [], completed: [], withdrawn: [], renewed: [] };

/**
 * What a scheduler is to a store, without jobs: one step at a time, a step when the store says that there may be
 * capacity, and one when time alone may have brought it.
 */
export class StoreDriver {
  /** All that happened to tickets of this client, by replies and notices, in the order in which it was told. */
  readonly effects: Effect[] = [];
  readonly messages: string[] = [];
  readonly errors: unknown[] = [];
  readonly others: Notice[] = [];
  closed = false;
  private queue: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private ended = false;

  constructor(readonly store: Store) {
    store.onNotice = (notice) => this.onNotice(notice);
  }

  get words(): string[] {
    return this.effects.map(inWords);
  }

  /** Takes a step, after those that were asked for before. */
  step(news: Partial<Step> = {}): Promise<Outcome> {
    const taken = this.queue.then(async () => {
      const outcome = await this.store.advance({ ...copy(NOTHING), ...news });
      this.effects.push(...outcome.effects);
      this.stepIn(outcome.nextIn);
      return outcome;
    });
    this.queue = taken.catch(() => {});
    return taken;
  }

  submit(...submitted: TestTicket[]): Promise<Outcome> {
    return this.step({ submitted });
  }

  complete(...completed: TestTicket[]): Promise<Outcome> {
    return this.step({ completed });
  }

  has(words: string): boolean {
    return this.words.includes(words);
  }

  /** Waits until it was told. */
  async told(words: string, within = 4000): Promise<void> {
    await eventually(() => this.has(words), { that: `"${words}" (told so far: ${this.words.join(', ')})`, within });
  }

  startsOf(...tickets: TestTicket[]): Array<Extract<Effect, { kind: 'started' }>> {
    return this.effects.filter(
      (effect): effect is Extract<Effect, { kind: 'started' }> =>
        effect.kind === 'started' && (tickets.length === 0 || tickets.includes(effect.ticket as TestTicket)),
    );
  }

  async end(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    await this.store.disconnect(true);
  }

  private onNotice(notice: Notice): void {
    switch (notice.kind) {
      case 'effects':
        this.effects.push(...notice.effects);
        return;
      case 'capacity':
        return this.poke();
      case 'message':
        this.messages.push(notice.message);
        return;
      case 'error':
        this.errors.push(notice.error);
        return;
      case 'closed':
        this.closed = true;
        return;
      default:
        this.others.push(notice);
    }
  }

  private poke(): void {
    if (this.ended) return;
    this.step().catch(() => {}); // disconnected meanwhile
  }

  private stepIn(wait: number | null): void {
    clearTimeout(this.timer);
    if (wait !== null && !this.ended)
      this.timer = setTimeout(() => this.poke(), Math.min(Math.ceil(wait), 2 ** 31 - 1));
  }
}

function copy(step: Step): Step {
  return {
    submitted: [...step.submitted],
    completed: [...step.completed],
    withdrawn: [...step.withdrawn],
    renewed: [...step.renewed],
  };
}

/** Tickets a, b, c and so on with the same options. */
export function tickets(names: string, options?: ConstructorParameters<typeof TestTicket>[1]): TestTicket[] {
  return [...names].map((name) => new TestTicket(name, options));
}
