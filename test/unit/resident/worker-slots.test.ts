import { expect } from 'chai';
import { WorkerSlots } from '../../../lib/resident/worker-slots';
import { Job } from '../../../lib/scheduler/job';
import { State } from '../../../lib/scheduler/job-states';

describe('WorkerSlots', () => {
  function job(id: string, priority = 5): Job {
    const made = new Job(() => {}, [], { priority, weight: 1, expiration: null, id }, false);
    made.state = State.Running;
    return made;
  }

  it('lets as many jobs execute as it may, and others when they end: by priority, then arrival', () => {
    const slots = new WorkerSlots(2);
    const begun: string[] = [];
    const take = (one: Job): boolean => slots.take(one, (next) => begun.push(next.id));
    const [a, b] = [job('a'), job('b')];
    expect([a, b].map(take)).to.deep.equal([true, true]);
    expect([job('c', 9), job('d', 5), job('e', 5), job('f', 0)].map(take)).to.deep.equal([false, false, false, false]);
    expect(slots.taken).to.equal(2);
    slots.free(a);
    slots.free(b);
    expect(begun).to.deep.equal(['f', 'd']);
    expect(slots.taken).to.equal(2);
  });

  it('takes the same job once, and frees it once', () => {
    const slots = new WorkerSlots(1);
    const a = job('a');
    expect(slots.take(a, () => {})).to.equal(true);
    expect(slots.take(a, () => {})).to.equal(true);
    slots.free(a);
    slots.free(a);
    expect(slots.taken).to.equal(0);
    expect(slots.take(job('b'), () => {})).to.equal(true);
  });

  it('passes over jobs that ended while they waited', () => {
    const slots = new WorkerSlots(1);
    const begun: string[] = [];
    const take = (one: Job): boolean => slots.take(one, (next) => begun.push(next.id));
    const [a, dropped, c] = [job('a'), job('dropped'), job('c')];
    for (const one of [a, dropped, c]) take(one);
    dropped.state = null;
    slots.free(a);
    expect(begun).to.deep.equal(['c']);
  });
});
