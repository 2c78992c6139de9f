/** Every scenario there is. */
import { batching } from './batching';
import { construction } from './constructor';
import { events } from './events';
import { faults } from './faults';
import { groups } from './groups';
import { jobs } from './jobs';
import { lifecycle } from './lifecycle';
import { limits } from './limits';
import { retries } from './retries';
import type { Scenario } from './scenario';
import { settings } from './settings';
import { stopAndChain } from './stop-and-chain';
import { withoutRedis } from './without-redis';

export const scenarios: Scenario[] = [
  ...construction,
  ...limits,
  ...jobs,
  ...lifecycle,
  ...events,
  ...retries,
  ...settings,
  ...stopAndChain,
  ...groups,
  ...batching,
  ...withoutRedis,
  ...faults,
];
