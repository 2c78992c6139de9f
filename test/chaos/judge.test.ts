import { expect } from 'chai';
import { historyOf } from './history';
import { INVARIANTS, judge } from './judge';
import type { Entry, LogRecord } from './log';
import type { Rules, Violation } from './rules';

const RULES: Rules = {
  maxConcurrent: 2,
  minTime: 0,
  reservoir: null,
  clientTimeout: 1000,
  heartbeatInterval: 200,
  fleetOrder: true,
  keysAllowed: /^b_/,
};

type Line = [t: number, by: string, record: Record<string, unknown> & { k: LogRecord['k'] }];

/** A log by hand; workers a and b are there from the start, and the end is in order. */
class Story {
  private readonly lines: Line[] = [
    [0, 'a', { k: 'open', worker: 'a', pid: 1 }],
    [0, 'b', { k: 'open', worker: 'b', pid: 2 }],
  ];
  private resting = true;

  add(t: number, by: string, record: Line[2]): this {
    this.lines.push([t, by, record]);
    return this;
  }

  /** A job from its submission to its settlement; times of submission, start and end. */
  job(id: string, [submit, start, end]: [number, number, number], options: Record<string, unknown> = {}): this {
    const by = id[0]!;
    return this.add(submit, by, { k: 'submit', job: id, priority: 5, weight: 1, ...options })
      .add(submit + 1, by, { k: 'queued', job: id })
      .add(start, by, { k: 'scheduled', job: id })
      .add(start, by, { k: 'start', job: id, attempt: 0, lag: 0 })
      .add(end, by, { k: 'end', job: id, attempt: 0, ok: true })
      .add(end, by, { k: 'settle', job: id, ok: true });
  }

  fault(fault: string, from: number, until: number, worker?: string): this {
    return this.add(from, 'driver', { k: 'fault', fault, until, ...(worker ? { worker } : {}) });
  }

  restless(): this {
    this.resting = false;
    return this;
  }

  judge(rules: Partial<Rules> = {}) {
    const lines = [...this.lines];
    const end = Math.max(...lines.map(([t]) => t));
    if (this.resting) lines.push([end + 1, 'driver', { k: 'rest', running: 0, queued: 0, counts: { DONE: 1 } }]);
    const entries = lines.map(([t, by, record]) => ({ t, by, ...record }) as Entry).sort((x, y) => x.t - y.t);
    return judge(historyOf(entries), { ...RULES, ...rules });
  }

  violations(rules: Partial<Rules> = {}): Violation[] {
    return this.judge(rules).violations;
  }
}

function kinds(violations: Violation[]): string[] {
  return violations.map(({ invariant }) => invariant);
}

