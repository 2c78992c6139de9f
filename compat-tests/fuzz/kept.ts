/** Scenarios that once diverged. They are kept shrunk and whole, so that a change of the generator does not lose them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from './scenario';

const FILE = join(__dirname, 'kept-scenarios.json');

export function keptScenarios(): Scenario[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Scenario[];
}

export function keep(scenario: Scenario): void {
  const kept = keptScenarios();
  if (kept.some((other) => JSON.stringify(other) === JSON.stringify(scenario))) return;
  const lines = [...kept, scenario].map((one) => `  ${JSON.stringify(one)}`);
  writeFileSync(FILE, `[\n${lines.join(',\n')}\n]\n`);
}
