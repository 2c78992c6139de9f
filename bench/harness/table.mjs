import Table from 'cli-table3';

/** Three significant digits, thousands apart. */
export function formatNumber(value) {
  if (!Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US').replaceAll(',', ' ');
  return String(Number(value.toPrecision(3)));
}

/** One row for each figure, one column for each library: the median, and the least and the greatest round below it. */
export function renderFigures(benchmark, summary) {
  const libraries = Object.keys(summary);
  const table = new Table({ head: [benchmark.name, ...libraries], style: { head: [], border: [] } });
  for (const [figure, unit] of Object.entries(benchmark.figures)) {
    table.push([`${figure} (${unit})`, ...libraries.map((library) => cell(summary[library][figure]))]);
  }
  return `${benchmark.title}\n${table.toString()}`;
}

function cell(figure) {
  if (!figure) return '-';
  const spread = `${formatNumber(figure.min)} … ${formatNumber(figure.max)}`;
  return figure.min === figure.max ? formatNumber(figure.median) : `${formatNumber(figure.median)}\n${spread}`;
}

/** One row for each part of a time: microseconds, its share where there is a total, and what it is for a job. */
export function renderShares(title, parts, { total, jobs }) {
  const table = new Table({ head: [title, 'us', 'share', 'us a job'], style: { head: [], border: [] } });
  for (const [name, microseconds] of parts) {
    const share = total ? `${formatNumber((100 * microseconds) / total)} %` : '';
    table.push([name, formatNumber(Math.round(microseconds)), share, jobs ? formatNumber(microseconds / jobs) : '']);
  }
  return table.toString();
}

/** One row for each target. */
export function renderVerdicts(rows) {
  const table = new Table({
    head: ['benchmark', 'rebottle', 'measured', 'rounds', 'target', ''],
    style: { head: [], border: [] },
  });
  for (const row of rows) {
    table.push([
      row.benchmark,
      row.versus ? `${row.figure} / ${row.versus}'s` : row.figure,
      formatNumber(row.median),
      `${formatNumber(row.min)} … ${formatNumber(row.max)}`,
      bound(row),
      verdict(row),
    ]);
  }
  return table.toString();
}

function bound({ atLeast, atMost }) {
  if (atLeast !== undefined) return `at least ${formatNumber(atLeast)}`;
  return atMost === undefined ? '' : `at most ${formatNumber(atMost)}`;
}

function verdict({ met, absurd }) {
  if (absurd) return 'ABSURD';
  if (met === undefined) return '';
  return met ? 'met' : 'missed';
}
