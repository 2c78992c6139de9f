import { expect } from 'chai';
import { BottleneckError } from '../../../lib/errors';
import { loadClient } from '../../../lib/store/redis/clients/load-client';

describe('loadClient', () => {
  it('loads what is installed', () => {
    expect(loadClient('ioredis')).to.equal(require('ioredis'));
    expect(loadClient('redis').createClient).to.be.a('function');
  });

  it('says what to do when it is not', () => {
    expect(() => loadClient('not-installed-anywhere' as never))
      .to.throw(BottleneckError)
      .with.property('message')
      .that.contains('"not-installed-anywhere"')
      .and.contains('Install it')
      .and.contains('"Redis"');
  });
});
