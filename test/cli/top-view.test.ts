import { expect } from 'chai';
import { duration, explain, moment, priorities } from '../../lib/cli/top/format';
import { type Hold, type LimiterState, type LimiterView, viewOf } from '../../lib/cli/top/limiter-view';
import type { OwnQueue } from '../../lib/cli/top/own-queue';
import { StartRates } from '../../lib/cli/top/rates';

const NOW = 1_800_000_000_000;
const EMPTY_QUEUE: OwnQueue = {
  byPriority: Array(11).fill(0),
  parked: 0,
  delayed: 0,
  oldestArrival: null,
  headWeight: null,
};

function state(settings: Record<string, string>, more: Partial<LimiterState> = {}): LimiterState {
  const none = new Map<string, number>();
  const clients = { running: none, queued: none, seen: none, registered: none };
  return { id: 'x', settings, ...clients, windowStart: null, own: EMPTY_QUEUE, ...more };
}

function view(settings: Record<string, string>, more: Partial<LimiterState> = {}): LimiterView {
  return viewOf(state(settings, more), NOW, null);
}

describe('top: what Redis holds of a limiter, for people', () => {
  describe('why nothing starts, and when it will', () => {
    const refresh = { reservoirRefreshInterval: '1000', reservoirRefreshAmount: '5' };
    const window = { rb_windowMax: '2', rb_windowDuration: '1000' };
    const bucket = { rb_bucketCapacity: '10', rb_bucketRefillPerSecond: '2', rb_bucketTime: `${NOW - 1000}` };
    const head = (headWeight: number) => ({
      own: { ...EMPTY_QUEUE, byPriority: [1, ...Array(10).fill(0)], headWeight },
    });
    type Row = [
      why: string,
      settings: Record<string, string>,
      hold: Hold,
      nextStartAt: number | null,
      more?: Partial<LimiterState>,
    ];
    const rows: Row[] = [
      ['no limit at all', {}, { by: 'nothing' }, NOW],
      ['limits with room', { maxConcurrent: '2', running: '1', reservoir: '1' }, { by: 'nothing' }, NOW],
      ['null, as Bottleneck writes it', { maxConcurrent: '', reservoir: '', running: '9' }, { by: 'nothing' }, NOW],
      ['null, as old versions wrote it', { maxConcurrent: 'null', running: '9' }, { by: 'nothing' }, NOW],
      ['all slots taken', { maxConcurrent: '2', running: '2' }, { by: 'maxConcurrent' }, null],
      ['more than all, after a lowered limit', { maxConcurrent: '1', running: '2' }, { by: 'maxConcurrent' }, null],
      ['an empty reservoir', { reservoir: '0' }, { by: 'reservoir', until: null }, null],
      [
        'an empty reservoir that is refreshed',
        { reservoir: '0', lastReservoirRefresh: `${NOW - 400}`, ...refresh },
        { by: 'reservoir', until: NOW + 600 },
        NOW + 600,
      ],
      [
        'a refresh that is due: the next use of the limiter makes it',
        { reservoir: '0', lastReservoirRefresh: `${NOW - 1000}`, ...refresh },
        { by: 'nothing' },
        NOW,
      ],
      [
        'the earlier of refresh and increase',
        {
          reservoir: '0',
          lastReservoirRefresh: `${NOW}`,
          ...refresh,
          lastReservoirIncrease: `${NOW}`,
          reservoirIncreaseInterval: '300',
          reservoirIncreaseAmount: '1',
        },
        { by: 'reservoir', until: NOW + 300 },
        NOW + 300,
      ],
      ['minTime', { nextRequest: `${NOW + 50}` }, { by: 'minTime', until: NOW + 50 }, NOW + 50],
      ['minTime that has passed', { nextRequest: `${NOW}` }, { by: 'nothing' }, NOW],
      [
        'blocked mode',
        { strategy: '3', unblockTime: `${NOW + 70}`, maxConcurrent: '1', running: '1' },
        { by: 'blocked', until: NOW + 70 },
        NOW + 70,
      ],
      ['a block that another strategy ignores', { strategy: '1', unblockTime: `${NOW + 70}` }, { by: 'nothing' }, NOW],
      ['a window with room', window, { by: 'nothing' }, NOW],
      ['a full window', window, { by: 'window', until: NOW + 800 }, NOW + 800, { windowStart: NOW - 200 }],
      ['a window that has slid on', window, { by: 'nothing' }, NOW, { windowStart: NOW - 1000 }],
      ['a bucket that nobody has used', { ...bucket, rb_bucketTime: '' }, { by: 'nothing' }, NOW],
      ['a bucket that has refilled since', { ...bucket, rb_bucketTokens: '-1' }, { by: 'nothing' }, NOW],
      ['an empty bucket', { ...bucket, rb_bucketTokens: '-1.5' }, { by: 'bucket', until: NOW + 250 }, NOW + 250],
      [
        'a bucket without the price of the job at the head',
        { ...bucket, rb_bucketTokens: '0' },
        { by: 'bucket', until: NOW + 1000 },
        NOW + 1000,
        head(4),
      ],
      [
        'a job that costs more than the bucket holds: a full one is enough',
        { ...bucket, rb_bucketTokens: '10' },
        { by: 'nothing' },
        NOW,
        head(11),
      ],
      [
        'too few slots for the job at the head',
        { maxConcurrent: '3', running: '1' },
        { by: 'maxConcurrent' },
        null,
        head(3),
      ],
      ['enough slots for it', { maxConcurrent: '3', running: '1' }, { by: 'nothing' }, NOW, head(2)],
      ['a reservoir that is too small for it', { reservoir: '2' }, { by: 'reservoir', until: null }, null, head(3)],
      [
        'the longest of several limits',
        { ...window, ...bucket, rb_bucketTokens: '-1.5', nextRequest: `${NOW + 300}` },
        { by: 'window', until: NOW + 400 },
        NOW + 400,
        { windowStart: NOW - 600 },
      ],
      [
        'a reservoir that nothing refills, longer than any time',
        { reservoir: '0', nextRequest: `${NOW + 50}` },
        { by: 'reservoir', until: null },
        null,
      ],
    ];
    for (const [why, settings, hold, nextStartAt, more] of rows) {
      it(why, () => {
        expect(view(settings, more)).to.deep.include({ hold, nextStartAt });
        expect(explain(view(settings, more), NOW)).to.be.a('string').and.not.empty;
      });
    }

    it('in words', () => {
      expect(explain(view({ maxConcurrent: '2', running: '2' }), NOW)).to.contain('2 of 2');
      expect(explain(view({ nextRequest: `${NOW + 50}`, minTime: '100' }), NOW)).to.contain('in 50 ms');
      expect(explain(view({}, head(1)), NOW)).to.contain('it starts now');
      expect(explain(view({ maxConcurrent: '3', running: '1' }, head(3)), NOW)).to.contain('the next job needs 3');
      expect(explain(view({ reservoir: '2' }, head(3)), NOW)).to.equal(
        'The reservoir has 2, the next job needs 3: it does not refill by itself.',
      );
      expect(explain(view(window, { windowStart: NOW - 200 }), NOW)).to.equal(
        '2 starts in any 1.0 s: the oldest start leaves the window in 800 ms.',
      );
      expect(explain(view({ ...bucket, rb_bucketTokens: '-1.5' }), NOW)).to.equal(
        'The bucket has 0.5. There is enough in it in 250 ms.',
      );
    });
  });

  it('counts what waits: our queue by priority, other processes by client', () => {
    const own = { ...EMPTY_QUEUE, byPriority: [3, 0, 0, 0, 0, 2, 0, 0, 0, 0, 4], parked: 5, delayed: 6 };
    // Bottleneck counts below zero after its keys were deleted.
    const queued = new Map([
      ['abc', 7],
      ['def', -3],
      ['pool.1', 9],
    ]);
    const found = view({}, { own, queued });
    expect(found).to.include({ queued: 21, queuedElsewhere: 7, delayed: 6 });
    expect(priorities(found)).to.equal('0:3 5:2 10+:4 ?:7');
  });

  it('gives the capacity that is left', () => {
    expect(view({ maxConcurrent: '5', running: '2' }).capacity).to.equal(3);
    expect(view({ maxConcurrent: '5', running: '2', reservoir: '1' }).capacity).to.equal(1);
    expect(view({ reservoir: '4' }).capacity).to.equal(4);
    expect(view({}).capacity).to.equal(null);
  });

  it('does not promise a refill of a reservoir that is full', () => {
    const increase = {
      lastReservoirIncrease: `${NOW}`,
      reservoirIncreaseInterval: '300',
      reservoirIncreaseAmount: '1',
    };
    expect(view({ reservoir: '5', ...increase }).reservoirRefillsAt).to.equal(NOW + 300);
    expect(view({ reservoir: '5', reservoirIncreaseMaximum: '5', ...increase }).reservoirRefillsAt).to.equal(null);
  });

  it('lists clients of both packages with their ages', () => {
    const { clients } = view(
      {},
      {
        seen: new Map([['abc', NOW - 40]]),
        registered: new Map([['abc', NOW - 60]]),
        running: new Map([['abc', 2]]),
        queued: new Map([['pool.1', 3]]),
      },
    );
    expect(clients).to.deep.equal([
      { id: 'abc', package: 'bottleneck', running: 2, queued: 0, silentFor: 40, sinceLastStart: 60 },
      { id: 'pool.1', package: 'rebottle', running: 0, queued: 3, silentFor: NOW, sinceLastStart: null },
    ]);
  });

  it('tells how long the oldest job has waited', () => {
    expect(view({}, { own: { ...EMPTY_QUEUE, oldestArrival: NOW - 90 } }).oldestWaitingFor).to.equal(90);
    expect(view({}).oldestWaitingFor).to.equal(null);
  });

  describe('starts per second', () => {
    const started = (done: number, running = 0) => [state({ done: String(done), running: String(running) })];

    it('is not known at the first reading, then counts what runs as well', () => {
      const rates = new StartRates();
      expect(rates.next(started(10), NOW).get('x')).to.equal(null);
      expect(rates.next(started(12, 1), NOW + 500).get('x')).to.equal(6);
    });

    it('is taken over the last five seconds', () => {
      const rates = new StartRates();
      rates.next(started(0), NOW);
      rates.next(started(1000), NOW + 1000);
      rates.next(started(1000), NOW + 3500);
      expect(rates.next(started(1010), NOW + 6000).get('x')).to.equal(2);
    });

    it('starts again with a limiter that was made anew or was gone', () => {
      const rates = new StartRates();
      rates.next(started(10), NOW);
      expect(rates.next(started(3), NOW + 1000).get('x')).to.equal(null);
      expect(rates.next(started(5), NOW + 2000).get('x')).to.equal(2);
      rates.next([], NOW + 3000);
      expect(rates.next(started(9), NOW + 4000).get('x')).to.equal(null);
    });
  });

  it('writes times for people', () => {
    expect([0, 999, 1500, 90_000, 7_200_000, 200_000_000].map(duration)).to.deep.equal([
      '0 ms',
      '999 ms',
      '1.5 s',
      '1 min',
      '2 h',
      '2 d',
    ]);
    expect([moment(5, 5), moment(4, 5), moment(1005, 5)]).to.deep.equal(['now', 'now', 'in 1.0 s']);
  });
});
