import type { MonotonicClock } from '../../clock';
import {
  type Notice,
  type Outcome,
  Place,
  type QueueSnapshot,
  type Step,
  type Store,
  type StoreSettings,
  type StoreSnapshot,
  type Ticket,
  type TicketPlace,
} from '../store';
import {
  advance,
  applySettings,
  createState,
  incrementReservoir,
  type LimiterState,
  startsAtOnce,
  tick,
} from './transitions';

/** Keeps a limiter in this process: the transitions, a clock, and nothing else. Answers at once. */
export class MemoryStore implements Store {
  readonly synchronous = true;
  readonly mayBegin = true;
  readonly maxBatch = 512;
  readonly ready: PromiseLike<Record<string, unknown>>;
  onNotice: (notice: Notice) => void = () => {};

  private readonly state: LimiterState;

  /** `timeout`: ms of idleness after which a Group may let go of the limiter, or null for never. */
  constructor(
    readonly clientId: string,
    settings: StoreSettings,
    private readonly timeout: number | null,
    ready: PromiseLike<Record<string, unknown>>,
    private readonly clock: MonotonicClock,
    createdAt: number,
  ) {
    this.ready = ready;
    this.state = createState(settings, createdAt);
  }

  advance(step: Step): Outcome {
    return advance(this.state, this.clock.now(), step);
  }

  async confirm(): Promise<void> {}

  get currentSettings(): StoreSettings {
    return this.state.settings;
  }

  async running(): Promise<number> {
    return this.state.running;
  }

  async done(): Promise<number> {
    return this.state.done;
  }

  async queued(): Promise<number> {
    return this.state.queue.length;
  }

  async check(weight: number): Promise<boolean> {
    return startsAtOnce(this.ticked(), this.clock.now(), weight);
  }

  async reservoir(): Promise<number | null> {
    return this.ticked().reservoir;
  }

  async incrementReservoir(by: number): Promise<number> {
    const reservoir = incrementReservoir(this.ticked(), by);
    this.onNotice({ kind: 'capacity' });
    return reservoir;
  }

  async updateSettings(patch: Partial<StoreSettings>): Promise<void> {
    applySettings(this.state, this.clock.now(), patch);
    this.onNotice({ kind: 'capacity' });
  }

  async inspect(): Promise<StoreSnapshot> {
    const state = this.ticked();
    return {
      now: this.clock.now(),
      settings: { ...state.settings },
      running: state.running,
      done: state.done,
      queued: state.queue.length,
      delayed: state.delayed?.size ?? 0,
      reservoir: state.reservoir,
      nextRequest: state.nextRequest,
      unblockTime: state.unblockTime,
      lastReservoirRefresh: state.lastReservoirRefresh,
      lastReservoirIncrease: state.lastReservoirIncrease,
    };
  }

  async inspectQueue(ticket: Ticket | null): Promise<QueueSnapshot> {
    const snapshot = await this.inspect();
    const { state } = this;
    const head = state.queue.peek();
    return {
      ...snapshot,
      bucketTokens: state.bucketTokens,
      windowStarts: [...state.windowStarts],
      head: head === null ? null : { ticket: head, weight: head.weight, priority: head.priority },
      asked: ticket === null ? null : this.placeOf(ticket),
      yields: false,
    };
  }

  private placeOf(ticket: Ticket): TicketPlace | null {
    const { queue, delayed, createdAt } = this.state;
    if (ticket.place === Place.Delayed) {
      const dueAt = delayed?.find((one) => one.ticket === ticket)?.at ?? null;
      return { where: 'delayed', ahead: 0, weightsAhead: [], since: null, dueAt };
    }
    if (ticket.place !== Place.Queued) return null;
    const weightsAhead: number[] = [];
    for (const other of queue) {
      if (other === ticket) break;
      weightsAhead.push(other.weight);
    }
    return {
      where: 'queue',
      ahead: weightsAhead.length,
      weightsAhead,
      since: createdAt + ticket.queuedAt,
      dueAt: null,
    };
  }

  async publish(message: string): Promise<void> {
    this.onNotice({ kind: 'message', message });
  }

  async isExpired(): Promise<boolean> {
    const { timeout, state } = this;
    return timeout !== null && state.nextRequest + timeout < this.clock.now();
  }

  /** Nothing to leave: as with Bottleneck, a local limiter goes on working. */
  async disconnect(): Promise<void> {}

  private ticked(): LimiterState {
    tick(this.state, this.clock.now());
    return this.state;
  }
}
