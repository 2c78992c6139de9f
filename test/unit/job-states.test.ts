import { expect } from 'chai';
import { BottleneckError } from '../../lib/errors';
import { JobStates, State } from '../../lib/scheduler/job-states';

class TestJob {
  state: State | null = State.Received;
  nextAnonymous: TestJob | null = null;
  previousAnonymous: TestJob | null = null;

  constructor(
    readonly key: string,
    readonly anonymous = false,
  ) {}
}

function setUp(trackDone = false) {
  const states = new JobStates<TestJob>(trackDone);
  return {
    states,
    add(key: string, anonymous = false): TestJob {
      const job = new TestJob(key, anonymous);
      states.add(job);
      return job;
    },
    move(job: TestJob, to: State): void {
      const from = job.state!;
      job.state = to;
      states.move(job, from, to);
    },
  };
}

describe('JobStates', () => {
  it('counts jobs by state', () => {
    const { states, add, move } = setUp();
    const [a, b] = [add('a'), add('b', true)];
    expect(states.countsByName()).to.deep.equal({ RECEIVED: 2, QUEUED: 0, RUNNING: 0, EXECUTING: 0 });
    move(a, State.Queued);
    move(b, State.Queued);
    move(b, State.Running);
    expect(states.countsByName()).to.deep.equal({ RECEIVED: 0, QUEUED: 1, RUNNING: 1, EXECUTING: 0 });
    expect(states.unfinished).to.equal(2);
  });

  for (const anonymous of [false, true]) {
    describe(anonymous ? 'a job whose id was made up' : 'a job with an id', () => {
      const id = anonymous ? '<no-id>-7' : 'seven';

      it('is found until it is done', () => {
        const { states, add, move } = setUp();
        const job = add(id, anonymous);
        expect([states.has(id), states.find(id), states.status(id)]).to.deep.equal([true, job, 'RECEIVED']);
        move(job, State.Executing);
        expect(states.status(id)).to.equal('EXECUTING');
        move(job, State.Done);
        expect([states.has(id), states.find(id), states.status(id)]).to.deep.equal([false, undefined, null]);
        expect(states.unfinished).to.equal(0);
      });

      it('is remembered as done where that is asked for', () => {
        const { states, add, move } = setUp(true);
        move(add(id, anonymous), State.Done);
        expect([states.find(id), states.status(id)]).to.deep.equal([undefined, 'DONE']);
        expect(states.ids('DONE')).to.deep.equal([id]);
        expect(states.countsByName().DONE).to.equal(1);
      });

      it('is gone when it is removed', () => {
        const { states, add } = setUp(true);
        const job = add(id, anonymous);
        states.remove(job, State.Received);
        expect([states.has(id), states.status(id), states.unfinished]).to.deep.equal([false, null, 0]);
      });
    });
  }

  it('an id that is done is taken where done jobs are remembered', () => {
    const { states, add, move } = setUp(true);
    move(add('a'), State.Done);
    expect(states.has('a')).to.equal(true);
  });

  it('lists all ids in the order in which the jobs came, the made-up ones behind', () => {
    const { states, add, move } = setUp(true);
    const jobs = [add('a'), add('<no-id>-1', true), add('b'), add('<no-id>-2', true), add('c')];
    move(jobs[0]!, State.Executing);
    move(jobs[1]!, State.Done);
    move(jobs[2]!, State.Done);
    expect(states.ids()).to.deep.equal(['a', 'b', 'c', '<no-id>-2', '<no-id>-1']);
  });

  it('lists ids, of all jobs or of one state', () => {
    const { states, add, move } = setUp();
    add('a');
    move(add('b'), State.Queued);
    move(add('<no-id>-1', true), State.Queued);
    expect(states.ids().sort()).to.deep.equal(['<no-id>-1', 'a', 'b']);
    expect(states.ids('QUEUED').sort()).to.deep.equal(['<no-id>-1', 'b']);
    expect(states.ids('EXECUTING')).to.deep.equal([]);
  });

  it('says which states there are when it is asked for another', () => {
    expect(() => setUp().states.ids('BUSY')).to.throw(
      BottleneckError,
      'status must be one of RECEIVED, QUEUED, RUNNING, EXECUTING',
    );
    expect(() => setUp().states.ids('DONE')).to.throw(BottleneckError, 'status must be one of');
    expect(setUp(true).states.ids('DONE')).to.deep.equal([]);
  });

  it('gives the jobs that have not come to a state', () => {
    const { states, add, move } = setUp();
    const [a, b, c, d] = [add('a'), add('b', true), add('c'), add('d', true)];
    move(b, State.Running);
    move(c, State.Executing);
    move(d, State.Queued);
    expect(states.jobsBefore(State.Executing)).to.have.members([a, b, d]);
    expect(states.jobsBefore(State.Queued)).to.deep.equal([a]);
  });

  it('keeps made-up ids in order whichever of them ends first', () => {
    for (const gone of [0, 1, 2]) {
      const { states, add, move } = setUp();
      const jobs = [add('1', true), add('2', true), add('3', true)];
      move(jobs[gone]!, State.Done);
      expect(states.jobsBefore(State.Done)).to.deep.equal(jobs.filter((_, i) => i !== gone));
      const last = add('4', true);
      expect(states.jobsBefore(State.Done).at(-1)).to.equal(last);
    }
  });

  it('counts a job that is nowhere else, where done jobs are counted', () => {
    const tracking = setUp(true).states;
    tracking.countDone();
    expect(tracking.countsByName().DONE).to.equal(1);
    const plain = setUp().states;
    plain.countDone();
    expect(plain.countsByName()).not.to.have.property('DONE');
  });
});
