// One measurement in a process of its own: nothing that another library left (optimised code, heap, timers) counts.
import { findBenchmark } from '../benchmarks/index.mjs';
import { Profiler } from './profiler.mjs';
import { RedisProbe } from './redis-probe.mjs';
import { probeTimers } from './timer-probe.mjs';

const { benchmark: name, library, sizes, port, profile: isProfiled } = JSON.parse(process.argv[2]);
const benchmark = findBenchmark(name);
const timers = benchmark.countTimers ? probeTimers() : undefined;
const { default: adapter } = await import(`../adapters/${library}.mjs`);
const probe = port ? new RedisProbe(port) : undefined;

const profiler = isProfiled ? new Profiler() : undefined;

try {
  if (profiler && probe) profiler.follow(probe);
  await profiler?.start();
  const figures = await benchmark.measure({ adapter, sizes, port, probe, timers });
  process.send({ figures, profile: await profiler?.stop() }, () => process.exit(0));
} catch (error) {
  process.send({ fault: error.stack ?? String(error) }, () => process.exit(1));
}
