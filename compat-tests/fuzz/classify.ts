/** Which known difference explains a divergence. Each rule looks at the scenario first: it must contain the cause. */
import type { Difference } from '../harness/trace';
import { knownDifferences } from '../known-differences';
import type { Action, Scenario, Settings } from './scenario';

interface Rule {
  /** Id in `known-differences.ts`. */
  id: string;
  explains(scenario: Scenario, differences: Difference[]): boolean;
}

const rules: Rule[] = [
  {
    id: 'settings-calls-stop-the-refill',
    explains: (scenario) => hasInterval(scenario) && scenario.actions.some((action) => action.kind === 'update'),
  },
];

export function classify(scenario: Scenario, differences: Difference[]): string | null {
  return rules.find((rule) => rule.explains(scenario, differences))?.id ?? null;
}

/** Ids that the rules name and the list does not. */
export function unknownIds(): string[] {
  const known = new Set(knownDifferences.map((difference) => difference.id));
  return rules.map((rule) => rule.id).filter((id) => !known.has(id));
}

function allSettings(scenario: Scenario): Settings[] {
  const updates = scenario.actions.filter((action): action is Action & { kind: 'update' } => action.kind === 'update');
  return [
    scenario.group ?? {},
    ...scenario.limiters.map((plan) => plan.settings),
    ...updates.map((action) => action.settings),
  ];
}

function hasInterval(scenario: Scenario): boolean {
  return allSettings(scenario).some(
    (settings) => settings.reservoirRefreshInterval || settings.reservoirIncreaseInterval,
  );
}
