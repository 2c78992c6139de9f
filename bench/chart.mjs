// Draws charts from what `npm run bench -- --json FILE` wrote: node chart.mjs OUTPUT.svg FILE ...
import { writeFile } from 'node:fs/promises';
import * as echarts from 'echarts';
import { readReport } from './harness/report.mjs';

const WIDTH = 860;
const GRID_HEIGHT = 300;
const COLOURS = {
  rebottle: '#d9480f',
  bottleneck: '#868e96',
  'p-limit': '#1c7ed6',
  'p-queue': '#4dabf7',
  bullmq: '#2f9e44',
  'bee-queue': '#8ce99a',
  'bare-redis': '#ced4da',
};

/** One chart for each name that benchmarks give as `chart`. */
function groups({ benchmarks }) {
  const byChart = new Map();
  for (const benchmark of benchmarks.filter(({ chart }) => chart)) {
    byChart.set(benchmark.chart, [...(byChart.get(benchmark.chart) ?? []), benchmark]);
  }
  return [...byChart];
}

/** A bar's name, without what the chart's title says already. */
function shortTitle(title) {
  return title
    .replace(/^(local|Redis), /, '')
    .replace(', all at once', '')
    .replace(', priorities', ',\npriorities');
}

function series(benchmarks, grid) {
  const libraries = [...new Set(benchmarks.flatMap(({ summary }) => Object.keys(summary)))];
  return libraries.map((library) => ({
    name: library,
    type: 'bar',
    xAxisIndex: grid,
    yAxisIndex: grid,
    itemStyle: { color: COLOURS[library] },
    label: { show: true, position: 'top', fontSize: 10, formatter: ({ value }) => formatShort(value) },
    data: benchmarks.map(({ summary }) => summary[library]?.jobsPerSecond.median),
  }));
}

function formatShort(value) {
  return value >= 1000 ? `${Number((value / 1000).toPrecision(2))}k` : String(Math.round(value));
}

function option(report) {
  const charts = groups(report);
  const top = (index) => 70 + index * GRID_HEIGHT;
  return {
    backgroundColor: '#ffffff',
    legend: { top: 8, itemGap: 24 },
    title: charts.map(([chart], index) => ({
      text: `${chart} (logarithmic)`,
      top: top(index) - 32,
      left: 16,
      textStyle: { fontSize: 13 },
    })),
    grid: charts.map((_, index) => ({ top: top(index), height: GRID_HEIGHT - 110, left: 70, right: 20 })),
    xAxis: charts.map(([, benchmarks], gridIndex) => ({
      type: 'category',
      gridIndex,
      data: benchmarks.map(({ title }) => shortTitle(title)),
    })),
    yAxis: charts.map((_, gridIndex) => ({ type: 'log', gridIndex, min: 100, axisLabel: { formatter: formatShort } })),
    series: charts.flatMap(([, benchmarks], grid) => series(benchmarks, grid)),
    graphic: {
      type: 'text',
      bottom: 8,
      left: 16,
      style: {
        text: `${report.machine.text}; medians of ${report.rounds} interleaved rounds`,
        fontSize: 10,
        fill: '#868e96',
      },
    },
  };
}

const [output, ...files] = process.argv.slice(2);
if (files.length === 0) throw new Error('usage: node chart.mjs OUTPUT.svg FILE ..., FILE as written by npm run bench');
const report = await readReport(files);
const chart = echarts.init(null, null, {
  renderer: 'svg',
  ssr: true,
  width: WIDTH,
  height: 60 + GRID_HEIGHT * groups(report).length,
});
chart.setOption({ ...option(report), animation: false });
await writeFile(output, chart.renderToSVGString());
chart.dispose();
console.log(`${output} was drawn from ${files.join(', ')}`);
