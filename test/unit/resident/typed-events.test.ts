import { expect } from 'chai';
import { TypedEvents } from '../../../lib/resident/typed-events';

interface Map {
  news: [text: string, count: number];
  error: [error: unknown];
}

describe('TypedEvents', () => {
  it('calls listeners in order, once ones once, and none that was taken off', () => {
    const events = new TypedEvents<Map>();
    const heard: unknown[] = [];
    const off = (): void => void heard.push('off');
    events.on('news', (text, count) => heard.push(text, count));
    events.once('news', () => heard.push('once'));
    events.on('news', off).off('news', off);
    events.emit('news', 'a', 1);
    events.emit('news', 'b', 2);
    expect(heard).to.deep.equal(['a', 1, 'once', 'b', 2]);
    expect(events.listenerCount('news')).to.equal(1);
    expect(events.listenerCount('error')).to.equal(0);
  });

  it('gives the errors of listeners, and rejections of their promises, to the listeners of "error"', async () => {
    const events = new TypedEvents<Map>();
    const errors: unknown[] = [];
    const [thrown, rejected] = [new Error('thrown'), new Error('rejected')];
    events.on('error', (error) => errors.push(error));
    events.on('news', () => {
      throw thrown;
    });
    events.on('news', () => Promise.reject(rejected));
    events.emit('news', '', 0);
    await Promise.resolve();
    expect(errors).to.deep.equal([thrown, rejected]);
  });

  it('warns when nobody listens to "error", or when that listener fails', async () => {
    const warnings: string[] = [];
    const listener = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', listener);
    const events = new TypedEvents<Map>();
    const fail = (): never => {
      throw new Error('in a listener');
    };
    events.once('news', fail);
    events.emit('news', '', 0);
    events.on('error', fail);
    events.emit('error', new Error('first'));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listener);
    expect(warnings).to.have.length(2);
    expect(warnings[0]).to.contain('A listener of the "news" event failed: Error: in a listener');
    expect(warnings[1]).to.contain('A listener of the "error" event failed');
  });
});
