import type { Explanation, Hold } from './explanation';

/** An explanation in words. Spans of time, no dates: on Redis the times are those of another clock. */
export function inWords(explanation: Omit<Explanation, 'text'>, subject: string): string {
  const { holds, chained } = explanation;
  const sentences = [
    standing(explanation, subject),
    ...holds.map((hold) => holdInWords(hold, explanation.now)),
    outlook(explanation),
    ...(chained === null ? [] : [`The limiter that it was passed on to says: ${chained.text}`]),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function standing({ state, ahead, waitingSince, now }: Omit<Explanation, 'text'>, subject: string): string {
  const where = state === null ? '' : ` is ${state}`;
  const waited = waitingSince === null ? '' : ` for ${span(now - waitingSince)}`;
  const place = ahead === null || ahead === 0 ? '' : `, behind ${count(ahead, 'job')}`;
  return `${subject}${where}${waited}${place}.`;
}

function holdInWords(hold: Hold, now: number): string {
  const since = hold.since === null || hold.since >= now ? '' : ` for ${span(now - hold.since)}`;
  const until = hold.until === null ? '' : ` in ${span(hold.until - now)}`;
  switch (hold.by) {
    case 'maxConcurrent': {
      const needed = hold.weight === 1 ? '' : `, and ${hold.weight} are needed`;
      return `maxConcurrent has held it${since}: ${hold.running} of ${hold.maxConcurrent} are taken${needed}; it waits for a job to end.`;
    }
    case 'minTime':
      return `minTime holds it: starts are at least ${span(hold.minTime)} apart, and the next may come${until}.`;
    case 'reservoir': {
      const refill =
        hold.until === null ? 'nothing refills it but incrementReservoir() or updateSettings()' : `it changes${until}`;
      return `The reservoir has held it${since}: ${hold.reservoir} is left, ${hold.weight} is needed; ${refill}.`;
    }
    case 'window':
      return `The window has held it${since}: ${count(hold.max, 'start')} in ${span(hold.duration)} were made; there is room${until}.`;
    case 'bucket': {
      const refill = hold.until === null ? 'it is never refilled' : `there are enough${until}`;
      return `The bucket has held it${since}: it has ${round(hold.tokens)} tokens, ${hold.weight} needed; ${refill}.`;
    }
    case 'blocked':
      return `The limiter is blocked (strategy BLOCK) and drops every job that comes; it opens${until} if none does.`;
    case 'delay':
      return `It joins the queue${until}.`;
    case 'retry':
      return `It failed, and is tried again${until} (retry ${hold.retryCount}). It has kept its slot.`;
    case 'workers':
      return 'It has its slot, but this process executes as many jobs as it may; it waits for one of them to end.';
    case 'turn':
      return 'It has its slot, and executes in the next turn of the event loop.';
    case 'sharing':
      return `It is the turn of processes that run Bottleneck and share this limiter.`;
    case 'subscription':
      return 'Redis cannot reach this process to start it: the subscription is gone. It keeps its place until the process is heard of.';
    case 'redis':
      return 'Redis does not answer.';
  }
}

function outlook({ state, earliestStart, holds, now }: Omit<Explanation, 'text'>): string {
  if (state === 'DONE' || (state === 'EXECUTING' && holds.length === 0)) return '';
  if (earliestStart === null) return holds.length === 0 ? '' : 'It will not start by itself.';
  if (earliestStart > now) return `The earliest it could start is in ${span(earliestStart - now)}.`;
  return holds.length === 0 ? 'It may start now.' : 'It could start as soon as that is over.';
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** As `350 ms`, `1.2 s`, `3 min`, `2 h`. */
export function span(ms: number): string {
  const rounded = Math.max(0, Math.round(ms));
  if (rounded < 1000) return `${rounded} ms`;
  if (rounded < 60_000) return `${Math.round(rounded / 100) / 10} s`;
  if (rounded < 3_600_000) return `${Math.round(rounded / 6000) / 10} min`;
  return `${Math.round(rounded / 360_000) / 10} h`;
}
