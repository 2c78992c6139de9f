import { knownDifferences } from '../generated/known-differences.js';
import type { Use } from './uses.js';

/** An entry of MIGRATION.md. */
export interface Difference {
  /** Also its anchor in MIGRATION.md. */
  readonly id: string;
  readonly title: string;
  readonly upstream: string;
  readonly ours: string;
  readonly verdict: 'kept' | 'fixed' | 'by design';
  readonly why: string;
  readonly options?: readonly string[];
  /** `on` stands for listeners of any event, `on:error` for those of one. */
  readonly methods?: readonly string[];
}

/** Differences of the package itself rather than of its limiters; they have sections of their own in MIGRATION.md. */
const STRUCTURAL: Partial<Record<Use['what'], Difference>> = {
  'internal import': {
    id: 'deep-imports',
    title: "Imports of files inside Bottleneck's lib/ or src/",
    upstream: 'Any file of the package can be imported.',
    ours: 'Only lib/index.js and lib/Bottleneck.js resolve, to the class.',
    verdict: 'by design',
    why: 'The files inside are another program.',
  },
  'private member': {
    id: 'private-members',
    title: 'Members whose name begins with an underscore',
    upstream: 'Reachable, undocumented.',
    ours: "Most do not exist; the few that Bottleneck's own tests reach for may go at any time.",
    verdict: 'by design',
    why: 'They are no part of the API.',
  },
};

const TO_DO: Record<string, string> = {
  'deep-imports': 'Import the package itself and use its statics.',
  'private-members': 'Use the public method for it, or keep this limiter on Bottleneck with migrate().',
  fixed: 'Nothing, unless the code counts on the old behaviour or works around it.',
  'by design': 'Read the entry, and check that the code does not count on the old behaviour.',
  kept: 'Nothing.',
};

export function toDo({ id, verdict }: Difference): string {
  return TO_DO[id] ?? TO_DO[verdict] ?? '';
}

/** Every difference that a check can name. */
export function allDifferences(): readonly Difference[] {
  return [...knownDifferences, ...Object.values(STRUCTURAL)];
}

/** What behaves differently at a place. An oddity that was kept is no difference. */
export function differencesAt(use: Use, known: readonly Difference[] = knownDifferences): readonly Difference[] {
  const structural = STRUCTURAL[use.what];
  if (structural !== undefined) return [structural];
  return known.filter((difference) => difference.verdict !== 'kept' && concerns(difference, use));
}

function concerns({ options = [], methods = [] }: Difference, { what, name }: Use): boolean {
  if (what === 'option') return options.includes(name);
  if (what !== 'method') return false;
  return methods.includes(name) || methods.includes(name.replace(/:.*/, ''));
}
