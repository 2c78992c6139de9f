import { type LimiterState, startedWeight } from './limiter-view.js';

/** Rates are taken over this long, in ms: one short interval says little. */
const WINDOW = 5000;

interface Sample {
  readonly at: number;
  readonly started: number;
}

/** Weight started per second, by limiter, over the last readings. */
export class StartRates {
  private samples = new Map<string, readonly Sample[]>();

  /** @param now the server's clock, ms. @returns null for a limiter seen for the first time. */
  next(limiters: readonly LimiterState[], now: number): Map<string, number | null> {
    // Limiters that are gone drop out.
    const samples = new Map(limiters.map((state) => [state.id, this.extended(state, now)]));
    this.samples = samples;
    return new Map([...samples].map(([id, list]) => [id, rateOf(list)]));
  }

  private extended(state: LimiterState, now: number): Sample[] {
    const sample = { at: now, started: startedWeight(state) };
    // More was started before than ever: the limiter was made anew in between.
    const before = (this.samples.get(state.id) ?? []).filter(
      ({ started, at }) => started <= sample.started && at < now,
    );
    const outdated = before.filter(({ at }) => at <= now - WINDOW).length;
    return [...before.slice(Math.max(0, outdated - 1)), sample];
  }
}

function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  return ((last.started - first.started) * 1000) / (last.at - first.at);
}
