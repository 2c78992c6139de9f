/** The earliest moment of a start, found by playing the queue through with the limiter's own rules. */
import { Job } from '../scheduler/job';
import { advance } from '../store/memory/transitions';
import type { QueueSnapshot, Ticket } from '../store/store';
import { stateOf } from './holds';

/** Steps played through, at most. Whoever needs more waits for something that never comes. */
const MOST_STEPS = 10_000;

/**
 * When a ticket of that weight could start behind tickets of those, if everything that runs ended at once. Null when time
 * alone never starts it.
 */
export function earliestStart(
  snapshot: QueueSnapshot,
  weight: number,
  weightsAhead: readonly number[] = [],
  /** When it joins the queue. */
  from = snapshot.now,
): number | null {
  const { maxConcurrent } = snapshot.settings;
  if (maxConcurrent !== null && weight > maxConcurrent) return null;
  const state = stateOf(snapshot);
  state.running = 0;
  // Nobody is shed or blocked who is in the queue already.
  state.settings.highWater = null;
  state.settings.strategy = 0;
  const own = ticketOf(weight);
  let submitted: Ticket[] = [...weightsAhead.map(ticketOf), own];
  let completed: Ticket[] = [];
  let now = from;
  for (let step = 0; step < MOST_STEPS; step++) {
    const { effects, nextIn } = advance(state, now, { submitted, completed, withdrawn: [], renewed: [] });
    submitted = [];
    completed = [];
    for (const effect of effects) {
      if (effect.kind !== 'started') continue;
      if (effect.ticket === own) return now + effect.wait;
      completed.push(effect.ticket);
    }
    if (completed.length > 0) continue;
    if (nextIn === null) return null;
    now += Math.max(nextIn, SHORTEST_STEP);
  }
  return null;
}

/** ms. Time must go on, whatever rounding does. */
const SHORTEST_STEP = 1e-3;

function ticketOf(weight: number): Ticket {
  return new Job(nothing, [], { priority: 0, weight, expiration: null, id: '' }, true);
}

function nothing(): void {}
