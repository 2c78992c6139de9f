import { expect } from 'chai';
import {
  advance,
  applySettings,
  createState,
  incrementReservoir,
  type LimiterState,
  nextRefill,
  startsAtOnce,
} from '../../lib/store/memory/transitions';
import type { StoreSettings } from '../../lib/store/store';
import { inWords, TestTicket, UNLIMITED } from '../store/store-driver';

const BEGIN = 1_000_000;

/**
 * What is done at a time, in words: `10: +a +b*2 -c` submits a, and b of weight 2, and completes c, 10 ms after the
 * limiter began. `+a@3` has priority 3, `+a~50` is delayed by 50 ms, `!a` is withdrawn.
 */
type Line = string;

/** What happened, as `inWords` says it; starts that wait say for how long: `started a +5`. */
type Told = string;

class Limiter {
  readonly state: LimiterState;
  private readonly tickets = new Map<string, TestTicket>();

  constructor(settings: Partial<StoreSettings>) {
    this.state = createState({ ...UNLIMITED, ...settings }, BEGIN);
  }

  run(line: Line): { told: Told[]; nextIn: number | null } {
    const [time, news] = line.split(':') as [string, string];
    const words = news.trim().split(' ').filter(Boolean);
    const marked = (mark: string) => words.filter((word) => word.startsWith(mark)).map((word) => this.ticket(word));
    const step = { submitted: marked('+'), completed: marked('-'), withdrawn: marked('!'), renewed: [] };
    const { effects, nextIn } = advance(this.state, BEGIN + Number(time), step);
    const told = effects.map((effect) =>
      effect.kind === 'started' && effect.wait > 0 ? `${inWords(effect)} +${effect.wait}` : inWords(effect),
    );
    return { told, nextIn };
  }

  private ticket(word: string): TestTicket {
    const [, name, priority, weight, delay] = /^[+!-](\w+)(?:@(\d))?(?:\*([\d.]+))?(?:~(\d+))?$/.exec(word)!;
    const known = this.tickets.get(name!);
    if (known !== undefined) return known;
    const ticket = new TestTicket(name!, {
      priority: Number(priority ?? 5),
      weight: Number(weight ?? 1),
      delay: Number(delay ?? 0),
    });
    this.tickets.set(name!, ticket);
    return ticket;
  }
}

type Row = [reason: string, settings: Partial<StoreSettings>, lines: Line[], told: Told[], nextIn?: number | null];

const A_STARTS = ['queued a', 'started a'];

