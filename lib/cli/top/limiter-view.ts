import { refillTime } from '../../store/memory/transitions.js';
import { isOurs, type OwnQueue } from './own-queue.js';

/** What Redis holds of one limiter, read at one moment. */
export interface LimiterState {
  readonly id: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Running weight by client. */
  readonly running: ReadonlyMap<string, number>;
  /** Queued jobs by client. */
  readonly queued: ReadonlyMap<string, number>;
  /** Last sign of life by client, ms. */
  readonly seen: ReadonlyMap<string, number>;
  /** Last start by client, ms; 0 for none. */
  readonly registered: ReadonlyMap<string, number>;
  /** The oldest start of a sliding window that is full, ms; null where there is no window or room in it. */
  readonly windowStart: number | null;
  readonly own: OwnQueue;
}

export interface ClientView {
  readonly id: string;
  readonly package: 'bottleneck' | 'rebottle';
  readonly running: number;
  readonly queued: number;
  /** ms since it was last heard of. */
  readonly silentFor: number;
  /** ms since its last start; null when it has started nothing. */
  readonly sinceLastStart: number | null;
}

/** What keeps the job at the head, or one of weight 1 where none waits, from starting now; of several limits the longest. */
export type Hold =
  | { readonly by: 'nothing' }
  | { readonly by: 'blocked' | 'minTime' | 'window' | 'bucket'; readonly until: number }
  | { readonly by: 'maxConcurrent' }
  /** `until` is null when nothing but incrementReservoir() refills it. */
  | { readonly by: 'reservoir'; readonly until: number | null };

export interface LimiterView {
  readonly id: string;
  readonly version: string;
  readonly queued: number;
  /** By priority 0 to 9, then all above. Bottleneck's processes keep their order to themselves: see `queuedElsewhere`. */
  readonly queuedByPriority: readonly number[];
  /** Jobs queued in processes on Bottleneck, whose priorities nobody else knows. */
  readonly queuedElsewhere: number;
  /** Jobs that wait for a time of their own. */
  readonly delayed: number;
  readonly running: number;
  readonly maxConcurrent: number | null;
  /** Weight that could start now; null for no limit. */
  readonly capacity: number | null;
  readonly reservoir: number | null;
  /** When it refills by itself, ms of the server's clock. */
  readonly reservoirRefillsAt: number | null;
  readonly minTime: number;
  /** At most `max` starts in any `duration` ms; null for no window. */
  readonly window: { readonly max: number; readonly duration: number } | null;
  /** Tokens there are now; null for no bucket. */
  readonly bucket: { readonly tokens: number; readonly capacity: number; readonly refillPerSecond: number } | null;
  readonly highWater: number | null;
  readonly hold: Hold;
  /** The earliest moment at which time alone lets a job start; null where a job has to end, or somebody to act, first. */
  readonly nextStartAt: number | null;
  readonly done: number;
  /** Weight started per second between the last two readings; null before the second. */
  readonly startsPerSecond: number | null;
  readonly oldestWaitingFor: number | null;
  /** Weight of the job at the head of the fleet's queue; null when none waits there. */
  readonly headWeight: number | null;
  readonly clients: readonly ClientView[];
}

/** @param now the server's clock, ms. */
export function viewOf(state: LimiterState, now: number, startsPerSecond: number | null): LimiterView {
  const { settings, own } = state;
  const number = (field: string) => numberOf(settings[field]);
  const [maxConcurrent, stored] = [number('maxConcurrent'), number('reservoir')];
  const running = number('running') ?? 0;
  const reservoirRefillsAt = refillsAt(number, stored);
  const free = maxConcurrent === null ? null : maxConcurrent - running;
  const window = windowOf(number);
  const bucket = bucketOf(number, now);
  const room = { free, reservoir: stored, reservoirRefillsAt, window, windowStart: state.windowStart, bucket };
  const hold = holdOf(number, room, own.headWeight ?? 1, now);
  const queuedElsewhere = sum([...state.queued].map(([client, queued]) => (isOurs(client) ? 0 : Math.max(0, queued))));
  return {
    id: state.id,
    version: settings.version ?? '',
    queued: sum(own.byPriority) + own.parked + queuedElsewhere,
    queuedByPriority: own.byPriority,
    queuedElsewhere,
    delayed: own.delayed,
    running,
    maxConcurrent,
    capacity: smallest(free, stored),
    reservoir: stored,
    reservoirRefillsAt,
    minTime: number('rb_minTime') ?? number('minTime') ?? 0,
    window,
    bucket,
    highWater: number('highWater'),
    hold,
    nextStartAt: nextStartOf(hold, now),
    done: number('done') ?? 0,
    startsPerSecond,
    oldestWaitingFor: own.oldestArrival === null ? null : Math.max(0, Math.round(now - own.oldestArrival)),
    headWeight: own.headWeight,
    clients: clientsOf(state, now),
  };
}

