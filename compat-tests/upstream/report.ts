// The table of a run: for the console, for compat-tests/README.md, and for the exit code.

import * as fs from 'node:fs';
import { failed, type Outcome } from './attempts';
import type { PackageName } from './builds';
import type { ModeName } from './modes';

export interface Column {
  readonly mode: ModeName;
  readonly packageName: PackageName;
  readonly outcomes: Outcome[];
  readonly seconds: number;
}

const LABELS: Readonly<Record<PackageName, string>> = { real: 'bottleneck 2.19.5', ours: 'rebottle' };
const MARKERS = { begin: '<!-- upstream-suite:begin -->', end: '<!-- upstream-suite:end -->' } as const;

interface Counts {
  readonly tests: number;
  readonly passedFirst: number;
  readonly rerun: number;
  readonly failed: number;
}

function count(outcomes: readonly Outcome[]): Counts {
  const passedFirst = outcomes.filter(({ attempts }) => attempts[0]?.passed).length;
  return {
    tests: outcomes.length,
    passedFirst,
    rerun: outcomes.length - passedFirst,
    failed: outcomes.filter(failed).length,
  };
}

const outcomesOf = (columns: readonly Column[], packageName: PackageName): Outcome[] =>
  columns.filter((column) => column.packageName === packageName).flatMap(({ outcomes }) => outcomes);

export function markdownTable(columns: readonly Column[]): string {
  const rows = columns.map(({ mode, packageName, outcomes, seconds }) =>
    row([mode, LABELS[packageName], ...Object.values(count(outcomes)), seconds.toFixed(0)]),
  );
  const totals = (Object.keys(LABELS) as PackageName[])
    .filter((name) => columns.some(({ packageName }) => packageName === name))
    .map((name) => {
      const seconds = columns
        .filter(({ packageName }) => packageName === name)
        .reduce((sum, column) => sum + column.seconds, 0);
      return row(['all', LABELS[name], ...Object.values(count(outcomesOf(columns, name))), seconds.toFixed(0)]);
    });
  return [
    row(['mode', 'package', 'tests', 'passed first time', 'run again', 'failed all three', 'seconds']),
    row(['---', '---', '---:', '---:', '---:', '---:', '---:']),
    ...rows,
    ...totals,
  ].join('\n');
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** The names behind the numbers: what failed all three times, and what passed only on its own. */
export function notFirstTime(columns: readonly Column[], packageName: PackageName, always: boolean): string[] {
  return columns
    .filter((column) => column.packageName === packageName)
    .flatMap(({ mode, outcomes }) =>
      outcomes
        .filter((outcome) => (always ? failed(outcome) : !outcome.attempts[0]?.passed && !failed(outcome)))
        .map(({ id }) => `${mode}: ${id}`),
    );
}

/** What makes the run fail; the real package's failures are expected and only reported. */
export function complaints(columns: readonly Column[]): string[] {
  const ours = count(outcomesOf(columns, 'ours'));
  const found: string[] = [];
  if (ours.failed > 0) found.push(`rebottle failed ${ours.failed} tests`);
  const real = outcomesOf(columns, 'real');
  if (real.length === 0) return found;
  if (ours.tests > 0 && ours.rerun > count(real).rerun) {
    found.push(`rebottle needed ${ours.rerun} tests run again, bottleneck ${count(real).rerun}`);
  }
  return found;
}

export function writeTable(readme: string, columns: readonly Column[], environment: string): void {
  const text = fs.readFileSync(readme, 'utf8');
  const begin = text.indexOf(MARKERS.begin);
  const end = text.indexOf(MARKERS.end);
  if (begin < 0 || end < begin) throw new Error(`${readme} lacks the markers ${MARKERS.begin} and ${MARKERS.end}`);
  const body = [environment, markdownTable(columns), ...namedLists(columns)].join('\n\n');
  fs.writeFileSync(readme, `${text.slice(0, begin + MARKERS.begin.length)}\n${body}\n${text.slice(end)}`);
}

function namedLists(columns: readonly Column[]): string[] {
  return [
    list('bottleneck failed all three times', notFirstTime(columns, 'real', true)),
    list('bottleneck passed only when run again', notFirstTime(columns, 'real', false)),
    list('rebottle passed only when run again', notFirstTime(columns, 'ours', false)),
  ];
}

const list = (title: string, names: readonly string[]): string =>
  `${title}:${names.length === 0 ? ' none' : `\n\n${names.map((name) => `- ${name}`).join('\n')}`}`;
