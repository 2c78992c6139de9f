import type { Hold, LimiterView } from './limiter-view.js';

/** A time span for people: `250 ms`, `3.2 s`, `5 min`, `2 h`, `3 d`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h`;
  return `${Math.floor(ms / 86_400_000)} d`;
}

/** A moment seen from `now`: `now` or `in 3.2 s`. */
export function moment(at: number, now: number): string {
  return at <= now ? 'now' : `in ${duration(at - now)}`;
}

/** Why a job does not start, in words. */
export function explain(view: LimiterView, now: number): string {
  const { hold } = view;
  switch (hold.by) {
    case 'nothing':
      return view.queued > 0 ? 'Nothing holds the job at the head: it starts now.' : 'A job would start now.';
    case 'blocked':
      return `Blocked: too many jobs came. It takes new ones ${moment(hold.until, now)}.`;
    case 'minTime':
      return `minTime of ${duration(view.minTime)}: the next start is ${moment(hold.until, now)}.`;
    case 'maxConcurrent':
      return `maxConcurrent: ${amount(view.running)} of ${amount(view.maxConcurrent)} are running${needs(view)}. A job has to end first.`;
    case 'reservoir': {
      const left =
        view.reservoir !== null && view.reservoir > 0 ? `has ${amount(view.reservoir)}${needs(view)}` : 'is empty';
      return hold.until === null
        ? `The reservoir ${left}: it does not refill by itself.`
        : `The reservoir ${left}: it refills ${moment(hold.until, now)}.`;
    }
    case 'window':
      return `${windowText(view)}: the oldest start leaves the window ${moment(hold.until, now)}.`;
    case 'bucket':
      return `The bucket has ${amount(view.bucket?.tokens ?? 0)}${needs(view)}. There is enough in it ${moment(hold.until, now)}.`;
  }
}

const needs = ({ headWeight }: LimiterView): string =>
  headWeight !== null && headWeight !== 1 ? `, the next job needs ${amount(headWeight)}` : '';

/** `5 starts in any 1.0 s`; empty for no window. */
export function windowText({ window }: LimiterView): string {
  return window === null ? '' : `${amount(window.max)} starts in any ${duration(window.duration)}`;
}

/** `2.5 of 10, 3 more each second`; empty for no bucket. */
export function bucketText({ bucket }: LimiterView): string {
  if (bucket === null) return '';
  return `${amount(bucket.tokens)} of ${amount(bucket.capacity)}, ${amount(bucket.refillPerSecond)} more each second`;
}

/** Why a job does not start in one word, for a column. */
export function holdWord({ by }: Hold): string {
  return by === 'nothing' ? '' : by;
}

/** Names of priorities and how many jobs wait with each; those from 10 on go by `10+`. */
export function queuedByPriority({ queuedByPriority: counts }: LimiterView): Array<[priority: string, count: number]> {
  const named = counts.map((count, index): [string, number] => [index < 10 ? String(index) : '10+', count]);
  return named.filter(([, count]) => count > 0);
}

/** `0:3 5:12`; `?` stands for jobs in processes on Bottleneck. */
export function priorities(view: LimiterView): string {
  const shown = queuedByPriority(view);
  if (view.queuedElsewhere > 0) shown.push(['?', view.queuedElsewhere]);
  return shown.map(([priority, count]) => `${priority}:${count}`).join(' ');
}

export function amount(number: number | null, none = '∞'): string {
  return number === null ? none : String(Number(number.toFixed(2)));
}
