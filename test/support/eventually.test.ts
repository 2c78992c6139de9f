import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { nextEvent, recordEvents } from './events';
import { eventually } from './eventually';

describe('eventually', () => {
  it('gives the first truthy value', async () => {
    let calls = 0;
    expect(await eventually(() => ++calls === 3 && 'done')).to.equal('done');
    expect(calls).to.equal(3);
  });

  it('takes a throw for "not yet"', async () => {
    let calls = 0;
    const value = await eventually(() => {
      calls += 1;
      if (calls < 3) throw new Error('too early');
      return calls;
    });
    expect(value).to.equal(3);
  });

  it('says what did not come true, and why', async () => {
    const failure = await eventually(() => Promise.reject(new Error('still closed')), {
      within: 20,
      that: 'an open door',
    }).catch((error: Error) => error);
    expect((failure as Error).message).to.match(/an open door .* 20 ms.*still closed/);
  });
});

describe('nextEvent', () => {
  it('gives the arguments of the next event that counts', async () => {
    const emitter = new EventEmitter();
    const second = nextEvent(emitter, 'tick', { where: (n) => n === 2 });
    emitter.emit('tick', 1);
    emitter.emit('tick', 2, 'x');
    expect(await second).to.deep.equal([2, 'x']);
  });

  it('rejects when it does not come', async () => {
    const failure = await nextEvent(new EventEmitter(), 'tick', { within: 10 }).catch((error: Error) => error);
    expect((failure as Error).message).to.contain('"tick"');
  });

  it('recordEvents keeps the order', () => {
    const emitter = new EventEmitter();
    const record = recordEvents(emitter, ['a', 'b']);
    emitter.emit('b', 1);
    emitter.emit('a');
    expect(record).to.deep.equal([
      { name: 'b', args: [1] },
      { name: 'a', args: [] },
    ]);
  });
});
