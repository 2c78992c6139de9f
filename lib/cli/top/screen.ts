import Table from 'cli-table3';
import pc from 'picocolors';
import sliceAnsi from 'slice-ansi';
import { arrange, type Controls, selectedView } from './controls.js';
import { amount, bucketText, duration, explain, holdWord, moment, priorities, windowText } from './format.js';
import type { LimiterView } from './limiter-view.js';

/** What there is to show. */
export interface Scene {
  readonly url: string;
  /** The server's clock at the last reading, ms. */
  readonly now: number;
  readonly views: readonly LimiterView[];
  readonly found: number;
  readonly complete: boolean;
  /** Why the last reading failed, if it did. */
  readonly failure: string | undefined;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

const COLUMNS = [
  'LIMITER',
  'QUEUED',
  'BY PRIORITY',
  'RUNNING',
  'CAPACITY',
  'RESERVOIR',
  'NEXT START',
  'STARTS/S',
  'OLDEST',
  'CLIENTS',
  'HELD BY',
];

/** The whole screen, for the live view. */
export function renderScreen(scene: Scene, controls: Controls, { columns, rows }: Size): string {
  const body = controls.detail ? detailLines(scene, controls) : listLines(scene, controls, rows - 4);
  const lines = [headLine(scene), statusLine(scene, controls), ...body, '', helpLine(controls)];
  return lines
    .slice(0, rows)
    .map((line) => sliceAnsi(line, 0, columns))
    .join('\n');
}

/** The limiters as a plain table, for pipes and files. */
export function renderTable(views: readonly LimiterView[], now: number): string {
  return plainTable(
    COLUMNS,
    views.map((view) => row(view, now)),
  ).join('\n');
}

function headLine({ url, now, views, found, complete }: Scene): string {
  const shown = views.length < found ? `${views.length} of ${found}` : `${found}`;
  const looking = complete ? '' : ', still looking for more';
  return `${pc.bold('rebottle top')}  ${url}  ${shown} limiters${looking}  ${now > 0 ? new Date(now).toISOString().slice(11, 19) : ''}`;
}

function statusLine({ failure }: Scene, { sort, reversed, filter, typing }: Controls): string {
  if (failure !== undefined) return pc.red(failure);
  const shownFilter = typing || filter !== '' ? `  filter: ${filter}${typing ? '_' : ''}` : '';
  return pc.dim(`sorted by ${sort}${reversed ? ', reversed' : ''}${shownFilter}`);
}

function helpLine({ typing, detail }: Controls): string {
  if (typing) return pc.dim('Enter: keep the filter   Esc: drop it');
  return pc.dim(
    detail
      ? 'Esc: back   ↑↓: next limiter   q: quit'
      : '↑↓: select   Enter: detail   s: sort   r: reverse   /: filter   q: quit',
  );
}

function listLines(scene: Scene, controls: Controls, height: number): string[] {
  const shown = arrange(scene.views, controls);
  if (shown.length === 0) return [scene.views.length === 0 ? 'No limiter found.' : 'No limiter matches.'];
  const selected = shown.findIndex(({ id }) => id === selectedView(controls, scene.views)?.id);
  // The table's own head takes a line.
  const first = Math.max(0, selected - Math.max(1, height - 1) + 1);
  const visible = shown.slice(first, first + Math.max(1, height - 1));
  const [head = '', ...lines] = plainTable(
    COLUMNS,
    visible.map((view) => row(view, scene.now)),
  );
  return [pc.bold(head), ...lines.map((line, index) => (first + index === selected ? pc.inverse(line) : line))];
}

function row(view: LimiterView, now: number): string[] {
  return [
    printable(view.id),
    String(view.queued),
    priorities(view),
    view.maxConcurrent === null ? amount(view.running) : `${amount(view.running)}/${amount(view.maxConcurrent)}`,
    amount(view.capacity),
    reservoir(view, now),
    view.nextStartAt === null ? '' : moment(view.nextStartAt, now),
    amount(view.startsPerSecond, ''),
    view.oldestWaitingFor === null ? '' : duration(view.oldestWaitingFor),
    String(view.clients.length),
    view.queued > 0 ? holdWord(view.hold) : '',
  ];
}

function reservoir({ reservoir, reservoirRefillsAt }: LimiterView, now: number): string {
  if (reservoir === null) return '';
  return reservoirRefillsAt === null ? amount(reservoir) : `${amount(reservoir)} (${moment(reservoirRefillsAt, now)})`;
}

function detailLines({ views, now }: Scene, controls: Controls): string[] {
  const view = selectedView(controls, views);
  if (view === undefined) return ['This limiter is gone.'];
  const facts: Array<[string, string]> = [
    ['why not now', explain(view, now)],
    ['queued', `${view.queued}  ${priorities(view)}${view.delayed > 0 ? `  delayed: ${view.delayed}` : ''}`],
    ['running', `${amount(view.running)} of ${amount(view.maxConcurrent)}`],
    ['capacity', amount(view.capacity)],
    ['reservoir', reservoir(view, now) || 'none'],
    ['minTime', duration(view.minTime)],
    ['window', windowText(view) || 'none'],
    ['bucket', bucketText(view) || 'none'],
    ['highWater', amount(view.highWater)],
    ['next start', view.nextStartAt === null ? 'when a job ends or somebody acts' : moment(view.nextStartAt, now)],
    ['starts/s', amount(view.startsPerSecond, 'not known yet')],
    ['done', amount(view.done)],
    ['oldest waiting', view.oldestWaitingFor === null ? 'none known' : duration(view.oldestWaitingFor)],
    ['stored by', `version ${printable(view.version)}`],
  ];
  const clients = view.clients.map((client) => [
    printable(client.id),
    client.package,
    amount(client.running),
    amount(client.queued),
    duration(client.silentFor),
    client.sinceLastStart === null ? 'never' : `${duration(client.sinceLastStart)} ago`,
  ]);
  return [
    pc.bold(printable(view.id)),
    ...facts.map(([name, value]) => `${name.padEnd(14)}  ${value}`),
    '',
    ...plainTable(['CLIENT', 'PACKAGE', 'RUNNING', 'QUEUED', 'LAST SEEN', 'LAST START'], clients),
  ];
}

function plainTable(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
  const table = new Table({
    chars: NO_LINES,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  table.push([...head], ...rows.map((cells) => [...cells]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** Ids come from anybody who can write to the server, and must not steer the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '�');
}