const tables: Record<string, Row[]> = {
  'maxConcurrent and order': [
    ['nothing is limited by default', {}, ['0: +a +b'], [...A_STARTS, 'queued b', 'started b'], null],
    [
      'a full house lets nobody in, and only a completion can change that',
      { maxConcurrent: 1 },
      ['0: +a +b'],
      [...A_STARTS, 'queued b'],
      null,
    ],
    [
      'a completion frees a slot before submissions of the same step are looked at',
      { maxConcurrent: 1 },
      ['0: +a +b', '1: -a +c'],
      ['completed a 0', 'started b', 'queued c'],
      null,
    ],
    [
      'a more important newcomer takes the slot that is free',
      { maxConcurrent: 2 },
      ['0: +a*2 +b', '1: -a +c@0'],
      ['completed a 0', 'started b', 'queued c', 'started c'],
      null,
    ],
    [
      'priority 0 is the first, 9 the last, and equals keep their order',
      { maxConcurrent: 1 },
      ['0: +a +b +c@9 +d@0 +e', '1: -a', '2: -d', '3: -b', '4: -e'],
      ['completed e 0', 'started c'],
      null,
    ],
    [
      'a heavy head is overtaken by nobody',
      { maxConcurrent: 2 },
      ['0: +a +b*2 +c'],
      [...A_STARTS, 'queued b', 'queued c'],
      null,
    ],
    [
      'a weight above maxConcurrent could never start',
      { maxConcurrent: 2 },
      ['0: +a*3 +b*2'],
      ['overweight a 2', 'queued b', 'started b'],
      null,
    ],
    [
      'maxConcurrent 0 stops everything but tickets without weight',
      { maxConcurrent: 0 },
      ['0: +a*0 +b'],
      [...A_STARTS, 'overweight b 0'],
      null,
    ],
    [
      'weights may be fractions',
      { maxConcurrent: 1 },
      ['0: +a*0.5 +b*0.5 +c*0.1'],
      [...A_STARTS, 'queued b', 'started b', 'queued c'],
      null,
    ],
  ],
  leaving: [
    [
      'what is withdrawn from the queue never starts',
      { maxConcurrent: 1 },
      ['0: +a +b +c', '1: !b -a'],
      ['completed a 0', 'started c'],
      null,
    ],
    [
      'a started ticket that is withdrawn frees its slot',
      { maxConcurrent: 1 },
      ['0: +a +b', '1: !a'],
      ['started b'],
      null,
    ],
    ['a delayed ticket that is withdrawn is gone', {}, ['0: +a~10', '5: !a', '20:'], [], null],
    [
      'a slot is freed once only',
      { maxConcurrent: 2 },
      ['0: +a +b*2', '1: -a', '2: -a +c'],
      ['completed a 2', 'queued c'],
      null,
    ],
    [
      'each completion tells what runs after it',
      {},
      ['0: +a +b*2', '1: -b -a'],
      ['completed b 1', 'completed a 0'],
      null,
    ],
  ],
  minTime: [
    [
      'each slot comes minTime after the one before',
      { minTime: 10 },
      ['0: +a +b +c'],
      [...A_STARTS, 'queued b', 'started b +10', 'queued c', 'started c +20'],
      null,
    ],
    ['time that has passed counts', { minTime: 10 }, ['0: +a', '7: +b'], ['queued b', 'started b +3'], null],
    [
      'a pause longer than minTime is no credit',
      { minTime: 10 },
      ['0: +a', '100: +b +c'],
      ['queued b', 'started b', 'queued c', 'started c +10'],
      null,
    ],
    [
      'just in time, tickets stay in the queue until then',
      { minTime: 10, dispatch: 'just-in-time' },
      ['0: +a +b'],
      [...A_STARTS, 'queued b'],
      10,
    ],
    [
      'just in time, a ticket starts at the very moment',
      { minTime: 10, dispatch: 'just-in-time' },
      ['0: +a +b', '10:'],
      ['started b'],
      null,
    ],
    [
      'just in time, an important latecomer goes first',
      { minTime: 10, dispatch: 'just-in-time' },
      ['0: +a +b', '5: +c@0', '10:'],
      ['started c'],
      10,
    ],
  ],
  reservoir: [
    ['a start costs its weight', { reservoir: 3 }, ['0: +a*2 +b*2'], [...A_STARTS, 'queued b'], null],
    [
      'an empty reservoir waits for the next refresh',
      { reservoir: 0, reservoirRefreshInterval: 100, reservoirRefreshAmount: 2 },
      ['30: +a'],
      ['queued a'],
      70,
    ],
    [
      'a refresh comes at its time, not before',
      { reservoir: 0, reservoirRefreshInterval: 100, reservoirRefreshAmount: 2 },
      ['0: +a', '99:'],
      [],
      1,
    ],
    [
      'a refresh starts what it pays for',
      { reservoir: 0, reservoirRefreshInterval: 100, reservoirRefreshAmount: 2 },
      ['0: +a +b +c', '100:'],
      ['started a', 'started b'],
      100,
    ],
    [
      'refreshes are anchored: a late one does not shift the next',
      { reservoir: 0, reservoirRefreshInterval: 100, reservoirRefreshAmount: 1 },
      ['0: +a +b', '190:'],
      ['started a'],
      10,
    ],
    [
      'a refresh sets the amount, it does not add it',
      { reservoir: 9, reservoirRefreshInterval: 100, reservoirRefreshAmount: 1 },
      ['100: +a +b'],
      [...A_STARTS, 'queued b'],
      100,
    ],
    [
      'missed increases are made up for',
      { reservoir: 0, reservoirIncreaseInterval: 10, reservoirIncreaseAmount: 1 },
      ['0: +a +b +c', '25:'],
      ['started a', 'started b'],
      5,
    ],
    [
      'increases end at the maximum',
      { reservoir: 0, reservoirIncreaseInterval: 10, reservoirIncreaseAmount: 5, reservoirIncreaseMaximum: 2 },
      ['100: +a +b +c'],
      [...A_STARTS, 'queued b', 'started b', 'queued c'],
      10,
    ],
    [
      'increases before a refresh are lost with it',
      {
        reservoir: 0,
        reservoirRefreshInterval: 100,
        reservoirRefreshAmount: 1,
        reservoirIncreaseInterval: 60,
        reservoirIncreaseAmount: 1,
      },
      ['0: +a*0', '110: +b +c'],
      ['queued b', 'started b', 'queued c'],
      10,
    ],
    [
      'an interval of 0 refreshes all the time',
      { reservoir: 0, reservoirRefreshInterval: 0, reservoirRefreshAmount: 1 },
      ['5: +a', '6: +b'],
      ['queued b', 'started b'],
      null,
    ],
    ['a reservoir below 0 holds everything back', { reservoir: -1 }, ['0: +a'], ['queued a'], null],
  ],
  highWater: [
    ['what starts at once is never too much', { highWater: 0 }, ['0: +a'], A_STARTS, null],
    [
      'LEAK gives up the oldest of the least important',
      { maxConcurrent: 1, highWater: 2, strategy: 1 },
      ['0: +a +b@9 +c@9', '1: +d'],
      ['dropped b shed', 'queued d full'],
      null,
    ],
    [
      'LEAK gives up the newcomer when it is the least important',
      { maxConcurrent: 1, highWater: 1, strategy: 1 },
      ['0: +a +b', '1: +c@9'],
      ['dropped c shed'],
      null,
    ],
    [
      'OVERFLOW gives up the newcomer',
      { maxConcurrent: 1, highWater: 1, strategy: 2 },
      ['0: +a +b', '1: +c@0'],
      ['dropped c shed'],
      null,
    ],
    [
      'OVERFLOW_PRIORITY gives up what is less important',
      { maxConcurrent: 1, highWater: 1, strategy: 4 },
      ['0: +a +b', '1: +c@4'],
      ['dropped b shed', 'queued c full'],
      null,
    ],
    [
      'OVERFLOW_PRIORITY gives up the newcomer rather than an equal',
      { maxConcurrent: 1, highWater: 1, strategy: 4 },
      ['0: +a +b', '1: +c'],
      ['dropped c shed'],
      null,
    ],
    [
      'an unknown strategy is OVERFLOW',
      { maxConcurrent: 1, highWater: 1, strategy: 99 },
      ['0: +a +b', '1: +c@0'],
      ['dropped c shed'],
      null,
    ],
    [
      'BLOCK gives up all that waits, and the newcomer',
      { maxConcurrent: 1, highWater: 1, strategy: 3 },
      ['0: +a +b', '1: +c'],
      ['dropped b blocked', 'dropped c blocked'],
      null,
    ],
    [
      'BLOCK lasts up to and including its end',
      { maxConcurrent: 9, highWater: 0, strategy: 3, penalty: 10, minTime: 5 },
      ['0: +a', '1: +b', '11: +c'],
      ['dropped c blocked'],
      null,
    ],
    [
      'BLOCK begins anew with every submission',
      { highWater: 0, strategy: 3, penalty: 10, minTime: 5 },
      ['0: +a', '1: +b', '8: +c', '15: +d'],
      ['dropped d blocked'],
      null,
    ],
    [
      'after BLOCK, the first start comes minTime after its end',
      { maxConcurrent: 1, highWater: 1, strategy: 3, penalty: 10, minTime: 5 },
      ['0: +a +b', '1: +c', '12: -a +d'],
      ['completed a 0', 'queued d', 'started d +4'],
    ],
  ],
  delay: [
    [
      'a delayed ticket is queued, but not in the queue',
      { maxConcurrent: 1, highWater: 0 },
      ['0: +a~30'],
      ['queued a'],
      30,
    ],
    ['it starts when it is due', {}, ['0: +a~30', '30:'], ['started a'], null],
    [
      'it arrives when it is due: whoever came before goes first',
      { maxConcurrent: 1 },
      ['0: +a~10 +b', '5: +c', '10: -b', '11: -c'],
      ['completed c 0', 'started a'],
      null,
    ],
    [
      'several that are due at one moment keep their order',
      {},
      ['0: +a~10 +b~10 +c~5', '10:'],
      ['started c', 'started a', 'started b'],
      null,
    ],
    [
      'the earlier of a due ticket and a free head is what to wake for',
      { reservoir: 0, reservoirRefreshInterval: 100, reservoirRefreshAmount: 1 },
      ['0: +a +b~30'],
      ['queued a', 'queued b'],
      30,
    ],
  ],
  'window and bucket': [
    [
      'no more than windowMax starts in a window',
      { windowMax: 2, windowDuration: 100 },
      ['0: +a', '10: +b +c'],
      ['queued b', 'started b', 'queued c'],
      90,
    ],
    [
      'the window slides with its oldest start',
      { windowMax: 2, windowDuration: 100 },
      ['0: +a', '10: +b +c +d', '100:'],
      ['started c'],
      10,
    ],
    [
      'a bucket is full at first, and pays for weights',
      { bucketCapacity: 3, bucketRefillPerSecond: 10 },
      ['0: +a*2 +b*2'],
      [...A_STARTS, 'queued b'],
      100,
    ],
    [
      'what costs more than the bucket holds overdraws it',
      { bucketCapacity: 2, bucketRefillPerSecond: 10 },
      ['0: +a*3 +b'],
      [...A_STARTS, 'queued b'],
      200,
    ],
    [
      'a bucket that is never refilled is nothing to wake for',
      { bucketCapacity: 1, bucketRefillPerSecond: 0 },
      ['0: +a +b'],
      [...A_STARTS, 'queued b'],
      null,
    ],
  ],
};

