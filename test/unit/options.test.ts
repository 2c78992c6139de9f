import { expect } from 'chai';
import { BottleneckError } from '../../lib/errors';
import { jobOptions, settingsPatch, storeSettings } from '../../lib/options';
import { UNLIMITED } from '../store/store-driver';

type Refusal = [option: string, value: unknown, message: string];

function refused(options: object): string {
  try {
    storeSettings(options as Record<string, unknown>);
  } catch (error) {
    expect(error).to.be.instanceOf(BottleneckError);
    return (error as Error).message;
  }
  return 'nothing was refused';
}

const AT_LEAST_0 = [
  'maxConcurrent',
  'minTime',
  'highWater',
  'penalty',
  'reservoirRefreshInterval',
  'reservoirIncreaseInterval',
];
const ABOVE_0 = ['windowDuration', 'bucketCapacity', 'bucketRefillPerSecond'];
const ANY_NUMBER = [
  'strategy',
  'reservoir',
  'reservoirRefreshAmount',
  'reservoirIncreaseAmount',
  'reservoirIncreaseMaximum',
];
const AS_TEXT = ['maxConcurrent', 'reservoir', 'reservoirRefreshAmount', 'reservoirIncreaseMaximum'];
const ALL = [...AT_LEAST_0, ...ABOVE_0, ...ANY_NUMBER, 'windowMax'];

describe('settings', () => {
  it('have the defaults of Bottleneck', () => {
    expect(storeSettings({})).to.deep.equal(UNLIMITED);
  });

  it('leave out what is not for the store', () => {
    expect(storeSettings({ id: 'x', Redis: {}, minTime: 3, whatever: Number.NaN })).to.deep.equal({
      ...UNLIMITED,
      minTime: 3,
    });
  });

  for (const name of ALL) {
    it(`${name}: null and undefined stand for the default`, () => {
      expect(storeSettings({ [name]: null })).to.deep.equal(UNLIMITED);
      expect(storeSettings({ [name]: undefined })).to.deep.equal(UNLIMITED);
    });

    it(`${name}: a number is taken as it is`, () => {
      for (const value of name === 'windowMax' ? [1, 25] : [1, 2.5, Number.POSITIVE_INFINITY])
        expect(storeSettings({ [name]: value })).to.include({ [name]: value });
    });

    it(`${name}: what is no number is refused`, () => {
      for (const value of [Number.NaN, true, {}, [], 'many', '', () => {}]) {
        expect(refused({ [name]: value })).to.match(
          new RegExp(`^Invalid ${name}: expected an? (number|integer).*, got `),
        );
      }
    });
  }

  for (const name of AT_LEAST_0) {
    it(`${name}: 0 is taken, and less is refused`, () => {
      expect(storeSettings({ [name]: 0 })).to.include({ [name]: 0 });
      expect(refused({ [name]: -1 })).to.equal(`Invalid ${name}: expected a number of 0 or more, got -1`);
    });
  }

  for (const name of ABOVE_0) {
    it(`${name}: 0 and less are refused`, () => {
      for (const value of [0, -1])
        expect(refused({ [name]: value })).to.equal(`Invalid ${name}: expected a number above 0, got ${value}`);
    });
  }

  for (const name of ANY_NUMBER) {
    it(`${name}: may be below 0`, () => {
      expect(storeSettings({ [name]: -5 })).to.include({ [name]: -5 });
    });
  }

  for (const name of ALL) {
    const taken = AS_TEXT.includes(name);
    it(`${name}: a number as text is ${taken ? 'converted' : 'refused'}`, () => {
      if (taken) expect(storeSettings({ [name]: ' 7 ' })).to.include({ [name]: 7 });
      else expect(refused({ [name]: '7' })).to.match(new RegExp(`^Invalid ${name}: expected .*, got "7"$`));
    });
  }

  const refusals: Refusal[] = [
    ['windowMax', 0, 'an integer of 1 or more, got 0'],
    ['maxConcurrent', -0.1, 'a number of 0 or more, got -0.1'],
    ['reservoir', Number.NaN, 'a number, got NaN'],
    ['minTime', [5], 'a number of 0 or more, got an array'],
    ['minTime', {}, 'a number of 0 or more, got an object'],
    ['minTime', () => 5, 'a number of 0 or more, got a function'],
    ['minTime', '5"', 'a number of 0 or more, got "5\\""'],
    ['dispatch', 'later', '"default" or "just-in-time", got "later"'],
    ['dispatch', true, '"default" or "just-in-time", got true'],
    ['window', { max: 3 }, 'an object with the numbers max and duration, got an object'],
    ['window', 5, 'an object with the numbers max and duration, got 5'],
    [
      'bucket',
      { capacity: 3, refillPerSecond: '1' },
      'an object with the numbers capacity and refillPerSecond, got an object',
    ],
  ];
  for (const [option, value, message] of refusals) {
    it(`${option}: the error says what was expected and what was got: ${message}`, () => {
      expect(refused({ [option]: value })).to.equal(`Invalid ${option}: expected ${message}`);
    });
  }

  it('window and bucket are taken as objects', () => {
    const settings = storeSettings({ window: { max: 3, duration: 100 }, bucket: { capacity: 5, refillPerSecond: 2 } });
    expect(settings).to.include({ windowMax: 3, windowDuration: 100, bucketCapacity: 5, bucketRefillPerSecond: 2 });
    expect(settings).to.have.all.keys(Object.keys(UNLIMITED));
  });

  it('window and bucket are checked within', () => {
    expect(refused({ window: { max: 0, duration: 100 } })).to.equal(
      'Invalid windowMax: expected an integer of 1 or more, got 0',
    );
    expect(refused({ bucket: { capacity: 1, refillPerSecond: 0 } })).to.equal(
      'Invalid bucketRefillPerSecond: expected a number above 0, got 0',
    );
  });

  describe('to be changed', () => {
    it('are those that are named', () => {
      expect(settingsPatch({ minTime: 5, id: 'x', unknown: 1 })).to.deep.equal({ minTime: 5 });
      expect(settingsPatch({})).to.deep.equal({});
    });

    it('go back to their defaults by null', () => {
      expect(settingsPatch({ minTime: null, maxConcurrent: null, strategy: undefined, dispatch: null })).to.deep.equal({
        minTime: 0,
        maxConcurrent: null,
        strategy: 1,
        dispatch: 'default',
      });
    });

    it('switch window and bucket off by null', () => {
      expect(settingsPatch({ window: null, bucket: null })).to.deep.equal({
        windowMax: null,
        windowDuration: null,
        bucketCapacity: null,
        bucketRefillPerSecond: null,
      });
    });

    it('are checked as at first', () => {
      expect(() => settingsPatch({ minTime: -1 })).to.throw(BottleneckError, 'Invalid minTime');
    });
  });
});

