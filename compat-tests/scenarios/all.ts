/** Every scenario there is. */
import { faults } from './faults';
import type { Scenario } from './scenario';

export const scenarios: Scenario[] = [...faults];
