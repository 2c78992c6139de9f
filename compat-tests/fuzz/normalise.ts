/** Takes out of a trace what is an accident of timing within one instant, on both sides alike. */
import type { Entry, Trace } from '../harness/trace';
import type { Scenario } from './scenario';

/**
 * Accidents of timing within one instant:
 * - Jobs of weight 0 do not count as running, so whether `idle` comes beside them depends on how their starts interleave.
 * - The last jobs of an instant may end together or one after the other, so `idle` and `empty` may come once or more often.
 * - Jobs that go through a chain reach the second limiter one by one upstream, each some hops after the other, and together
 *   in ours. Whether its queue runs empty in between is nobody's promise.
 */
export function normalise(scenario: Scenario, trace: Trace): Trace {
  const targets = new Set(scenario.actions.flatMap((action) => (action.kind === 'chain' ? (action.to ?? []) : [])));
  const weightless = scenario.actions.some(
    (action) => action.kind === 'jobs' && action.jobs.some((job) => job.weight === 0),
  );
  const streams = Object.entries(trace.streams).map(([name, entries]): [string, Entry[]] => {
    if (!name.startsWith('limiter ')) return [name, entries];
    const told = weightless ? entries.filter((entry) => entry.text !== 'idle') : entries;
    return [name, targets.has(name.slice('limiter '.length)) ? asSets(told) : withoutRepeats(told)];
  });
  return { streams: Object.fromEntries(streams) };
}

function withoutRepeats(entries: Entry[]): Entry[] {
  return entries.filter(
    (entry, index) => entry.at !== entries[index - 1]?.at || entry.text !== entries[index - 1]?.text,
  );
}

/** For each instant, what was told, without order and number. */
function asSets(entries: Entry[]): Entry[] {
  const simplified = entries
    .filter((entry) => entry.text !== 'empty')
    .map(({ at, text }) => ({ at, text: text.startsWith('depleted') ? 'depleted' : text }));
  const unique = new Map(simplified.map((entry) => [`${entry.at} ${entry.text}`, entry]));
  return [...unique.values()].sort((a, b) => a.at - b.at || (a.text < b.text ? -1 : 1));
}