describe('job options', () => {
  const options = (given: Record<string, unknown>) => jobOptions(given);

  it('have the defaults of Bottleneck', () => {
    expect(options({})).to.deep.equal({ priority: 5, weight: 1, expiration: null, id: null });
    expect(options({ priority: null, weight: null, expiration: null, id: null })).to.deep.equal(options({}));
  });

  it("have no id for Bottleneck's own word for none", () => {
    expect(options({ id: '<no-id>' }).id).to.equal(null);
    expect(options({ id: 'mine' }).id).to.equal('mine');
    expect(options({ id: 0 }).id).to.equal(0);
  });

  const priorities: Array<[given: unknown, taken: number]> = [
    [0, 0],
    [9, 9],
    [-3, 0],
    [12, 9],
    [2.5, 5],
    ['3', 5],
    [Number.NaN, 5],
    [Number.POSITIVE_INFINITY, 5],
  ];
  for (const [given, taken] of priorities) {
    it(`priority ${JSON.stringify(given)} (${typeof given}) counts as ${taken}`, () =>
      expect(options({ priority: given }).priority).to.equal(taken));
  }

  it('weight: a number of 0 or more, also as text', () => {
    expect([0, 2.5, '3'].map((weight) => options({ weight }).weight)).to.deep.equal([0, 2.5, 3]);
    for (const weight of [-1, Number.NaN, Number.POSITIVE_INFINITY, 'heavy', {}, '']) {
      expect(() => options({ weight })).to.throw(
        BottleneckError,
        'Invalid weight: expected a number of 0 or more, got ',
      );
    }
  });

  it('expiration: a number of 0 or more, Infinity too, also as text', () => {
    expect(
      [0, 2 ** 40, Number.POSITIVE_INFINITY, '30'].map((expiration) => options({ expiration }).expiration),
    ).to.deep.equal([0, 2 ** 40, Number.POSITIVE_INFINITY, 30]);
    for (const expiration of [-1, Number.NaN, 'soon', {}]) {
      expect(() => options({ expiration })).to.throw(
        BottleneckError,
        'Invalid expiration: expected a number of 0 or more (ms), got ',
      );
    }
  });
});
