import { expect } from 'chai';
import { replyPairs } from '../../../lib/store/redis/clients/client';
import { fromFields, toFields } from '../../../lib/store/redis/stored-settings';
import type { StoreSettings } from '../../../lib/store/store';
import { UNLIMITED } from '../../store/store-driver';

function fieldsOf(settings: Partial<StoreSettings>): Record<string, string> {
  return Object.fromEntries(replyPairs(toFields(settings)));
}

function roundTrip(settings: Partial<StoreSettings>): StoreSettings {
  return fromFields(replyPairs(toFields({ ...UNLIMITED, ...settings })));
}

describe('stored settings', () => {
  it('come back as they were', () => {
    const settings: StoreSettings = {
      maxConcurrent: 2.5,
      minTime: 66.6,
      highWater: 0,
      strategy: 3,
      penalty: 0,
      reservoir: -1,
      reservoirRefreshInterval: 33.3,
      reservoirRefreshAmount: 4,
      reservoirIncreaseInterval: 10,
      reservoirIncreaseAmount: 0.5,
      reservoirIncreaseMaximum: 8,
      dispatch: 'just-in-time',
      windowMax: 3,
      windowDuration: 1000,
      bucketCapacity: 5,
      bucketRefillPerSecond: 0.1,
    };
    expect(roundTrip(settings)).to.deep.equal(settings);
    expect(roundTrip({})).to.deep.equal(UNLIMITED);
  });

  it('hold only what was asked to be changed', () => {
    expect(fieldsOf({ highWater: 3 })).to.deep.equal({ highWater: '3' });
    expect(fieldsOf({})).to.deep.equal({});
  });

  it('are the empty text for null, as Bottleneck has it', () => {
    expect(fieldsOf({ maxConcurrent: null, windowMax: null, dispatch: 'default' })).to.deep.equal({
      maxConcurrent: '',
      rb_windowMax: '',
      rb_justInTime: '',
    });
  });

  it('give real clients a whole minTime, and keep the exact one beside it', () => {
    expect(fieldsOf({ minTime: 66.6 })).to.deep.equal({ minTime: '67', rb_minTime: '66.6' });
  });

  it('believe a real client that has changed minTime since', () => {
    const fields = new Map(replyPairs(toFields({ ...UNLIMITED, minTime: 66.6 })));
    fields.set('minTime', '200');
    expect(fromFields([...fields]).minTime).to.equal(200);
  });

  it('never hold Infinity, which real scripts read as 0', () => {
    const infinite = Object.fromEntries(Object.keys(UNLIMITED).map((name) => [name, Number.POSITIVE_INFINITY]));
    for (const value of Object.values(fieldsOf(infinite))) expect(value).to.match(/^\d*$/);
  });

  it('mean no limit by an infinite limit', () => {
    const { maxConcurrent, highWater, reservoir, bucketCapacity } = roundTrip({
      maxConcurrent: Number.POSITIVE_INFINITY,
      highWater: Number.POSITIVE_INFINITY,
      reservoir: Number.POSITIVE_INFINITY,
      bucketCapacity: Number.POSITIVE_INFINITY,
    });
    expect([maxConcurrent, highWater, reservoir, bucketCapacity]).to.deep.equal([null, null, null, null]);
  });

  it('mean for ever by an infinite time, not none', () => {
    const infinite = {
      minTime: Number.POSITIVE_INFINITY,
      penalty: Number.POSITIVE_INFINITY,
      windowDuration: Number.POSITIVE_INFINITY,
    };
    const { minTime, penalty, windowDuration } = roundTrip(infinite);
    const century = 100 * 365 * 86_400_000;
    for (const time of [minTime, penalty, windowDuration]) expect(time).to.be.at.least(century);
  });

  it('mean as much as there can be by an infinite amount', () => {
    const { reservoirRefreshAmount, reservoirIncreaseAmount } = roundTrip({
      reservoirRefreshAmount: Number.POSITIVE_INFINITY,
      reservoirIncreaseAmount: Number.POSITIVE_INFINITY,
    });
    expect([reservoirRefreshAmount, reservoirIncreaseAmount]).to.deep.equal([
      Number.MAX_SAFE_INTEGER,
      Number.MAX_SAFE_INTEGER,
    ]);
  });

  it('have defaults for what older versions did not store', () => {
    expect(fromFields([])).to.deep.equal(UNLIMITED);
  });
});