/** All weight that a limiter ever started. */
export function startedWeight({ settings }: LimiterState): number {
  return (numberOf(settings.done) ?? 0) + (numberOf(settings.running) ?? 0);
}

type Settings = (field: string) => number | null;

/** The first of both clocks, refresh and increase, where they are set and would change something. */
function refillsAt(number: Settings, reservoir: number | null): number | null {
  const due = (kind: 'Refresh' | 'Increase') => {
    const [last, interval, amount] = [
      number(`lastReservoir${kind}`),
      number(`reservoir${kind}Interval`),
      number(`reservoir${kind}Amount`),
    ];
    return last === null || interval === null || amount === null ? null : last + interval;
  };
  const maximum = number('reservoirIncreaseMaximum');
  const full = reservoir !== null && maximum !== null && reservoir >= maximum;
  return smallest(due('Refresh'), full ? null : due('Increase'));
}

function windowOf(number: Settings): LimiterView['window'] {
  const [max, duration] = [number('rb_windowMax'), number('rb_windowDuration')];
  return max === null || duration === null ? null : { max, duration };
}

/** What is stored, and what has flowed in since. */
function bucketOf(number: Settings, now: number): LimiterView['bucket'] {
  const [capacity, refillPerSecond] = [number('rb_bucketCapacity'), number('rb_bucketRefillPerSecond')];
  if (capacity === null || refillPerSecond === null) return null;
  const refilled = (Math.max(0, now - (number('rb_bucketTime') ?? now)) * refillPerSecond) / 1000;
  return { tokens: Math.min(capacity, (number('rb_bucketTokens') ?? capacity) + refilled), capacity, refillPerSecond };
}

interface Room extends Pick<LimiterView, 'reservoir' | 'reservoirRefillsAt' | 'window' | 'bucket'> {
  readonly free: number | null;
  readonly windowStart: number | null;
}

const BLOCK = 3;

function holdOf(number: Settings, room: Room, weight: number, now: number): Hold {
  const unblockTime = number('unblockTime') ?? 0;
  if (number('strategy') === BLOCK && unblockTime > now) return { by: 'blocked', until: unblockTime };
  if (room.free !== null && weight > room.free) return { by: 'maxConcurrent' };
  const timed = [reservoirHold(room, weight, now), ...timedHolds(number, room, weight, now)];
  return timed.filter((hold) => hold !== null).reduce(longer, { by: 'nothing' });
}

function reservoirHold({ reservoir, reservoirRefillsAt }: Room, weight: number, now: number): Hold | null {
  if (reservoir === null || weight <= reservoir) return null;
  // The next use of the limiter makes a refill that is due.
  if (reservoirRefillsAt !== null && reservoirRefillsAt <= now) return null;
  return { by: 'reservoir', until: reservoirRefillsAt };
}

function timedHolds(number: Settings, { window, windowStart, bucket }: Room, weight: number, now: number): Hold[] {
  const holds: Array<Extract<Hold, { until: number }>> = [
    { by: 'minTime', until: number('nextRequest') ?? 0 },
    { by: 'window', until: window === null || windowStart === null ? 0 : windowStart + window.duration },
    { by: 'bucket', until: bucket === null ? 0 : now + bucketWait(bucket, weight) },
  ];
  return holds.filter(({ until }) => until > now);
}

function bucketWait({ tokens, capacity, refillPerSecond }: NonNullable<LimiterView['bucket']>, weight: number): number {
  return refillTime(tokens, capacity, refillPerSecond, weight);
}

/** Null is for ever: as long as nobody acts. */
function longer(a: Hold, b: Hold): Hold {
  const end = (hold: Hold) => ('until' in hold ? (hold.until ?? Number.POSITIVE_INFINITY) : 0);
  return end(b) > end(a) ? b : a;
}

function nextStartOf(hold: Hold, now: number): number | null {
  if (hold.by === 'nothing') return now;
  return hold.by === 'maxConcurrent' ? null : hold.until;
}

function clientsOf({ seen, running, queued, registered }: LimiterState, now: number): ClientView[] {
  const ids = new Set([...seen.keys(), ...running.keys(), ...queued.keys()]);
  return [...ids].sort().map((id) => {
    const lastStart = registered.get(id) ?? 0;
    return {
      id,
      package: isOurs(id) ? 'rebottle' : 'bottleneck',
      running: running.get(id) ?? 0,
      queued: queued.get(id) ?? 0,
      silentFor: Math.max(0, now - (seen.get(id) ?? 0)),
      sinceLastStart: lastStart > 0 ? Math.max(0, now - lastStart) : null,
    };
  });
}

/** Bottleneck writes null as the empty text, and older versions as "null". */
function numberOf(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null;
  const number = Number(text);
  return Number.isNaN(number) ? null : number;
}

function smallest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