describe('the judge of the chaos runs', () => {
  it('finds nothing in a run where all is well', () => {
    const story = new Story().job('a1', [0, 5, 50]).job('b1', [1, 6, 60]).job('a2', [2, 55, 90]);
    expect(story.violations()).to.deep.equal([]);
  });

  it('lists every violation, not only the first', () => {
    const story = new Story()
      .job('a1', [0, 5, 50])
      .job('a2', [0, 5, 50])
      .job('a3', [0, 5, 50])
      .job('a4', [100, 101, 150])
      .job('a5', [100, 101, 150])
      .job('a6', [100, 101, 150])
      .add(150, 'a', { k: 'submit', job: 'a7', priority: 5, weight: 1 });
    expect(kinds(story.violations())).to.deep.equal(['maxConcurrent', 'maxConcurrent', 'settled']);
  });

  describe('maxConcurrent', () => {
    it('counts weights', () => {
      const story = new Story().job('a1', [0, 5, 50], { weight: 2 }).job('b1', [1, 30, 60]);
      expect(story.violations()[0]).to.include({ invariant: 'maxConcurrent', job: 'b1', excess: 1, lasted: 20 });
    });

    it('lets one begin at the moment when another ends', () => {
      expect(new Story().job('a1', [0, 5, 50], { weight: 2 }).job('b1', [1, 50, 60]).violations()).to.deep.equal([]);
    });

    it('does not count a dead process', () => {
      const story = (killed: number) =>
        new Story()
          .add(0, 'a', { k: 'submit', job: 'a1', priority: 5, weight: 2 })
          .add(5, 'a', { k: 'start', job: 'a1', attempt: 0, lag: 0 })
          .add(killed, 'driver', { k: 'kill', worker: 'a' })
          .job('b1', [1, 100, 150]);
      expect(story(90).violations()).to.deep.equal([]);
      expect(kinds(story(110).violations())).to.deep.equal(['maxConcurrent']);
    });

    it('counts a job no longer than its expiration', () => {
      const story = (expiration: number) =>
        new Story().job('a1', [0, 5, 500], { weight: 2, expiration }).job('b1', [1, 300, 310]);
      expect(story(200).violations()).to.deep.equal([]);
      expect(kinds(story(400).violations())).to.deep.equal(['maxConcurrent']);
    });

    it('does not count a process that was silent for longer than clientTimeout, but one that was for less', () => {
      const story = (until: number) =>
        new Story().job('a1', [0, 5, 3000], { weight: 2 }).job('b1', [1, 1500, 1600]).fault('pause', 10, until, 'a');
      expect(story(2000).violations()).to.deep.equal([]);
      expect(kinds(story(500).violations())).to.deep.equal(['maxConcurrent']);
    });

    it('takes the first start that a stopped process tells of for one from before, and no other', () => {
      const story = new Story().job('b1', [1, 1900, 2100], { weight: 2 }).fault('pause', 10, 2000, 'a');
      const begins = (id: string, at: number) =>
        story
          .add(2, 'a', { k: 'submit', job: id, priority: 5, weight: 1 })
          .add(3, 'a', { k: 'scheduled', job: id })
          .add(at, 'a', { k: 'start', job: id, attempt: 0, lag: 1990 })
          .add(at + 50, 'a', { k: 'end', job: id, attempt: 0, ok: true })
          .add(at + 50, 'a', { k: 'settle', job: id, ok: true });
      expect(begins('a1', 2001).violations()).to.deep.equal([]);
      expect(kinds(begins('a2', 2002).violations())).to.deep.equal(['maxConcurrent']);
    });

    it('tolerates an excess after Redis lost its data only where a process could not tell what it runs', () => {
      const story = (at: number) =>
        new Story()
          .job('a1', [0, 5, 5000], { weight: 2 })
          .job('b1', [1, at, at + 10])
          .fault('flushall', 90, 91);
      const cutOff = (at: number) => story(at).fault('refuse', 80, 500, 'a');
      expect(kinds(story(100).violations())).to.deep.equal(['maxConcurrent']);
      expect(cutOff(100).violations()).to.deep.equal([]);
      expect(cutOff(100).judge().tolerated[0]).to.include({ invariant: 'maxConcurrent', after: 'flushall' });
      expect(kinds(cutOff(3500).violations())).to.deep.equal(['maxConcurrent']);
    });
  });

  describe('minTime', () => {
    const rules = { minTime: 50, maxConcurrent: null };

    it('sees two starts that are too close, whoever made them', () => {
      const story = new Story().job('a1', [0, 5, 10]).job('b1', [0, 35, 60]);
      expect(story.violations(rules)[0]).to.include({ invariant: 'minTime', job: 'b1', excess: 20 });
    });

    it('allows as much as the timers of the earlier process were late', () => {
      const story = new Story()
        .add(0, 'a', { k: 'submit', job: 'a1', priority: 5, weight: 1 })
        .add(25, 'a', { k: 'start', job: 'a1', attempt: 0, lag: 20 })
        .add(30, 'a', { k: 'end', job: 'a1', attempt: 0, ok: true })
        .add(30, 'a', { k: 'settle', job: 'a1', ok: true })
        .job('b1', [0, 55, 60]);
      expect(story.violations(rules)).to.deep.equal([]);
    });

    it('allows as much as the driver was late in passing on what Redis said, and for as long', () => {
      const story = (at: number) =>
        new Story().job('a1', [0, 25, 30]).job('b1', [0, 55, 60]).add(at, 'driver', { k: 'late', ms: 20 });
      expect(story(24).violations(rules)).to.deep.equal([]);
      expect(kinds(story(40).violations(rules))).to.deep.equal(['minTime']);
    });

    it('sees waits that are all a little too short', () => {
      const story = new Story();
      for (let i = 0; i < 6; i++) story.job(`a${i}`, [0, 1 + i * 45, 2 + i * 45]);
      expect(kinds(story.violations(rules))).to.deep.equal(['minTime']);
    });

    it('does not count retries', () => {
      const story = new Story()
        .job('a1', [0, 5, 10])
        .add(11, 'a', { k: 'start', job: 'a1', attempt: 1, lag: 0 })
        .add(12, 'a', { k: 'end', job: 'a1', attempt: 1, ok: true });
      expect(story.violations(rules)).to.deep.equal([]);
    });

    it('tolerates a start that was held up by a short silence, not by one after which it should have asked', () => {
      const story = (from: number) =>
        new Story().job('a1', [0, 2005, 2010]).job('b1', [0, 2020, 2060]).fault('freeze', from, 2004, 'a');
      expect(story(1900).violations(rules)).to.deep.equal([]);
      expect(story(1900).judge(rules).tolerated[0]).to.include({ invariant: 'minTime', after: 'freeze' });
      expect(kinds(story(100).violations(rules))).to.deep.equal(['minTime']);
    });
  });

  describe('reservoir', () => {
    const rules = { maxConcurrent: null, reservoir: { amount: 3, interval: 100 } };
    const starts = (...times: number[]) =>
      times.reduce((story, t, i) => story.job(`a${i}`, [0, t, t + 1]), new Story());

    it('lets two windows meet', () => {
      expect(starts(90, 91, 92, 101, 102, 103, 201).violations(rules)).to.deep.equal([]);
    });

    it('sees more than two windows could give', () => {
      expect(kinds(starts(90, 91, 92, 101, 102, 103, 150).violations(rules))).to.deep.equal(['reservoir']);
    });

    it('counts weights', () => {
      const story = new Story().job('a1', [0, 5, 6], { weight: 3 }).job('a2', [0, 6, 7], { weight: 3 });
      expect(story.violations(rules)).to.deep.equal([]);
      expect(kinds(story.job('a3', [0, 7, 8]).violations(rules))).to.deep.equal(['reservoir']);
    });
  });

  describe('once', () => {
    const twice = (attempt: number) =>
      new Story()
        .job('a1', [0, 5, 10])
        .add(20, 'a', { k: 'start', job: 'a1', attempt, lag: 0 })
        .add(25, 'a', { k: 'end', job: 'a1', attempt, ok: true });

    it('sees a function that ran again', () => {
      expect(kinds(twice(0).violations())).to.deep.equal(['once']);
    });

    it('lets a retry run', () => {
      expect(twice(1).violations()).to.deep.equal([]);
    });
  });

  describe('settled', () => {
    const unfinished = () =>
      new Story()
        .add(0, 'a', { k: 'submit', job: 'a1', priority: 5, weight: 1 })
        .add(1, 'a', { k: 'queued', job: 'a1' });

    it('sees a promise that never settled, unless its process was killed', () => {
      expect(unfinished().violations()[0]?.what).to.contain('a1 never settled (queued)');
      expect(unfinished().add(5, 'driver', { k: 'kill', worker: 'a' }).violations()).to.deep.equal([]);
    });

    it('sees a promise that resolved before its function returned', () => {
      const story = unfinished().add(5, 'a', { k: 'settle', job: 'a1', ok: true });
      expect(kinds(story.violations())).to.deep.equal(['settled']);
    });

    it('sees a wrong value', () => {
      const story = new Story().job('a1', [0, 5, 10]);
      const wrong = story.add(9, 'a', { k: 'settle', job: 'a1', ok: true, problem: 'resolved with 1' });
      expect(wrong.violations()[0]?.what).to.contain('a1');
    });

    it('lets a function reject, and a job expire, and a worker leave; nothing else', () => {
      const rejected = (error: { own: boolean; message: string }, submit: Record<string, unknown> = {}) =>
        new Story()
          .add(0, 'a', { k: 'submit', job: 'a1', priority: 5, weight: 1, ...submit })
          .add(5, 'a', { k: 'start', job: 'a1', attempt: 0, lag: 0 })
          .add(10, 'a', { k: 'end', job: 'a1', attempt: 0, ok: false })
          .add(11, 'a', { k: 'settle', job: 'a1', ok: false, error: { name: 'E', ...error } });
      expect(rejected({ own: true, message: 'mine' }).violations()).to.deep.equal([]);
      expect(rejected({ own: false, message: 'timed out' }, { expiration: 5 }).violations()).to.deep.equal([]);
      const stopped = rejected({ own: false, message: 'stopped' });
      expect(kinds(stopped.violations())).to.deep.equal(['settled']);
      expect(stopped.add(4, 'a', { k: 'leaving' }).violations()).to.deep.equal([]);
    });

    it('sees what nobody caught', () => {
      expect(kinds(new Story().add(5, 'a', { k: 'crash', message: 'oh' }).violations())).to.deep.equal(['settled']);
    });
  });

  describe('order', () => {
    const passedOver = (options: Record<string, unknown> = {}) =>
      new Story().job('a1', [0, 1000, 1010], options).job('b1', [300, 500, 510]);

    it('sees a later one that started first, and a less important one', () => {
      expect(passedOver().violations()[0]).to.include({ invariant: 'order', job: 'a1' });
      const story = new Story().job('a1', [301, 1000, 1010], { priority: 1 }).job('b1', [0, 600, 610]);
      expect(story.violations()[0]).to.include({ invariant: 'order', job: 'a1' });
    });

    it('lets a more important one go first', () => {
      expect(passedOver({ priority: 9 }).violations()).to.deep.equal([]);
    });

    it('does not judge what is too close to tell', () => {
      expect(new Story().job('a1', [0, 600, 610]).job('b1', [300, 500, 510]).violations()).to.deep.equal([]);
    });

    it('lets the tickets of a silent process be passed over', () => {
      expect(passedOver().fault('pause', 400, 600, 'a').violations()).to.deep.equal([]);
    });

    it('does not judge a start that its process heard of late: when it was chosen is not known', () => {
      expect(passedOver().fault('delay', 400, 600, 'b').violations()).to.deep.equal([]);
      expect(kinds(passedOver().fault('delay', 10, 50, 'b').violations())).to.deep.equal(['order']);
    });

    it('is silent about packages with one queue for each process', () => {
      expect(passedOver().violations({ fleetOrder: false })).to.deep.equal([]);
    });
  });

  describe('rest', () => {
    it('wants everything at zero', () => {
      const story = new Story().job('a1', [0, 5, 10]).restless();
      const rest = { k: 'rest' as const, running: 1, queued: 2, counts: { EXECUTING: 1, DONE: 3 } };
      expect(
        story
          .add(20, 'driver', rest)
          .violations()
          .map(({ what }) => what),
      ).to.deep.equal(['running is 1 at the end', 'queued is 2 at the end', '1 jobs are EXECUTING at the end']);
    });

    it('wants the run to come to rest at all', () => {
      expect(kinds(new Story().restless().violations())).to.deep.equal(['rest']);
    });

    it('wants no key left but those that may stay', () => {
      const story = new Story().add(20, 'driver', { k: 'keys', keys: ['b_x_settings', 'stray'] });
      expect(story.violations()[0]?.what).to.contain('stray');
    });
  });

  describe('capacity', () => {
    const late = () => new Story().job('a1', [0, 5, 10]).job('b1', [0, 2000, 2010]);

    it('sees free slots beside waiting work', () => {
      expect(late().violations()[0]).to.include({ invariant: 'capacity' });
    });

    it('gives a dead process clientTimeout and a heartbeat, and no more', () => {
      const story = (start: number) =>
        new Story()
          .add(0, 'a', { k: 'submit', job: 'a1', priority: 5, weight: 2 })
          .add(5, 'a', { k: 'start', job: 'a1', attempt: 0, lag: 0 })
          .add(10, 'driver', { k: 'kill', worker: 'a' })
          .job('b1', [0, start, start + 10]);
      expect(story(1900).violations()).to.deep.equal([]);
      expect(kinds(story(4000).violations())).to.deep.equal(['capacity']);
    });

    it('takes each start as progress where minTime sets the pace', () => {
      const story = (gap: number) => {
        const all = new Story();
        for (let i = 0; i < 10; i++) all.job(`a${i}`, [0, 5 + 300 * i, 10 + 300 * i]);
        return all.job('a10', [0, 2705 + gap, 2710 + gap]);
      };
      expect(story(300).violations({ minTime: 300 })).to.deep.equal([]);
      expect(kinds(story(2000).violations({ minTime: 300 }))).to.deep.equal(['capacity']);
    });

    it('does not ask for a start that would not fit', () => {
      const story = new Story().job('a1', [0, 5, 2000]).job('b1', [0, 2000, 2010], { weight: 2 });
      expect(story.violations()).to.deep.equal([]);
    });
  });

  it('has an invariant for each that the design names', () => {
    expect(Object.keys(INVARIANTS)).to.have.length(8);
  });
});
