/** Runs one scenario on one package. */
import type { Subject } from '../harness/subjects';
import type { Trace } from '../harness/trace';
import { captureUnhandled } from '../harness/unhandled';
import { VirtualTime } from '../harness/virtual-time';
import type { Scenario } from './scenario';
import { World } from './world';

export interface Performance {
  result: unknown;
  trace: Trace;
}

export async function perform(scenario: Scenario, subject: Subject): Promise<Performance> {
  const time = new VirtualTime({ hops: scenario.hops ?? 'free' });
  const world = new World(subject, time);
  const restore = captureUnhandled((error) => {
    const text = world.recorder.show(error);
    world.unhandled.push(text);
    world.recorder.note('unhandled', text);
  });
  try {
    const result = await scenario.run(world);
    await time.settle();
    return { result, trace: world.recorder.trace };
  } finally {
    time.uninstall();
    restore();
  }
}
