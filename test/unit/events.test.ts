import { expect } from 'chai';
import { BottleneckError } from '../../lib/errors';
import { type Emitter, Events } from '../../lib/events';

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: Events adds the methods to every instance
class Subject {
  Events: Events = new Events(this);
}
interface Subject extends Emitter {}

function nextWarning(): Promise<Error> {
  return new Promise((resolve) => {
    process.once('warning', resolve);
  });
}

describe('Events', () => {
  let subject: Subject;
  let events: Events;

  beforeEach(() => {
    subject = new Subject();
    events = subject.Events;
  });

  describe('new Events(instance)', () => {
    it('installs the methods on the instance and returns the instance from each', () => {
      expect(subject.on('a', () => {})).to.equal(subject);
      expect(subject.once('a', () => {})).to.equal(subject);
      expect(subject.removeAllListeners('a')).to.equal(subject);
      expect(Object.keys(subject)).to.include.members(['on', 'once', 'removeAllListeners']);
    });

    it('works for instances of subclasses', async () => {
      class Derived extends Subject {
        extra = 1;
      }
      const derived = new Derived();
      derived.on('a', () => 'heard');
      expect(await derived.Events.trigger('a')).to.equal('heard');
    });

    for (const method of ['on', 'once', 'removeAllListeners']) {
      it(`refuses an object that already has "${method}"`, () => {
        expect(() => new Events({ [method]: () => {} })).to.throw(Error, 'An Emitter already exists for this object');
        expect(() => new Events(Object.create({ [method]: () => {} }))).to.throw('An Emitter already exists');
      });
    }
  });

  describe('has', () => {
    it('is true for events that have listeners, and for all once there is one of debug', () => {
      subject.on('a', () => {});
      expect([events.has('a'), events.has('b')]).to.deep.equal([true, false]);
      subject.on('debug', () => {});
      expect(events.has('b')).to.equal(true);
    });

    it('knows listeners of error, which hear nothing else', () => {
      subject.on('error', () => {});
      expect([events.has('error'), events.has('a')]).to.deep.equal([true, false]);
      subject.on('a', () => {});
      expect([events.has('error'), events.has('a')]).to.deep.equal([true, true]);
    });

    it('is false once the listeners are gone or spent', () => {
      subject.on('error', () => {});
      subject.once('a', () => {});
      events.emit('a');
      expect(events.has('a')).to.equal(false);
      subject.on('b', () => {});
      subject.removeAllListeners('b');
      expect(events.has('b')).to.equal(false);
      subject.on('b', () => {});
      subject.removeAllListeners();
      expect([events.has('b'), events.has('error')]).to.deep.equal([false, false]);
    });
  });

  describe('trigger', () => {
    it('calls the listeners synchronously, in order, with the arguments', () => {
      const calls: unknown[] = [];
      subject.on('a', (...args) => calls.push(['first', ...args]));
      subject.on('a', (...args) => calls.push(['second', ...args]));
      void events.trigger('a', 1, 2);
      expect(calls).to.deep.equal([
        ['first', 1, 2],
        ['second', 1, 2],
      ]);
    });

    it('resolves to the first result that is not null or undefined, in listener order', async () => {
      subject.on('a', () => null);
      subject.on('a', () => undefined);
      subject.on('a', () => new Promise((resolve) => setImmediate(resolve, 'slow')));
      subject.on('a', () => 'fast');
      expect(await events.trigger('a')).to.equal('slow');
    });

    it('keeps results that are only falsy', async () => {
      subject.on('a', () => 0);
      subject.on('a', () => 5);
      expect(await events.trigger('a')).to.equal(0);
    });

    it('resolves to undefined without listeners and without results', async () => {
      expect(await events.trigger('a')).to.equal(undefined);
      subject.on('a', () => null);
      expect(await events.trigger('a')).to.equal(undefined);
    });

    it('ignores listeners that are no functions', async () => {
      subject.on('a', undefined as never);
      subject.on('a', 'nonsense' as never);
      subject.on('a', () => 'heard');
      expect(await events.trigger('a')).to.equal('heard');
    });

    it('does not call a listener that was added while the event was being delivered', () => {
      let late = 0;
      subject.on('a', () => {
        subject.on('a', () => late++);
      });
      events.emit('a');
      expect(late).to.equal(0);
      events.emit('a');
      expect(late).to.equal(1);
    });
  });

  describe('once', () => {
    it('calls the listener a single time, also when the listener triggers the event again', () => {
      let calls = 0;
      subject.once('a', () => {
        calls++;
        events.emit('a');
      });
      events.emit('a');
      events.emit('a');
      expect(calls).to.equal(1);
    });

    it('leaves the other listeners alone', () => {
      const calls: string[] = [];
      subject.once('a', () => calls.push('once'));
      subject.on('a', () => calls.push('always'));
      events.emit('a');
      events.emit('a');
      expect(calls).to.deep.equal(['once', 'always', 'always']);
    });
  });

  describe('removeAllListeners, listenerCount and has', () => {
    it('counts the listeners of one name', () => {
      expect(events.listenerCount('a')).to.equal(0);
      subject.on('a', () => {});
      subject.once('a', () => {});
      expect(events.listenerCount('a')).to.equal(2);
      events.emit('a');
      expect(events.listenerCount('a')).to.equal(1);
    });

    it('removes one name, or all', () => {
      subject.on('a', () => {});
      subject.on('b', () => {});
      subject.removeAllListeners('a');
      expect([events.has('a'), events.has('b')]).to.deep.equal([false, true]);
      subject.removeAllListeners();
      expect(events.has('b')).to.equal(false);
    });

    it('says that a debug listener hears of everything', () => {
      expect(events.has('a')).to.equal(false);
      subject.on('debug', () => {});
      expect(events.has('a')).to.equal(true);
    });
  });

  describe('debug', () => {
    it('is told of every other event before its listeners are', () => {
      const calls: unknown[] = [];
      subject.on('debug', (text, args) => calls.push([text, args]));
      subject.on('a', (x) => calls.push(x));
      events.emit('a', 7);
      void events.trigger('b', 1, 2);
      events.emit('debug', 'own text', { data: 1 });
      expect(calls).to.deep.equal([
        ['Event triggered: a', [7]],
        7,
        ['Event triggered: b', [1, 2]],
        ['own text', { data: 1 }],
      ]);
    });
  });

  describe('a listener that fails', () => {
    const failure = new BottleneckError('listener failed');
    const ways: [string, () => unknown][] = [
      [
        'throws',
        () => {
          throw failure;
        },
      ],
      ['rejects', () => Promise.reject(failure)],
    ];

    for (const [way, fail] of ways) {
      it(`and ${way} becomes an error event and counts as no result`, async () => {
        const reported = new Promise((resolve) => subject.on('error', resolve));
        subject.on('a', fail);
        subject.on('a', () => 'other');
        expect(await events.trigger('a')).to.equal('other');
        expect(await reported).to.equal(failure);
      });

      it(`and ${way} under emit becomes an error event`, async () => {
        const reported = new Promise((resolve) => subject.on('error', resolve));
        subject.on('a', fail);
        events.emit('a');
        expect(await reported).to.equal(failure);
      });

      it(`on "error" and ${way} is reported once, without recursion`, async () => {
        const heard: unknown[] = [];
        subject.on('error', (error) => {
          heard.push(error);
          return fail();
        });
        const warning = nextWarning();
        await events.trigger('error', new Error('original'));
        expect((await warning).message).to.contain('listener failed');
        expect(heard).to.have.lengthOf(1);
      });

      it(`on "debug" and ${way} is reported once, without recursion`, async () => {
        let debugs = 0;
        const errors: unknown[] = [];
        subject.on('debug', () => {
          debugs++;
          return fail();
        });
        const reported = new Promise((resolve) => {
          subject.on('error', (error) => {
            errors.push(error);
            resolve(error);
          });
        });
        await events.trigger('a');
        await reported;
        expect(debugs).to.equal(1);
        expect(errors).to.deep.equal([failure]);
      });
    }

    it('never rejects the promise of trigger, even when nobody listens to "error"', async () => {
      subject.on('a', () => Promise.reject(failure));
      expect(await events.trigger('a')).to.equal(undefined);
    });
  });
});

describe('BottleneckError', () => {
  it('is an Error whose name stays "Error"', () => {
    const error = new BottleneckError('text');
    expect(error).to.be.instanceOf(Error);
    expect(error.name).to.equal('Error');
    expect(String(error)).to.equal('Error: text');
  });
});
