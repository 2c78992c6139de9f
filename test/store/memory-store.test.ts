import { MonotonicClock } from '../../lib/clock';
import { MemoryStore } from '../../lib/store/memory/memory-store';
import { describeStore } from './describe-store';

describeStore('MemoryStore', ({ settings, timeout }) => {
  const clock = new MonotonicClock();
  return new MemoryStore('test', settings, timeout, Promise.resolve({}), clock, clock.now());
});
