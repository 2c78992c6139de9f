import { relative } from 'node:path';
import pc from 'picocolors';
import type { CheckResult, Place } from './check.js';
import { type Difference, toDo } from './differences.js';

type Colors = ReturnType<typeof pc.createColors>;

const OVERRIDE_HINT =
  'To give them rebottle, add to package.json: "overrides" (npm), "resolutions" (Yarn) or "pnpm": { "overrides" }, each with { "bottleneck": "npm:rebottle" }.';

/** The result for people: each place, then each difference once. */
export function renderText(result: CheckResult, color: boolean): string {
  const c = pc.createColors(color);
  const sections = [
    renderPlaces(result, c),
    renderDifferences(result, c),
    renderDependents(result, c),
    renderUnreadable(result, c),
    renderSummary(result, c),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** The result for programs. Paths are relative to `directory`. */
export function renderJson(result: CheckResult): string {
  const { directory, clean } = result;
  const places = result.places.map(({ file, differences, ...use }) => ({
    file: relative(directory, file),
    ...use,
    differences: differences.map(({ id }) => id),
  }));
  const differences = distinct(result.places).map((difference) => ({
    ...difference,
    toDo: toDo(difference),
    see: anchor(difference),
  }));
  const dependents = result.dependents.map(({ path, ...rest }) => ({ ...rest, path: relative(directory, path) }));
  const unreadable = result.unreadable.map(({ file, reason }) => ({ file: relative(directory, file), reason }));
  return `${JSON.stringify({ directory, clean, places, differences, dependents, unreadable }, null, 2)}\n`;
}

function renderPlaces({ directory, places }: CheckResult, c: Colors): string {
  const rows = places
    .filter(({ differences }) => differences.length > 0)
    .map((place) => ({
      at: `${relative(directory, place.file)}:${place.line}:${place.column}`,
      what: describe(place),
      ids: place.differences.map(({ id }) => id).join(', '),
    }));
  const widths = { at: longest(rows.map(({ at }) => at)), what: longest(rows.map(({ what }) => what)) };
  return rows
    .map(({ at, what, ids }) => `${at.padEnd(widths.at)}  ${what.padEnd(widths.what)}  ${c.yellow(ids)}`)
    .join('\n');
}

function longest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}

function describe({ what, name }: Place): string {
  const [method, event] = name.split(':');
  if (what === 'method') return event === undefined ? `${name}()` : `${method}('${event}')`;
  return `${what} ${name}`;
}

function renderDifferences({ places }: CheckResult, c: Colors): string {
  return distinct(places)
    .map((difference) =>
      [
        `${c.yellow(difference.id)} (${difference.verdict}): ${difference.title}`,
        `  Bottleneck: ${difference.upstream}`,
        `  rebottle:   ${difference.ours}`,
        `  To do:      ${toDo(difference)}`,
        `  See:        ${anchor(difference)}`,
      ].join('\n'),
    )
    .join('\n\n');
}

function renderDependents({ directory, dependents }: CheckResult, c: Colors): string {
  if (dependents.length === 0) return '';
  const rows = dependents.map(({ name, version, range, path, replaced }) => {
    const state = replaced ? c.green('gets rebottle') : `gets Bottleneck ${range}`;
    return `  ${name}@${version}  ${state}  ${c.dim(relative(directory, path))}`;
  });
  const hint = dependents.some(({ replaced }) => !replaced) ? [OVERRIDE_HINT] : [];
  return [c.underline('Installed packages that use Bottleneck'), ...rows, ...hint].join('\n');
}

function renderUnreadable({ directory, unreadable }: CheckResult, c: Colors): string {
  return unreadable
    .map(({ file, reason }) => `${c.red('could not be read')}  ${relative(directory, file)}  ${reason}`)
    .join('\n');
}

function renderSummary({ places, dependents, clean }: CheckResult, c: Colors): string {
  const files = new Set(places.map(({ file }) => file)).size;
  const different = places.filter(({ differences }) => differences.length > 0).length;
  if (places.length === 0 && dependents.length === 0) return c.green('No use of Bottleneck found.');
  const counts = `${count(places.length, 'place')} in ${count(files, 'file')}, ${different} with a difference; ${count(dependents.length, 'installed package')}.`;
  return clean ? c.green(`Nothing to do. ${counts}`) : counts;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function distinct(places: readonly Place[]): Difference[] {
  const byId = new Map(
    places.flatMap(({ differences }) => differences).map((difference) => [difference.id, difference]),
  );
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function anchor({ id }: Difference): string {
  return `MIGRATION.md#${id}`;
}
