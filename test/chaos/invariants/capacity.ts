import { decidedAt, type History, type Job } from '../history';
import { type Rules, recovery, type Violation } from '../rules';

/** How long a slot may stay free while work waits, besides what minTime asks for. */
const IDLE_LIMIT_MS = 1000;

interface Span {
  from: number;
  until: number;
}

/**
 * 7. A dead process's slots return in time, and no wake-up is lost: outside the time that a fault takes to be noticed,
 * capacity never lies idle while work waits. The heaviest of the waiting must fit, whichever of them is the head.
 */
export function capacity(history: History, rules: Rules): Violation[] {
  if (rules.maxConcurrent === null || rules.reservoir) return [];
  const limit = IDLE_LIMIT_MS + 2 * rules.minTime;
  return idleSpans(history, rules.maxConcurrent, rules.minTime > 0)
    .flatMap((span) => outside(span, recoveries(history, rules)))
    .filter(({ from, until }) => until - from > limit)
    .map(({ from, until }) => ({
      invariant: 'capacity' as const,
      t: from,
      lasted: until - from,
      what: `free slots and waiting work side by side for ${(until - from).toFixed(0)} ms`,
    }));
}

/** With `paced`, each start ends a span: where minTime sets the pace, slots are free all the time, and rightly so. */
function idleSpans(history: History, maxConcurrent: number, paced: boolean): Span[] {
  const jobs = [...history.jobs.values()];
  const moments = jobs
    .flatMap((job) => [job.queued, decidedAt(job), doneAt(history, job)])
    .filter((t): t is number => t !== undefined)
    .sort((a, b) => a - b);
  const starts = new Set(paced ? jobs.map(decidedAt) : []);
  const byQueued = jobs.filter(({ queued }) => queued !== undefined).sort((a, b) => a.queued! - b.queued!);
  const spans: Span[] = [];
  let present: Job[] = [];
  let next = 0;
  let from: number | undefined;
  for (const t of moments) {
    while (next < byQueued.length && byQueued[next]!.queued! <= t) present.push(byQueued[next++]!);
    present = present.filter((job) => doneAt(history, job) > t);
    const idle = isIdle(present, t, maxConcurrent);
    if (from !== undefined && (!idle || starts.has(t))) {
      spans.push({ from, until: t });
      from = undefined;
    }
    if (idle) from ??= t;
  }
  if (from !== undefined) spans.push({ from, until: history.end });
  return spans;
}

function isIdle(present: Job[], t: number, maxConcurrent: number): boolean {
  let taken = 0;
  let heaviest = -1;
  for (const job of present) {
    const decided = decidedAt(job);
    if (decided !== undefined && decided <= t) taken += job.weight;
    else heaviest = Math.max(heaviest, job.weight);
  }
  return heaviest >= 0 && taken + heaviest <= maxConcurrent;
}

function doneAt(history: History, job: Job): number {
  return job.settlements[0]?.t ?? job.worker.killed ?? history.end;
}

function recoveries(history: History, rules: Rules): Span[] {
  return history.faults.map(({ from, until }) => ({ from, until: until + recovery(rules) }));
}

function outside(span: Span, holes: Span[]): Span[] {
  return holes.reduce<Span[]>(
    (rest, hole) =>
      rest.flatMap(({ from, until }) =>
        hole.from > until || hole.until < from
          ? [{ from, until }]
          : [
              { from, until: hole.from },
              { from: hole.until, until },
            ].filter((piece) => piece.from < piece.until),
      ),
    [span],
  );
}
