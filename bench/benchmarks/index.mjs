import growth from './growth.mjs';
import idleLimiters from './idle-limiters.mjs';
import localEventLoop from './local-event-loop.mjs';
import localHeap from './local-heap.mjs';
import localLatency from './local-latency.mjs';
import localPriority from './local-priority.mjs';
import localThroughput from './local-throughput.mjs';
import manyLimiters from './many-limiters.mjs';
import minTime from './min-time.mjs';
import redisLatency from './redis-latency.mjs';
import redisMemory from './redis-memory.mjs';
import redisThroughput from './redis-throughput.mjs';
import slotHandover from './slot-handover.mjs';

export const benchmarks = [
  ...localThroughput,
  ...localPriority,
  ...localLatency,
  ...localHeap,
  ...localEventLoop,
  ...redisThroughput,
  ...redisLatency,
  ...redisMemory,
  ...slotHandover,
  ...manyLimiters,
  ...idleLimiters,
  ...growth,
  ...minTime,
];

export function findBenchmark(name) {
  const found = benchmarks.find((benchmark) => benchmark.name === name);
  if (!found)
    throw new Error(`no benchmark is called ${name}; there are ${benchmarks.map((one) => one.name).join(', ')}`);
  return found;
}
