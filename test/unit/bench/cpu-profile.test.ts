import { expect } from 'chai';
import { loadBench } from './load';

const BUNDLE = 'file:///tmp/bundle.cjs';

function frame(functionName: string, url = '', lineNumber = 0) {
  return { functionName, url, lineNumber, columnNumber: 0 };
}

describe('bench/harness/cpu-profile.mjs', () => {
  type Frame = ReturnType<typeof frame>;
  let placeOf: (frame: Frame) => { group: string; name?: string };
  let timesOf: (profile: object, placeOf: unknown) => unknown;

  before(async () => {
    const module = await loadBench('harness/cpu-profile.mjs');
    timesOf = module.timesOf;
    placeOf = module.placesBy((line: number) => (line < 100 ? 'lib/a.ts' : undefined), BUNDLE);
  });

  it('knows files of ours by the source map, packages and Node.js by their addresses, and V8 by names', () => {
    expect(placeOf(frame('step', BUNDLE, 5))).to.deep.equal({ group: 'lib/a.ts', name: 'step' });
    expect(placeOf(frame('', BUNDLE, 5))).to.deep.equal({ group: 'lib/a.ts', name: '(anonymous, line 6)' });
    expect(placeOf(frame('helper', BUNDLE, 200))).to.deep.equal({ group: 'rebottle', name: 'helper' });
    expect(placeOf(frame('call', 'file:///x/node_modules/ioredis/built/Redis.js'))).to.deep.equal({ group: 'ioredis' });
    expect(placeOf(frame('f', '/x/node_modules/a/node_modules/@b/c/d.js'))).to.deep.equal({ group: '@b/c' });
    expect(placeOf(frame('read', 'node:net'))).to.deep.equal({ group: 'Node.js' });
    expect(placeOf(frame('constructor'))).to.deep.equal({ group: 'Node.js' });
    expect(placeOf(frame('flat'))).to.deep.equal({ group: 'Node.js' });
    expect(placeOf(frame('(idle)'))).to.deep.equal({ group: 'idle' });
    expect(placeOf(frame('(garbage collector)'))).to.deep.equal({ group: 'garbage collection' });
    expect(placeOf(frame('job', 'file:///x/bench/harness/checks.mjs'))).to.deep.equal({
      group: 'the benchmark itself',
    });
  });

  it('gives a sample the time until the next one, and tells the longest first', () => {
    const profile = {
      nodes: [
        { id: 1, callFrame: frame('(idle)') },
        { id: 2, callFrame: frame('step', BUNDLE) },
        { id: 3, callFrame: frame('take', BUNDLE) },
      ],
      samples: [1, 2, 3, 2, 1],
      timeDeltas: [1000, 10, 20, 40, 80],
    };
    expect(timesOf(profile, placeOf)).to.deep.equal({
      microseconds: 150,
      groups: [
        ['lib/a.ts', 140],
        ['idle', 10],
      ],
      functions: [
        ['lib/a.ts step', 100],
        ['lib/a.ts take', 40],
      ],
    });
  });
});