describe('transitions', () => {
  for (const [title, rows] of Object.entries(tables)) {
    describe(title, () => {
      for (const [reason, settings, lines, told, nextIn] of rows) {
        it(reason, () => {
          const limiter = new Limiter(settings);
          const outcomes = lines.map((line) => limiter.run(line));
          expect(outcomes.at(-1)).to.deep.equal({ told, nextIn: nextIn ?? null });
        });
      }
    });
  }

  describe('accounts', () => {
    it('count weight as running from the start, and as done from the completion', () => {
      const limiter = new Limiter({ maxConcurrent: 3 });
      limiter.run('0: +a*2 +b');
      expect(limiter.state).to.include({ running: 3, done: 0 });
      limiter.run('1: -a !b');
      expect(limiter.state).to.include({ running: 0, done: 2 });
    });

    it('come back to exactly 0 from fractions', () => {
      const limiter = new Limiter({ reservoir: 1 });
      limiter.run('0: +a*0.1 +b*0.2 +c*0.7');
      expect(limiter.state).to.include({ running: 1, reservoir: 0 });
      limiter.run('1: -b -a -c');
      expect(limiter.state).to.include({ running: 0, done: 1 });
    });
  });

  describe('check', () => {
    const at = (limiter: Limiter, time: number, weight = 1) => startsAtOnce(limiter.state, BEGIN + time, weight);

    it('is true when a ticket would be executing right away', () => {
      const limiter = new Limiter({ maxConcurrent: 2, minTime: 10 });
      expect(at(limiter, 0, 2)).to.equal(true);
      limiter.run('0: +a');
      expect([at(limiter, 9), at(limiter, 10), at(limiter, 10, 2)]).to.deep.equal([false, true, false]);
    });
  });

  describe('changes of settings', () => {
    it('move no clock: the next refresh comes when it would have come', () => {
      const limiter = new Limiter({ reservoirRefreshInterval: 100, reservoirRefreshAmount: 5 });
      applySettings(limiter.state, BEGIN + 130, { maxConcurrent: 3 });
      expect(nextRefill(limiter.state)).to.equal(BEGIN + 200);
    });

    it('bring a refresh at once whose interval has passed already', () => {
      const limiter = new Limiter({ reservoir: 0 });
      applySettings(limiter.state, BEGIN + 130, { reservoirRefreshInterval: 100, reservoirRefreshAmount: 5 });
      expect(limiter.state).to.include({ reservoir: 5, lastReservoirRefresh: BEGIN + 100 });
    });

    it('change the reservoir only when they name it', () => {
      const limiter = new Limiter({ reservoir: 3 });
      applySettings(limiter.state, BEGIN, { minTime: 5 });
      expect(limiter.state.reservoir).to.equal(3);
      applySettings(limiter.state, BEGIN, { reservoir: null });
      expect(limiter.state.reservoir).to.equal(null);
    });

    it('let a smaller bucket overflow, fill a new one, and drop one that is switched off', () => {
      const limiter = new Limiter({ bucketCapacity: 5, bucketRefillPerSecond: 1 });
      applySettings(limiter.state, BEGIN, { bucketCapacity: 2 });
      expect(limiter.state.bucketTokens).to.equal(2);
      applySettings(limiter.state, BEGIN, { bucketCapacity: null, bucketRefillPerSecond: null });
      expect(limiter.state.bucketTokens).to.equal(null);
      applySettings(limiter.state, BEGIN + 50, { bucketCapacity: 4, bucketRefillPerSecond: 1 });
      expect(limiter.state).to.include({ bucketTokens: 4, bucketTime: BEGIN + 50 });
    });

    it('forget the starts of a window that is switched off', () => {
      const limiter = new Limiter({ windowMax: 1, windowDuration: 100 });
      limiter.run('0: +a');
      applySettings(limiter.state, BEGIN, { windowMax: null, windowDuration: null });
      expect(limiter.state.windowStarts).to.deep.equal([]);
    });
  });

  describe('incrementing the reservoir', () => {
    it('adds, also below 0 and in fractions, and counts from 0 where there was none', () => {
      const limiter = new Limiter({});
      const sums = [2, -5, 0.1, 0.2].map((by) => incrementReservoir(limiter.state, by));
      expect(sums).to.deep.equal([2, -3, -2.9, -2.7]);
    });
  });
});
