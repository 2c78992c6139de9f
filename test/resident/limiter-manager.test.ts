import { expect } from 'chai';
import { LimiterManager, type LimiterManagerOptions, type ManagedLimiter } from '../../lib/resident';
import DefaultExport from '../../lib/resident/limiter-manager-default';
import { eventually } from '../support/eventually';
import { useResident } from './support/fixture';
import { failure, hold, rejection } from './support/hold';

describe('LimiterManager', () => {
  const fixture = useResident();
  let scopes = 0;
  beforeEach(() => fixture.redis.allowKeys(/^b_(mail|search):/));

  async function manager(options: LimiterManagerOptions = {}): Promise<LimiterManager> {
    const made = new LimiterManager({ pool: await fixture.pool(), ...options });
    await made.registerFeatureConfig('mail', { maxConcurrent: 1, retryOnFailure: false });
    return made;
  }
  const scope = (): string => `${fixture.redis.prefix}-scope-${scopes++}`;

  it('is the default export of its entry, and has itself as default', () => {
    expect(DefaultExport).to.equal(LimiterManager);
    expect(LimiterManager.default).to.equal(LimiterManager);
  });

  it('schedules as Bottleneck does: with arguments, with options before, and by wrap', async () => {
    const limiter = (await manager()).getLimiter(scope(), 'mail');
    const add = (a: number, b: number): number => a + b;
    expect(await limiter.schedule(add, 1, 2)).to.equal(3);
    expect(await limiter.schedule({ priority: 1, id: 'named' }, add, 3, 4)).to.equal(7);
    expect(await limiter.schedule(async () => 'async')).to.equal('async');
    expect(await limiter.wrap(add)(5, 6)).to.equal(11);
    const mine = failure();
    expect(await rejection(limiter.schedule(() => Promise.reject(mine)))).to.equal(mine);
  });

  it('ends a job that takes longer than its timeout', async () => {
    const limiter = (await manager()).getLimiter(scope(), 'mail');
    const error = await rejection(limiter.schedule({ timeout: 30, id: 'slow' }, () => new Promise(() => {})));
    expect(error).to.include({ code: 'JOB_TIMEOUT', timeout: 30 });
    expect(await limiter.schedule(() => 'next')).to.equal('next');
  });

  it('has one limiter for each scope and feature, under an id that shows both', async () => {
    const made = await manager();
    await made.registerFeatureConfig('search', { maxConcurrent: 1 });
    const [a, b] = [scope(), scope()];
    const limiter = made.getLimiter(a, 'mail');
    expect(made.getLimiter(a, 'mail')).to.equal(limiter);
    expect(limiter.id).to.equal(`mail:${a}`);
    const job = hold();
    const held = limiter.schedule(job.fn);
    await job.started;
    // Others go on beside it.
    expect(await made.getLimiter(b, 'mail').schedule(() => 'other scope')).to.equal('other scope');
    expect(await made.getLimiter(a, 'search').schedule(() => 'other feature')).to.equal('other feature');
    const waiting = hold();
    const second = limiter.schedule(waiting.fn);
    expect(await limiter.limiter.getStats()).to.deep.include({ running: 1, ready: 1 });
    job.release();
    waiting.release();
    await Promise.all([held, second]);
    expect(made.size).to.equal(3);
  });

  describe('the bound', () => {
    it('lets those go that were used least lately', async () => {
      const made = await manager({ maxLimiters: 2 });
      const [a, b, c] = [scope(), scope(), scope()];
      const first = made.getLimiter(a, 'mail');
      await first.schedule(() => {});
      await made.getLimiter(b, 'mail').schedule(() => {});
      await first.schedule(() => {});
      const stale = made.getLimiter(b, 'mail');
      await made.getLimiter(c, 'mail').schedule(() => {});
      expect(made.size).to.equal(2);
      expect(made.getLimiter(a, 'mail')).to.equal(first);
      expect(made.getLimiter(b, 'mail')).not.to.equal(stale);
    });

    it('never lets one go that has work', async () => {
      const made = await manager({ maxLimiters: 1 });
      const job = hold();
      const busy = made.getLimiter(scope(), 'mail');
      const jobs = [busy.schedule(job.fn), busy.schedule(() => {})];
      await job.started;
      const others: ManagedLimiter[] = [];
      for (let i = 0; i < 3; i++) {
        others.push(made.getLimiter(scope(), 'mail'));
        await others[i]!.schedule(() => {});
      }
      const delayed = others[2]!.schedule({ delay: 100 }, () => {});
      await others[1]!.schedule(() => {});
      expect(await busy.limiter.getStats()).to.deep.include({ running: 1, ready: 1 });
      expect(made.size).to.be.within(2, 3);
      job.release();
      await Promise.all([...jobs, delayed]);
      await eventually(() => made.size === 1);
    });

    it('leaves wrappers that are kept usable', async () => {
      const made = await manager({ maxLimiters: 1 });
      const kept = made.getLimiter(scope(), 'mail');
      await kept.schedule(() => {});
      const before = kept.limiter;
      await made.getLimiter(scope(), 'mail').schedule(() => {});
      expect(await kept.schedule(() => 'again')).to.equal('again');
      expect(kept.limiter).not.to.equal(before);
    });
  });

  describe('a config', () => {
    it('that changes reaches limiters that exist, and those to come', async () => {
      const made = await manager();
      const limiter = made.getLimiter(scope(), 'mail');
      const jobs = [hold(), hold()];
      const scheduled = jobs.map((job) => limiter.schedule(job.fn));
      await jobs[0]!.started;
      expect(jobs[1]!.hasStarted).to.equal(false);
      await made.registerFeatureConfig('mail', { maxConcurrent: 2, priority: 33, retryOnFailure: false });
      await jobs[1]!.started;
      for (const job of jobs) job.release();
      await Promise.all(scheduled);
      const { limiter: inner } = made.getLimiter(scope(), 'mail');
      expect(await inner.schedule(({ priority }) => priority)).to.equal(33);
      expect(await limiter.limiter.schedule(({ priority }) => priority)).to.equal(33);
    });

    it('that no longer names a limit takes it away', async () => {
      const made = await manager();
      await made.registerFeatureConfig('mail', { maxConcurrent: 1, reservoir: 1 });
      const limiter = made.getLimiter(scope(), 'mail');
      await limiter.schedule(() => {});
      const waiting = limiter.schedule(() => 'went on');
      expect(await limiter.limiter.getStats()).to.deep.include({ ready: 1, reservoir: 0 });
      await made.registerFeatureConfig('mail', { maxConcurrent: 1 });
      expect(await waiting).to.equal('went on');
    });

    it('that stays the same does not fill a reservoir', async () => {
      const made = await manager();
      const config = { maxConcurrent: 1, reservoir: 5 };
      await made.registerFeatureConfig('mail', config);
      const limiter = made.getLimiter(scope(), 'mail');
      await limiter.schedule(() => {});
      await made.registerFeatureConfig('mail', { ...config });
      await made.registerFeatureConfig('mail', { ...config, minTime: 1 });
      expect(await limiter.limiter.getReservoir()).to.equal(4);
    });

    it('counts more than limits that Redis still has from before', async () => {
      const made = await manager();
      const name = scope();
      await made.getLimiter(name, 'mail').schedule(() => {});
      const later = new LimiterManager({ pool: await fixture.pool() });
      await later.registerFeatureConfig('mail', { maxConcurrent: 2 });
      const limiter = later.getLimiter(name, 'mail');
      const jobs = [hold(), hold()];
      const scheduled = jobs.map((job) => limiter.schedule(job.fn));
      await Promise.all(jobs.map((job) => job.started));
      for (const job of jobs) job.release();
      await Promise.all(scheduled);
    });

    it('lets limiters be forgotten by Redis, but not before their limits would be full again', async () => {
      const made = await manager();
      await made.registerFeatureConfig('search', {
        reservoir: 1,
        reservoirRefreshInterval: 3_600_000,
        reservoirRefreshAmount: 1,
      });
      const [mail, search] = [made.getLimiter(scope(), 'mail'), made.getLimiter(scope(), 'search')];
      await Promise.all([mail.schedule(() => {}), search.schedule(() => {})]);
      expect(await fixture.redis.admin.pttl(`b_${mail.id}_settings`)).to.be.within(290_000, 300_000);
      expect(await fixture.redis.admin.pttl(`b_${search.id}_settings`)).to.be.within(7_190_000, 7_200_000);
    });
  });

  it('works with the default pool, made later', async () => {
    const made = new LimiterManager();
    await made.registerFeatureConfig('mail', {});
    expect(() => made.getLimiter(scope(), 'mail')).to.throw('There is no worker pool "default"');
    await fixture.pool({ name: 'default' });
    expect(await made.getLimiter(scope(), 'mail').schedule(() => 'ran')).to.equal('ran');
  });

  it('stops its limiters', async () => {
    const made = await manager();
    const limiter = made.getLimiter(scope(), 'mail');
    const job = hold();
    const running = limiter.schedule(job.fn);
    await job.started;
    const waiting = limiter.schedule(() => {});
    const stopped = made.stop();
    expect(await rejection(waiting)).to.include({ code: 'LIMITER_STOPPED' });
    job.release();
    await Promise.all([stopped, running]);
    expect(made.size).to.equal(0);
  });

  it('says what is wrong', async () => {
    const made = await manager();
    expect(() => made.getLimiter('x', 'unknown'))
      .to.throw('There is no config for the feature "unknown"')
      .with.property('code', 'UNKNOWN_FEATURE');
    expect(() => made.getLimiter('', 'mail')).to.throw('Invalid scopeId: expected a text that is not empty, got ""');
    expect(() => made.registerFeatureConfig('a:b', {})).to.throw(
      'Invalid feature name: expected a text without ":", got "a:b"',
    );
    expect(() => made.registerFeatureConfig('mail', { minTime: -1 })).to.throw(
      'Invalid minTime: expected a number of 0 or more, got -1',
    );
    expect(() => made.registerFeatureConfig('mail', { id: 'x' } as never)).to.throw(
      'Invalid config of "mail": expected only maxConcurrent',
    );
    expect(() => new LimiterManager({ maxLimiters: 0 })).to.throw(
      'Invalid maxLimiters: expected an integer of 1 or more, got 0',
    );
    const limiter = made.getLimiter(scope(), 'mail');
    expect((await rejection(limiter.schedule({ timeout: 0 }, () => {}))).message).to.equal(
      'Invalid timeout: expected a number above 0, got 0',
    );
    expect((await rejection(limiter.schedule({ timeout: 5, expiration: 5 }, () => {}))).message).to.equal(
      'Invalid timeout: expected nothing beside expiration, got 5',
    );
    expect((await rejection(limiter.schedule({}, undefined as never))).message).to.equal(
      'Invalid job: expected a function, got undefined',
    );
  });
});
