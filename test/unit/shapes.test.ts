import { setFlagsFromString } from 'node:v8';
import { expect } from 'chai';
import { Bottleneck } from '../../lib/bottleneck';
import type { Job } from '../../lib/scheduler/job';
import { kept } from '../../lib/shapes';
import type { TicketQueue } from '../../lib/store/memory/ticket-queue';

/** Whether V8 lays out both objects alike, so that code compiled for the one goes for the other. */
let haveSameShape: (a: object, b: object) => boolean;

type Parts = Record<string, object> & { queue: TicketQueue };

/** What every step of a limiter goes through, but for objects that are laid out anew when a number becomes a fraction. */
function partsOf(limiter: Bottleneck): Parts {
  const scheduler = limiter._scheduler as unknown as { outbox: object; ready: object; states: object };
  const { state } = limiter._engine as unknown as { state: { queue: TicketQueue } };
  const { outbox, ready, states } = scheduler;
  const { _engine: store, Events: events } = limiter;
  return { limiter, scheduler, outbox, ready, states, store, events, queue: state.queue };
}

describe('keepShapes', () => {
  before(() => {
    setFlagsFromString('--allow-natives-syntax');
    haveSameShape = new Function('a', 'b', 'return %HaveSameMap(a, b)') as typeof haveSameShape;
    haveSameShape({}, {}); // compiles it
    setFlagsFromString('--no-allow-natives-syntax');
  });

  it('keeps one limiter, laid out as those are that have worked', async () => {
    expect(kept.size).to.equal(1);
    const worked = new Bottleneck({ maxConcurrent: 1 });
    await Promise.all([worked.schedule(() => {}), worked.schedule(() => {})]);
    const [before, after] = [partsOf([...kept][0]!), partsOf(worked)];
    for (const [name, part] of Object.entries(after)) expect(haveSameShape(before[name]!, part), name).to.equal(true);
  });

  it('keeps a job without arguments and one with them, which never start', () => {
    const limiter = new Bottleneck();
    const jobs = [...partsOf([...kept][0]!).queue] as Job[];
    const made = [limiter._newJob(() => {}, null, null), limiter._newJob(() => {}, [1], null)];
    expect(jobs).to.have.length(2);
    for (const [index, job] of jobs.entries()) expect(haveSameShape(job, made[index]!)).to.equal(true);
  });
});
