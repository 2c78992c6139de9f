import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { Metrics } from '../../lib/metrics';

interface Panel {
  title: string;
  targets: Array<{ expr: string }>;
}

const dashboard: { panels: Panel[]; templating: { list: Array<{ name: string; query: unknown }> } } = JSON.parse(
  readFileSync(join(__dirname, '../../docs/grafana-dashboard.json'), 'utf8'),
);
const queries = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));

/** What Grafana puts in place of its variables. */
function filledIn(expr: string): string {
  return expr.replaceAll('$__rate_interval', '1m').replaceAll('$limiter', '.*');
}

describe('docs/grafana-dashboard.json', () => {
  it('holds queries that Prometheus can parse', async () => {
    const { parser } = await import('@prometheus-io/lezer-promql');
    const errorsIn = (expr: string): string[] => {
      const errors: string[] = [];
      parser.parse(expr).iterate({
        enter: ({ type, from }) => {
          if (type.isError) errors.push(`${expr} at ${from}`);
        },
      });
      return errors;
    };
    expect(errorsIn('sum by (le (x)')).not.to.deep.equal([]);
    for (const { title, expr } of queries) expect(errorsIn(filledIn(expr)), title).to.deep.equal([]);
  });

  it('names metrics and labels that exist, and shows every metric', async () => {
    const register = new Registry();
    new Metrics({ register });
    const metrics = register.getMetricsAsArray();
    const shown = new Set<string>();
    for (const { title, expr } of queries) {
      for (const [name] of expr.matchAll(/rebottle_[a-z_]+/g)) {
        const metric = metrics.find(
          (one) => name === one.name || name.replace(/_(bucket|sum|count)$/, '') === one.name,
        );
        expect(metric, `${title}: ${name}`).not.to.equal(undefined);
        shown.add(metric!.name);
        const { labelNames } = metric as unknown as { labelNames: string[] };
        const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels]) => labels!.split(', '));
        const known = [...labelNames, 'le'];
        expect(known, `${title}: labels`).to.include.members(expr.includes('outcome') ? grouped : ['limiter']);
      }
    }
    expect([...shown].sort()).to.deep.equal(metrics.map(({ name }) => name).sort());
    const variable = dashboard.templating.list.find(({ name }) => name === 'limiter');
    expect(JSON.stringify(variable)).to.include('label_values(rebottle_jobs_received_total, limiter)');
  });
});
