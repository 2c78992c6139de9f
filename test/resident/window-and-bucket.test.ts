import { expect } from 'chai';
import Bottleneck from '../../lib/index';
import type { BucketOptions, WindowOptions } from '../../lib/resident';
import { useResident } from './support/fixture';
import { rejection } from './support/hold';

/** How late a timer may make a start look, ms: two starts can seem that much closer than they were decided. */
const JITTER = 60;
/** The same where a message between processes tells of it. */
const MESSAGE_JITTER = 120;

interface Limits {
  window?: WindowOptions | null;
  bucket?: BucketOptions | null;
  maxConcurrent?: number | null;
  minTime?: number;
}

interface Subject {
  schedule(weight: number, job: () => void): Promise<unknown>;
  updateSettings(limits: Limits): Promise<unknown>;
  end(): Promise<unknown>;
}

describe('sliding window and token bucket', () => {
  const fixture = useResident();

  const facade = (options: object): Subject => {
    const limiter = new Bottleneck(options);
    return {
      schedule: (weight, job) => limiter.schedule({ weight }, async () => job()),
      updateSettings: (limits) => limiter.updateSettings(limits),
      end: () => limiter.disconnect(),
    };
  };
  const onRedis = (): object => {
    const { host, port } = fixture.redis.server;
    return { id: fixture.redis.id(), datastore: 'ioredis', clientOptions: { host, port } };
  };

  const subjects: Record<string, (limits: Limits) => Promise<Subject>> = {
    'Bottleneck in memory': async (limits) => facade(limits),
    'Bottleneck in memory, just in time': async (limits) => facade({ ...limits, dispatch: 'just-in-time' }),
    'Bottleneck on Redis': async (limits) => facade({ ...limits, ...onRedis() }),
    'Bottleneck on Redis, just in time': async (limits) =>
      facade({ ...limits, ...onRedis(), dispatch: 'just-in-time' }),
    DistributedLimiter: async (limits) => {
      const limiter = await fixture.limiter({ maxConcurrent: null, ...limits });
      return {
        schedule: (weight, job) => limiter.schedule(job, { weight }),
        updateSettings: (changed) => limiter.updateSettings(changed),
        end: () => limiter.stop(),
      };
    },
  };

  for (const [name, make] of Object.entries(subjects)) {
    describe(name, () => {
      let subject: Subject;
      afterEach(() => subject.end());

      /** ms at which jobs of these weights start, from now on. */
      async function starts(weights: number[]): Promise<number[]> {
        const begin = performance.now();
        const times: number[] = [];
        await Promise.all(
          weights.map((weight) => subject.schedule(weight, () => times.push(performance.now() - begin))),
        );
        return times;
      }
      const ones = (count: number): number[] => new Array(count).fill(1);

      /** Never more than `max` within `duration`, wherever that span begins. */
      function expectWindow(times: number[], max: number, duration: number): void {
        for (let i = max; i < times.length; i++) {
          expect(times[i]! - times[i - max]!, `starts ${i - max} and ${i}`).to.be.at.least(duration - JITTER);
        }
      }

      it('starts at most `max` in any `duration`', async () => {
        subject = await make({ window: { max: 3, duration: 200 } });
        const times = await starts(ones(8));
        expectWindow(times, 3, 200);
        expect(times[2]).to.be.below(100);
        expect(times[7]).to.be.within(400 - JITTER, 650);
      });

      it('slides: starts spread in the window come back one by one', async () => {
        subject = await make({ window: { max: 2, duration: 200 } });
        const begin = performance.now();
        const times: number[] = [];
        const job = (): void => void times.push(performance.now() - begin);
        const jobs = [subject.schedule(1, job)];
        await new Promise((resolve) => setTimeout(resolve, 110));
        jobs.push(...ones(3).map(() => subject.schedule(1, job)));
        await Promise.all(jobs);
        expectWindow(times, 2, 200);
        // A window that began anew at 200 ms would have let two in there.
        expect(times[3]! - times[2]!).to.be.at.least(110 - JITTER - 10);
      });

      it('spends the tokens of the bucket, and then as they come', async () => {
        subject = await make({ bucket: { capacity: 3, refillPerSecond: 20 } });
        const times = await starts(ones(7));
        expect(times[2]).to.be.below(100);
        // One token every 50 ms from then on.
        for (let i = 3; i < 7; i++) expect(times[i], `start ${i}`).to.be.within((i - 2) * 50 - 10, (i - 2) * 50 + 150);
      });

      it('takes the weight of a job as its price', async () => {
        subject = await make({ bucket: { capacity: 4, refillPerSecond: 20 } });
        const times = await starts([4, 1, 2, 0]);
        expect(times[0]).to.be.below(100);
        expect(times[1]).to.be.within(40, 200);
        expect(times[2]).to.be.within(140, 300);
        expect(times[3]! - times[2]!).to.be.below(50);
      });

      it('lets a job that costs more than the bucket holds overdraw it when it is full', async () => {
        subject = await make({ bucket: { capacity: 2, refillPerSecond: 20 } });
        const times = await starts([6, 1]);
        expect(times[0]).to.be.below(100);
        // 4 tokens below nothing, and one more.
        expect(times[1]).to.be.within(240, 450);
      });

      it('obeys minTime beside them', async () => {
        subject = await make({ window: { max: 2, duration: 250 }, minTime: 60 });
        const times = await starts(ones(4));
        for (let i = 1; i < 4; i++) expect(times[i]! - times[i - 1]!).to.be.at.least(60 - JITTER);
        expectWindow(times, 2, 250);
      });

      it('can be changed and switched off', async () => {
        subject = await make({ window: { max: 1, duration: 60_000 } });
        await starts([1]);
        const blocked = starts(ones(2));
        await subject.updateSettings({ window: { max: 3, duration: 60_000 } });
        await blocked;
        const rest = starts(ones(3));
        await subject.updateSettings({ window: null });
        await rest;
        await subject.updateSettings({ bucket: { capacity: 1, refillPerSecond: 0.01 } });
        await starts([1]);
        const waiting = starts([1]);
        await subject.updateSettings({ bucket: null });
        await waiting;
      });
    });
  }

  it('refuse in Bottleneck what makes no sense', async () => {
    const wrong: [object, string][] = [
      [{ window: 5 }, 'Invalid window: expected an object with the numbers max and duration, got 5'],
      [{ window: { max: 0, duration: 1 } }, 'Invalid windowMax: expected an integer of 1 or more, got 0'],
      [{ window: { max: 1, duration: 0 } }, 'Invalid windowDuration: expected a number above 0, got 0'],
      [
        { bucket: { capacity: 1 } },
        'Invalid bucket: expected an object with the numbers capacity and refillPerSecond, got an object',
      ],
      [
        { bucket: { capacity: 1, refillPerSecond: 0 } },
        'Invalid bucketRefillPerSecond: expected a number above 0, got 0',
      ],
      [{ bucket: { capacity: 0, refillPerSecond: 1 } }, 'Invalid bucketCapacity: expected a number above 0, got 0'],
    ];
    for (const [options, message] of wrong) {
      expect(() => new Bottleneck(options).counts()).to.throw(Bottleneck.BottleneckError, message);
      const limiter = new Bottleneck();
      expect((await rejection(limiter.updateSettings(options))).message).to.contain(message);
    }
  });

  it('hold for several processes together', async function () {
    this.timeout(20_000);
    const id = fixture.redis.id();
    const limits = { maxConcurrent: null, window: { max: 4, duration: 300 } };
    const remote = await fixture.process({ limiter: { id, ...limits } });
    const limiter = await fixture.limiter({ id, ...limits });
    const times: number[] = [];
    remote.worker.onMessage(({ type }) => {
      if (type.startsWith('started')) times.push(performance.now());
    });
    const mine = Array.from({ length: 6 }, () => limiter.schedule(() => void times.push(performance.now())));
    const theirs = Array.from({ length: 6 }, async (_, i) => {
      await remote.hold(`job ${i}`);
      await remote.started(`job ${i}`);
      remote.release(`job ${i}`);
      await remote.settled(`job ${i}`);
    });
    await Promise.all([...mine, ...theirs]);
    times.sort((a, b) => a - b);
    for (let i = 4; i < 12; i++) expect(times[i]! - times[i - 4]!).to.be.at.least(300 - MESSAGE_JITTER);
  });
});
