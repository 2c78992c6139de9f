// The table of a run: for the console, for compat-tests/README.md, and for the exit code.

import * as fs from 'node:fs';
import { failed, type Outcome, type Pass } from './attempts';
import type { PackageName } from './builds';
import type { ModeName } from './modes';

export interface Column extends Pass {
  readonly mode: ModeName;
  readonly packageName: PackageName;
  readonly seconds: number;
}

const LABELS: Readonly<Record<PackageName, string>> = { real: 'bottleneck 2.19.5', ours: 'rebottle' };
const MARKERS = { begin: '<!-- upstream-suite:begin -->', end: '<!-- upstream-suite:end -->' } as const;

interface Counts {
  readonly tests: number;
  readonly passedFirst: number;
  readonly rerun: number;
  readonly failed: number;
  readonly unhandled: number;
  readonly seconds: number;
}

const of = (columns: readonly Column[], packageName: PackageName): Column[] =>
  columns.filter((column) => column.packageName === packageName);

function count(columns: readonly Column[]): Counts {
  const outcomes = columns.flatMap((column) => column.outcomes);
  const passedFirst = outcomes.filter(passedFirstTime).length;
  return {
    tests: outcomes.length,
    passedFirst,
    rerun: outcomes.length - passedFirst,
    failed: outcomes.filter(failed).length,
    unhandled: columns.reduce((sum, column) => sum + column.unhandled.length, 0),
    seconds: Math.round(columns.reduce((sum, column) => sum + column.seconds, 0)),
  };
}

const passedFirstTime = ({ attempts }: Outcome): boolean => attempts[0]?.passed === true;

export function markdownTable(columns: readonly Column[]): string {
  const groups: [string, PackageName, Column[]][] = columns.map((column) => [
    column.mode,
    column.packageName,
    [column],
  ]);
  for (const name of ['real', 'ours'] as const) groups.push(['all', name, of(columns, name)]);
  return [
    row([
      'mode',
      'package',
      'tests',
      'passed first time',
      'run again',
      'failed all three',
      'unhandled rejections',
      'seconds',
    ]),
    row(['---', '---', '---:', '---:', '---:', '---:', '---:', '---:']),
    ...groups
      .filter(([, , group]) => group.length > 0)
      .map(([mode, name, group]) => row([mode, LABELS[name], ...Object.values(count(group))])),
  ].join('\n');
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** Tells `npm test` how many of our column passed, in the file that it names (see scripts/test-parts.mjs). */
export function writeCounts(columns: readonly Column[]): void {
  const file = process.env.TEST_COUNTS_FILE;
  if (!file) return;
  const outcomes = of(columns, 'ours').flatMap(({ mode, outcomes }) => outcomes.map((outcome) => ({ mode, outcome })));
  const failures = outcomes
    .filter(({ outcome }) => failed(outcome))
    .map(({ mode, outcome }) => `${mode}: ${outcome.id}`);
  const passed = outcomes.length - failures.length;
  fs.writeFileSync(file, JSON.stringify({ passed, failed: failures.length, failures }));
}

/** What makes the run fail; the real package's failures are expected and only reported. */
export function complaints(columns: readonly Column[]): string[] {
  const ours = count(of(columns, 'ours'));
  const real = count(of(columns, 'real'));
  const found: string[] = [];
  if (ours.failed > 0) found.push(`rebottle failed ${ours.failed} tests`);
  if (real.tests === 0) return found;
  if (ours.rerun > real.rerun) found.push(`rebottle had ${ours.rerun} tests run again, bottleneck ${real.rerun}`);
  if (ours.unhandled > real.unhandled) {
    found.push(`rebottle left ${ours.unhandled} rejections unhandled, bottleneck ${real.unhandled}`);
  }
  return found;
}

/** The names behind the numbers. */
export function namedLists(columns: readonly Column[]): string[] {
  return (['real', 'ours'] as const)
    .filter((name) => of(columns, name).length > 0)
    .flatMap((name) => [
      list(`${LABELS[name]} failed all three times`, names(columns, name, failed)),
      list(`${LABELS[name]} passed only when run again`, names(columns, name, flaky)),
      list(
        `${LABELS[name]} left a rejection unhandled`,
        of(columns, name).flatMap(({ mode, unhandled }) =>
          unhandled.map(({ id, error }) => `${mode}: ${id}: ${error.split('\n')[0]}`),
        ),
      ),
    ]);
}

const flaky = (outcome: Outcome): boolean => !passedFirstTime(outcome) && !failed(outcome);

const names = (columns: readonly Column[], name: PackageName, select: (outcome: Outcome) => boolean): string[] =>
  of(columns, name).flatMap(({ mode, outcomes }) => outcomes.filter(select).map(({ id }) => `${mode}: ${id}`));

const list = (title: string, items: readonly string[]): string =>
  `${title}:${items.length === 0 ? ' none' : `\n\n${items.map((item) => `- ${item}`).join('\n')}`}`;

export function writeTable(readme: string, columns: readonly Column[], environment: string): void {
  const text = fs.readFileSync(readme, 'utf8');
  const begin = text.indexOf(MARKERS.begin);
  const end = text.indexOf(MARKERS.end);
  if (begin < 0 || end < begin) throw new Error(`${readme} lacks the markers ${MARKERS.begin} and ${MARKERS.end}`);
  const body = [environment, markdownTable(columns), ...namedLists(columns)].join('\n\n');
  fs.writeFileSync(readme, `${text.slice(0, begin + MARKERS.begin.length)}\n${body}\n${text.slice(end)}`);
}
