/**
 * Everything there is to use, by name, taken from the declarations of both packages: each has to be what some scenario, or some
 * other test, is about.
 */
import { join } from 'node:path';
import { declaredIn } from './declared';

/** What Bottleneck 2.19.5 has and its declarations leave out, or hide in the type of a result. */
const undeclared = ['clientTimeout', 'version', 'withOptions()'];

const ofBottleneck = declaredIn(require.resolve('bottleneck/bottleneck.d.ts'));
const ofRebottle = declaredIn(join(__dirname, '../types/bottleneck.d.ts'));

export const surface: Record<string, string[]> = {
  'what Bottleneck declares': [...ofBottleneck],
  'what Bottleneck has besides': undeclared,
  'what only rebottle declares': [...ofRebottle].filter(
    (name) => !ofBottleneck.has(name) && !undeclared.includes(name),
  ),
};

/** What needs more than a scenario has at hand, and the test that is about it. */
export const testedElsewhere: Record<string, string> = {
  clusterNodes: 'test/redis/clients-cluster.test.ts',
  // Of rebottle alone:
  'explain()': 'test/unit/explain.test.ts',
  heartbeatInterval: 'test/store/redis-fleet.test.ts',
  traceJobs: 'test/unit/caller-context.test.ts',
  signal: 'test/resident/distributed-limiter.test.ts',
  window: 'test/resident/window-and-bucket.test.ts',
  max: 'test/resident/window-and-bucket.test.ts',
  duration: 'test/resident/window-and-bucket.test.ts',
  bucket: 'test/resident/window-and-bucket.test.ts',
  capacity: 'test/resident/window-and-bucket.test.ts',
  refillPerSecond: 'test/resident/window-and-bucket.test.ts',
  workerHeartbeat: 'test/redis/worker-heartbeat.test.ts',
};
