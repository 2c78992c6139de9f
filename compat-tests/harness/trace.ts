/**
 * What can be observed of a run, as text in streams. Within a stream the order counts; between streams only the time does,
 * since two schedulers may rightly interleave what they tell about different jobs at one instant.
 *
 * Streams: `job <label>` (its attempts and its outcome), `job <label> in <limiter>` (its events there), `limiter <name>` (events that belong to no job), `starts <name>` (the
 * order of executions), `call <n>` (what a method gave), `look <n>` (a snapshot) and `unhandled`.
 */
export interface Entry {
  /** Virtual ms since the start. */
  at: number;
  text: string;
}

export interface Trace {
  streams: Record<string, Entry[]>;
}

export interface Difference {
  stream: string;
  /** Position in the stream. */
  index: number;
  /** The earlier of the two times. */
  at: number;
  upstream: string;
  ours: string;
}

const NOTHING = '(nothing)';

export function describe(entry: Entry | undefined): string {
  return entry ? `${entry.at} ${entry.text}` : NOTHING;
}

/** The first difference of each stream, streams in order of time. */
export function differences(upstream: Trace, ours: Trace): Difference[] {
  const found: Difference[] = [];
  for (const stream of new Set([...Object.keys(upstream.streams), ...Object.keys(ours.streams)])) {
    const left = upstream.streams[stream] ?? [];
    const right = ours.streams[stream] ?? [];
    const index = firstDifference(left, right);
    if (index < 0) continue;
    const at = Math.min(left[index]?.at ?? Number.POSITIVE_INFINITY, right[index]?.at ?? Number.POSITIVE_INFINITY);
    found.push({ stream, index, upstream: describe(left[index]), ours: describe(right[index]), at });
  }
  return found.sort((a, b) => a.at - b.at);
}

function firstDifference(left: Entry[], right: Entry[]): number {
  const length = Math.max(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left[i];
    const b = right[i];
    if (a === undefined || b === undefined || a.at !== b.at || a.text !== b.text) return i;
  }
  return -1;
}
