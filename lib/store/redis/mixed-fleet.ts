import { startTimer, type Timer } from '../../clock';

/** What the mixed fleet needs of the limiter it belongs to. */
export interface MixedFleetHost {
  readonly clientId: string;
  /** Whether tickets of this client wait in the queue. */
  readonly hasWaiting: boolean;
  /** Takes a step. */
  poke(): void;
  /** Runs lua/answer.lua. Must not reject. */
  answer(counters: readonly string[]): Promise<void>;
  debug(message: string, data: unknown): void;
}

/** A started ticket as far as its lease goes. `expiresAt` by `Date.now()`, null for never. */
export interface LeaseHolder {
  readonly seq: number;
  readonly started: boolean;
  readonly expiresAt: number | null;
  readonly ticket: { readonly weight: number };
}

/** ms after which somebody else takes what a Bottleneck process was offered and has not answered for. */
const TAKEOVER_AFTER = 250;
/** Everybody hears of free capacity at one moment: each process waits a random time up to this many ms. */
const POKE_WITHIN = 3;
/** Heartbeats with leases after the last Bottleneck process has gone: a start that was on its way may have got one. */
const LAST_RENEWALS = 2;

/**
 * Sharing a limiter with processes that run Bottleneck: the side of this process. What they broadcast is answered or
 * acted on as their own scripts expect it, and slots are leased for as long as this process lives. The rest is in
 * lua/include/mixed.lua. Idle while no Bottleneck process is there.
 */
export class MixedFleet {
  /** Whether Bottleneck processes share the limiter, as far as is known here. */
  isActive = false;
  private renewalsLeft = 0;
  private leasesDue = false;
  private counters: string[] = [];
  private isAnswering = false;
  private pokeTimer: Timer | null = null;
  private readonly takeovers = new Map<string, Timer>();

  constructor(private readonly host: MixedFleetHost) {}

  /** A script told whether Bottleneck processes are registered. */
  onReply(isMixed: boolean): void {
    this.isActive = isMixed;
    if (isMixed) this.renewalsLeft = LAST_RENEWALS;
  }

  onHeartbeat(): void {
    if (this.renewalsLeft > 0) this.leasesDue = true;
  }

  /**
   * The leases to renew with a step, once in a heartbeat: number of the ticket, and `weight:ms to its expiration`.
   * @param ended tickets that leave with the same step
   */
  takeLeases(tickets: Iterable<LeaseHolder>, ended: readonly LeaseHolder[]): Array<[seq: number, lease: string]> {
    if (!this.leasesDue) return [];
    this.leasesDue = false;
    if (!this.isActive) this.renewalsLeft--;
    const now = Date.now();
    const gone = new Set(ended);
    const leases: Array<[number, string]> = [];
    for (const holder of tickets) {
      if (!holder.started || gone.has(holder)) continue;
      const { seq, ticket, expiresAt } = holder;
      leases.push([seq, `${ticket.weight}:${expiresAt === null ? '' : expiresAt - now}`]);
    }
    return leases;
  }

  /** A message on the limiter's channel. */
  onBroadcast(type: string, data: string): void {
    if (type === 'capacity') this.onCapacity(data);
    else if (type === 'capacity-priority') this.onOffer(data);
    else if (type === 'blocked') this.pokeIfWaiting();
    else if (type === 'rebottle-clock') this.tellClock(Number(data));
  }

  stop(): void {
    this.pokeTimer?.cancel();
    for (const timer of this.takeovers.values()) timer.cancel();
    this.takeovers.clear();
    this.counters = [];
  }

  /** Free weight for whoever is quick; empty for no limit. */
  private onCapacity(capacity: string): void {
    this.isActive = true;
    if (capacity === '' || Number(capacity) > 0) this.pokeSoon();
  }

  /** `capacity:client:counter`: free weight for one client first. With no client it is the answer: what that one left. */
  private onOffer(data: string): void {
    this.isActive = true;
    const [capacity = '', client = '', counter = ''] = data.split(':');
    if (client === this.host.clientId) {
      this.counters.push(counter);
      void this.answerAll();
    } else if (client === '') {
      this.takeovers.get(counter)?.cancel();
      this.takeovers.delete(counter);
      this.onCapacity(capacity);
    } else this.takeOverLater(counter);
  }

  /** Every counter gets its answer, or Bottleneck processes hold this one for dead. More may come during a call. */
  private async answerAll(): Promise<void> {
    if (this.isAnswering) return;
    this.isAnswering = true;
    while (this.counters.length > 0) await this.host.answer(this.counters.splice(0));
    this.isAnswering = false;
  }

  private takeOverLater(counter: string): void {
    if (!this.host.hasWaiting) return;
    this.takeovers.get(counter)?.cancel();
    const timer = startTimer(TAKEOVER_AFTER, () => {
      this.takeovers.delete(counter);
      this.pokeIfWaiting();
    });
    timer.unref();
    this.takeovers.set(counter, timer);
  }

  private pokeSoon(): void {
    if (this.pokeTimer !== null || !this.host.hasWaiting) return;
    this.pokeTimer = startTimer(Math.random() * POKE_WITHIN, () => {
      this.pokeTimer = null;
      this.pokeIfWaiting();
    });
    this.pokeTimer.unref();
  }

  private pokeIfWaiting(): void {
    if (this.host.hasWaiting) this.host.poke();
  }

  private tellClock(ahead: number): void {
    this.host.debug(`The clock of a Bottleneck process is ${ahead} ms ahead of the Redis server's`, { ahead });
  }
}
