import { expect } from 'chai';
import {
  Code,
  dropReason,
  EffectKind,
  isNumbered,
  numberOrNull,
  parseAdvance,
  parseMessage,
  parseRead,
  parseReconcile,
  runB,
  takeAdvance,
} from '../../../lib/store/redis/replies';

describe('replies', () => {
  it('of advance: numbers may come as numbers or as texts, and us become ms', () => {
    const reply = parseAdvance([0, '17.5', 12_500, '3', 2, '1.5', [2, 7, 1, 250, '', '3', '8', '2', '1', '1'], '4', 2]);
    expect(reply).to.deep.include({
      code: Code.Ok,
      epoch: '17.5',
      nextIn: 12.5,
      notices: 3,
      firstNotice: 2,
      running: 1.5,
      queuedHere: 4,
      runningHere: 2,
    });
    expect(reply.effects).to.deep.equal([
      { kind: EffectKind.Started, seq: 7, count: 1, a: 250, b: '' },
      { kind: EffectKind.Dropped, seq: 8, count: 2, a: 1, b: '1' },
    ]);
  });

  it('of advance: leaves nothing in a reply that was dealt with', () => {
    const values = [0, '1', -1, 1, 1, '1', [2, 7, 1, 0, ''], 0, '1', 0];
    const expected = parseAdvance(values);
    expect(takeAdvance(values)).to.deep.equal(expected);
    expect(values).to.deep.equal([]);
  });

  it('of advance: below 0 means that no step is due', () => {
    expect(parseAdvance([0, '1', -1, 0, 0, '0', [], 0, '0']).nextIn).to.equal(null);
    expect(parseAdvance([0, '1', 0, 0, 0, '0', [], 0, '0']).nextIn).to.equal(0);
  });

  it('of advance: codes other than 0 come alone, or with an epoch', () => {
    expect(parseAdvance([1])).to.deep.include({ code: Code.NoSettings, epoch: '', nextIn: null, effects: [] });
    expect(parseAdvance([2, '9'])).to.deep.include({ code: Code.UnknownClient, epoch: '9' });
  });

  it('of reconcile', () => {
    expect(parseReconcile([0, '9', 4, [2, 1, 2, 0, 5]])).to.deep.equal({
      code: Code.Ok,
      epoch: '9',
      notices: 4,
      effects: [
        { kind: EffectKind.Started, seq: 1, count: 1, a: 0, b: '5' },
        { kind: EffectKind.Started, seq: 2, count: 1, a: 0, b: '4' },
      ],
    });
    expect(parseReconcile([1])).to.deep.include({ code: Code.NoSettings, effects: [] });
  });

  it('of read', () => {
    const found = parseRead([0, '1.5', '7', 2, 1, '', 1, '1800.5', '1900', '0', '10', '20', ['id', 'x']]);
    expect(found).to.deep.include({
      code: 0,
      running: 1.5,
      done: 7,
      queued: 2,
      delayed: 1,
      reservoir: null,
      check: true,
      now: 1800.5,
      nextRequest: 1900,
    });
    expect(parseRead([0, '0', '0', 0, 0, '0', 0]).reservoir).to.equal(0);
  });

  it('the empty text stands for null', () => {
    expect(['', null, undefined, '0', 3].map(numberOrNull)).to.deep.equal([null, null, null, 0, 3]);
  });

  it('only what changes something told before is numbered', () => {
    const effect = (kind: EffectKind, b = '') => ({ kind, seq: 1, count: 1, a: 0, b });
    expect(isNumbered(effect(EffectKind.Queued, '17'))).to.equal(false);
    expect(isNumbered(effect(EffectKind.Overweight))).to.equal(false);
    expect(isNumbered(effect(EffectKind.Dropped, '0'))).to.equal(false);
    expect(isNumbered(effect(EffectKind.Dropped, '1'))).to.equal(true);
    expect(isNumbered(effect(EffectKind.Started))).to.equal(true);
    expect(isNumbered(effect(EffectKind.QueuedAndStarted))).to.equal(true);
  });

  it('what the last value of a run is for each of its tickets', () => {
    const run = (kind: EffectKind, b: string) => {
      const effect = { kind, seq: 1, count: 3, a: 0, b };
      return [0, 1, 2].map((i) => runB(effect, i));
    };
    expect(run(EffectKind.Queued, '41')).to.deep.equal(['41', '42', '43']);
    expect(run(EffectKind.Queued, '@2.500')).to.deep.equal(['@2.500', '@2.500', '@2.500']);
    expect(run(EffectKind.Started, '1')).to.deep.equal(['1', '0', '-1']);
    expect(run(EffectKind.QueuedAndStarted, '7')).to.deep.equal(['7', '6', '5']);
    expect(run(EffectKind.Started, '0.5')).to.deep.equal(['0.5', '0.5', '0.5']);
    expect(run(EffectKind.Started, '')).to.deep.equal(['', '', '']);
    expect(run(EffectKind.Dropped, '1')).to.deep.equal(['1', '1', '1']);
  });

  it('a drop has a reason', () => {
    const reasons = [0, 1, 2, 3].map((a) => dropReason({ kind: EffectKind.Dropped, seq: 1, count: 1, a, b: '' }));
    expect(reasons).to.deep.equal(['shed', 'blocked', 'cancelled', 'reset']);
  });

  it('messages to a client', () => {
    expect(parseMessage('{"c":"p.0","n":3,"e":[2,1,2,0,5]}')).to.deep.equal({
      client: 'p.0',
      firstNotice: 3,
      effects: [
        { kind: EffectKind.Started, seq: 1, count: 1, a: 0, b: '5' },
        { kind: EffectKind.Started, seq: 2, count: 1, a: 0, b: '4' },
      ],
    });
  });

  for (const text of ['', 'hello', '{', '[]', 'null', '{"c":1,"n":1,"e":[]}', '{"c":"p.0","n":1}']) {
    it(`what is no message to a client: ${JSON.stringify(text)}`, () => expect(parseMessage(text)).to.equal(null));
  }
});
