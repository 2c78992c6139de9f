import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { BACKOFF_DEFAULTS } from '../../../lib/resident/backoff';
import { LIMITER_STOP_RULES, LIST_RULES } from '../../../lib/resident/distributed-limiter';
import * as errors from '../../../lib/resident/errors';
import { MANAGER_RULES } from '../../../lib/resident/limiter-manager';
import type { OptionRule, OptionRules } from '../../../lib/resident/option-rules';
import { CONFIG_RULES, SCHEDULE_RULES } from '../../../lib/resident/options';
import { POOL_RULES, POOL_STOP_RULES } from '../../../lib/resident/worker-pool';

const text = readFileSync(join(__dirname, '../../../docs/RESIDENT.md'), 'utf8');

/** Rows of the table that stands first below a heading, and begins with that column. */
function rows(heading: string, column: string): string[][] {
  const below = text.slice(text.indexOf(`\n${heading}\n`));
  const lines = below.slice(below.indexOf(`\n| ${column} |`) + 1).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  const cells = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  return lines.slice(2, end).map(cells);
}

function defaultOf(rule: OptionRule): string {
  if (rule.defaultText !== undefined) return rule.defaultText;
  if (rule.default === null) return 'none';
  return `\`${typeof rule.default === 'string' ? `'${rule.default}'` : String(rule.default)}\``;
}

describe('docs/RESIDENT.md', () => {
  const required: OptionRule = { expected: 'a text that is not empty', unit: '', default: null, accepts: () => true };
  const limiterRules: OptionRules = { id: required, pool: MANAGER_RULES.pool!, ...CONFIG_RULES };
  const tables: [heading: string, column: string, rules: OptionRules][] = [
    ['## WorkerPool', 'option', POOL_RULES],
    ['## WorkerPool', 'option of `stop`', POOL_STOP_RULES],
    ['## DistributedLimiter', 'option', limiterRules],
    ['### schedule', 'option of a job', SCHEDULE_RULES],
    ['### Jobs of any process', 'option of `getJobs`', LIST_RULES],
    ['### Ending', 'option of `stop`', LIMITER_STOP_RULES],
    ['## LimiterManager', 'option', MANAGER_RULES],
  ];

  for (const [heading, column, rules] of tables) {
    it(`has every option with type, unit, default and meaning: ${heading.replace(/#+ /, '')}, ${column}`, () => {
      const documented = rows(heading, column);
      const expected = Object.entries(rules).map(([name, rule]) => {
        const type = rule.nullable ? `${rule.expected}, or null for no limit` : rule.expected;
        return [`\`${name}\``, type, rule.unit, defaultOf(rule)];
      });
      expect(documented.map((row) => row.slice(0, 4))).to.deep.equal(expected);
      for (const [name, , , , meaning] of documented) expect(meaning, name).to.match(/\w{4,}/);
    });
  }

  it('has the fields of backoff with their defaults', () => {
    const documented = rows('### schedule', 'field of `backoff`').map(([name, , value]) => [name, value]);
    expect(documented).to.deep.equal(
      Object.entries(BACKOFF_DEFAULTS).map(([name, value]) => [`\`${name}\``, `\`${value}\``]),
    );
  });

  it('has every error with its code', () => {
    const documented = rows('## Errors', 'class').map(([name, code]) => [name!.slice(1, -1), code!.slice(1, -1)]);
    const bases = ['RebottleError', 'JobError'];
    expect(documented.map(([name]) => name)).to.have.members(
      Object.keys(errors).filter((name) => !bases.includes(name)),
    );
    const source = readFileSync(join(__dirname, '../../../lib/resident/errors.ts'), 'utf8');
    for (const [name, code] of documented) {
      const body = source.slice(source.indexOf(`class ${name} `));
      expect(/'([A-Z]+_[A-Z_]+)'/.exec(body)?.[1], name).to.equal(code);
    }
  });
});
