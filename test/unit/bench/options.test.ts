import { expect } from 'chai';
import { loadBench } from './load';

describe('bench/harness/options.mjs', () => {
  let readOptions: (args: string[]) => Record<string, unknown>;

  before(async () => {
    readOptions = (await loadBench('harness/options.mjs')).readOptions;
  });

  it('names one benchmark to be profiled, and the library when it is not rebottle', () => {
    expect(readOptions(['--profile', 'redis-max-1'])).to.deep.include({ library: undefined, quick: false });
    const { profiled, library, quick } = readOptions(['--profile', 'redis-max-1', '--library', 'bullmq', '--quick']);
    expect((profiled as { name: string }).name).to.equal('redis-max-1');
    expect({ library, quick }).to.deep.equal({ library: 'bullmq', quick: true });
  });

  it('refuses the name of none', () => {
    expect(() => readOptions(['--profile', 'redis-max'])).to.throw('no benchmark is called redis-max; there are ');
  });

  it('chooses every benchmark whose name contains what is asked for', () => {
    const { chosen } = readOptions(['--only', 'redis-max,growth-local']) as { chosen: { name: string }[] };
    expect(chosen.map(({ name }) => name)).to.deep.equal(['redis-max-100', 'redis-max-1', 'growth-local']);
  });
});
