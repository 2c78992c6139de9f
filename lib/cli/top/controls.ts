import { priorities } from './format.js';
import type { LimiterView } from './limiter-view.js';

export const SORT_KEYS = ['queued', 'running', 'starts', 'oldest', 'id'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** What the person at the screen has chosen. */
export interface Controls {
  readonly sort: SortKey;
  readonly reversed: boolean;
  readonly filter: string;
  /** Whether keys go into the filter. */
  readonly typing: boolean;
  /** Id of the limiter under the cursor. */
  readonly selected: string | undefined;
  /** Whether that limiter fills the screen. */
  readonly detail: boolean;
}

export const INITIAL_CONTROLS: Controls = {
  sort: 'queued',
  reversed: false,
  filter: '',
  typing: false,
  selected: undefined,
  detail: false,
};

/** A key as Node's readline names it. */
export interface Key {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
}

/** @returns the new state, or `quit`. */
export function press(controls: Controls, key: Key, views: readonly LimiterView[]): Controls | 'quit' {
  if (key.ctrl && key.name === 'c') return 'quit';
  return controls.typing ? typeFilter(controls, key) : command(controls, key, views);
}

function typeFilter(controls: Controls, { name, sequence = '', ctrl }: Key): Controls {
  if (name === 'return' || name === 'enter') return { ...controls, typing: false };
  if (name === 'escape') return { ...controls, typing: false, filter: '' };
  if (name === 'backspace') return { ...controls, filter: [...controls.filter].slice(0, -1).join('') };
  return ctrl || !/^\P{Cc}+$/u.test(sequence) ? controls : { ...controls, filter: controls.filter + sequence };
}

function command(controls: Controls, { name, sequence }: Key, views: readonly LimiterView[]): Controls | 'quit' {
  switch (name ?? sequence) {
    case 'q':
      return 'quit';
    case 'escape':
      return controls.detail ? { ...controls, detail: false } : { ...controls, filter: '' };
    case 'up':
    case 'k':
      return move(controls, views, -1);
    case 'down':
    case 'j':
      return move(controls, views, 1);
    case 'return':
    case 'enter':
      return { ...controls, detail: !controls.detail, selected: selectedView(controls, views)?.id };
    case 's':
      return { ...controls, sort: SORT_KEYS[(SORT_KEYS.indexOf(controls.sort) + 1) % SORT_KEYS.length] ?? 'id' };
    case 'r':
      return { ...controls, reversed: !controls.reversed };
    case '/':
      return { ...controls, typing: true, detail: false };
    default:
      return controls;
  }
}

function move(controls: Controls, views: readonly LimiterView[], by: number): Controls {
  const shown = arrange(views, controls);
  const at = shown.findIndex(({ id }) => id === controls.selected);
  const next = Math.min(shown.length - 1, Math.max(0, at + by));
  return { ...controls, selected: shown[next]?.id };
}

/** The limiters in view, in their order. */
export function arrange(views: readonly LimiterView[], { filter, sort, reversed }: Controls): LimiterView[] {
  const shown = views.filter((view) => matches(view, filter)).sort((a, b) => order(a, b, sort));
  return reversed ? shown.reverse() : shown;
}

/** The limiter under the cursor, or the first one. */
export function selectedView(controls: Controls, views: readonly LimiterView[]): LimiterView | undefined {
  const shown = arrange(views, controls);
  return shown.find(({ id }) => id === controls.selected) ?? shown[0];
}

function matches(view: LimiterView, filter: string): boolean {
  const text = `${view.id} ${view.hold.by} ${priorities(view)}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const VALUES: Record<Exclude<SortKey, 'id'>, (view: LimiterView) => number> = {
  queued: ({ queued }) => queued,
  running: ({ running }) => running,
  starts: ({ startsPerSecond }) => startsPerSecond ?? 0,
  oldest: ({ oldestWaitingFor }) => oldestWaitingFor ?? -1,
};

/** The largest first; ids by the alphabet. */
function order(a: LimiterView, b: LimiterView, sort: SortKey): number {
  const byId = a.id < b.id ? -1 : 1;
  return sort === 'id' ? byId : VALUES[sort](b) - VALUES[sort](a) || byId;
}
