import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../../support/eventually';
import { type RedisServer, type StartRedisOptions, startRedis } from '../../support/redis-server';
import type { Limiter } from '../load-package';
import { Limiters } from './case';

/** All that a limiter needs of Redis 7 and later; docs/RELIABILITY.md shows this line. */
const SUFFICIENT_ACL = [
  'user limiter on >secret resetkeys ~b_* resetchannels &b_* -@all',
  '+@hash +@sortedset +@list +del +exists +type +pexpire +scan',
  '+eval +evalsha +script|load +time +publish +subscribe +unsubscribe +pubsub',
  '+ping +hello +auth +info +select +client|setname',
].join(' ');
/** With this, from the first version on that knows it. */
const SETINFO = { since: [7, 2], rule: '+client|setinfo' };

type Admin = ReturnType<RedisServer['client']>;

describe('case 8: Redis says no', function () {
  this.timeout(180_000);
  let server: RedisServer | undefined;
  let admin: Admin;
  const limiters = new Limiters({ maxConcurrent: 1 });

  beforeEach(() => {
    limiters.errors.length = 0;
  });

  afterEach(async () => {
    await limiters.closeAll();
    await server?.stop();
    server = undefined;
  });

  async function start(options?: StartRedisOptions): Promise<RedisServer> {
    server = await startRedis(options);
    admin = server.client();
    return server;
  }

  /** Jobs that are scheduled while Redis refuses wait, an error tells why, and they run once it agrees again. */
  async function waitsOut(limiter: Limiter, why: RegExp, refuse: () => unknown, agree: () => unknown): Promise<void> {
    await refuse();
    const done: number[] = [];
    const jobs = [1, 2, 3].map((n) => limiter.schedule({}, async () => done.push(n)));
    await eventually(() => limiters.errors.some((message) => why.test(message)), {
      that: `an error event like ${why}; there were ${JSON.stringify(limiters.errors)}`,
    });
    await sleep(300);
    expect(done).to.deep.equal([]);
    expect(limiters.errors.length, 'no flood of error events').to.be.lessThan(50);
    await agree();
    await Promise.all(jobs);
    expect(done).to.deep.equal([1, 2, 3]);
  }

  async function working(id: string): Promise<Limiter> {
    const limiter = limiters.on(server!, { id });
    await limiter.ready();
    await limiter.schedule({}, async () => {});
    return limiter;
  }

  it('OOM', async () => {
    await start();
    await waitsOut(
      await working('oom'),
      /OOM/,
      () => admin.config('SET', 'maxmemory', '1'),
      () => admin.config('SET', 'maxmemory', '0'),
    );
  });

  it('READONLY: the server became a replica', async () => {
    const { port } = await start();
    const other = await startRedis();
    try {
      await waitsOut(
        await working('readonly'),
        /READONLY/,
        () => admin.replicaof(other.host, other.port),
        () => admin.call('REPLICAOF', 'NO', 'ONE'),
      );
      expect(port).not.to.equal(other.port);
    } finally {
      await other.stop();
    }
  });

  it('MISCONF: it cannot save', async () => {
    const { dir } = await start({ rdb: true });
    const blocker = path.join(dir, 'dump.rdb');
    await waitsOut(
      await working('misconf'),
      /MISCONF/,
      async () => {
        // The file to replace is a folder: the save fails.
        fs.mkdirSync(path.join(blocker, 'x'), { recursive: true });
        await admin.bgsave();
        await eventually(async () => /rdb_last_bgsave_status:err/.test(await admin.info('persistence')));
      },
      async () => {
        fs.rmSync(blocker, { recursive: true });
        await admin.save();
      },
    );
  });

  it('NOPERM: an ACL without a needed command', async () => {
    await start({ acl: ['user limiter on >secret ~* &* +@all'] });
    const limiter = limiters.on(server!, { id: 'noperm' }, { username: 'limiter', password: 'secret' });
    await limiter.ready();
    await waitsOut(
      limiter,
      /NOPERM/i,
      () => admin.call('ACL', 'SETUSER', 'limiter', '-evalsha', '-eval'),
      () => admin.call('ACL', 'SETUSER', 'limiter', '+evalsha', '+eval'),
    );
  });

  it('the ACL line in the docs suffices', async () => {
    await start({ acl: [SUFFICIENT_ACL] });
    const [major, minor] = /redis_version:(\d+)\.(\d+)/
      .exec(await admin.info('server'))!
      .slice(1)
      .map(Number);
    const [sinceMajor, sinceMinor] = SETINFO.since as [number, number];
    if (major! > sinceMajor || (major === sinceMajor && minor! >= sinceMinor))
      await admin.call('ACL', 'SETUSER', 'limiter', SETINFO.rule);
    const limiter = limiters.on(server!, { id: 'acl', minTime: 1 }, { username: 'limiter', password: 'secret' });
    await limiter.ready();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => limiter.schedule({ priority: i % 10 }, async () => sleep(2))),
    );
    await admin.script('FLUSH');
    await limiter.schedule({}, async () => {});
    await admin.flushall();
    await limiter.schedule({}, async () => {});
    expect(await limiter.running()).to.equal(0);
    expect(limiters.errors).to.deep.equal([]);
    const log = (await admin.call('ACL', 'LOG')) as unknown[];
    expect(log, 'refused commands').to.deep.equal([]);
  });

  it('BUSY: somebody runs a long script', async () => {
    await start({ config: { 'lua-time-limit': 20 } });
    let endless: Promise<unknown> = Promise.resolve();
    await waitsOut(
      await working('busy'),
      /BUSY/,
      async () => {
        endless = server!
          .client()
          .eval('while true do end', 0)
          .catch(() => {});
        await sleep(100);
      },
      async () => {
        const killer = server!.client({ enableReadyCheck: false });
        await killer.script('KILL');
        await endless;
      },
    );
  });

  it('LOADING: it still reads its file', async () => {
    await start({ rdb: true, config: { 'key-load-delay': 0 } });
    const limiter = await working('loading');
    const pipeline = admin.pipeline();
    for (let i = 0; i < 400; i++) pipeline.set(`k${i}`, 'x');
    await pipeline.exec();
    await admin.save();
    let done = false;
    await server!.kill();
    const job = limiter.schedule({}, async () => {
      done = true;
    });
    // About two seconds of LOADING: 400 keys at 5 ms.
    server!.setConfig('key-load-delay', 5000);
    await server!.start();
    await job;
    expect(done).to.equal(true);
  });

  it('a wrong password', async () => {
    await start({ password: 'right' });
    const limiter = limiters.on(server!, { id: 'password' }, { password: 'wrong' });
    limiter.ready().catch(() => {});
    const job = limiter.schedule({}, async () => 'ran');
    await eventually(() => limiters.errors.some((message) => /WRONGPASS|NOAUTH|password/i.test(message)));
    await admin.config('SET', 'requirepass', 'wrong');
    expect(await job).to.equal('ran');
  });

  it('a refusal for maxclients', async () => {
    await start({ config: { maxclients: 2 } });
    await admin.ping(); // it has one of the two
    const limiter = limiters.on(server!, { id: 'maxclients' });
    limiter.ready().catch(() => {});
    const job = limiter.schedule({}, async () => 'ran');
    await eventually(() => limiters.errors.length > 0, { that: 'an error event' });
    await admin.config('SET', 'maxclients', '100');
    expect(await job).to.equal('ran');
  });

  it('nothing listens at all: disconnect() ends it, and what waits is rejected with the reason', async () => {
    await start();
    const limiter = await working('gone');
    await server!.kill();
    const job = limiter
      .schedule({}, async () => {})
      .then(
        () => 'ran',
        (error: Error) => error.message,
      );
    await eventually(() => limiters.errors.length > 0, { that: 'an error event' });
    await limiter.disconnect(false);
    expect(await job).to.contain('disconnected');
    await server!.start();
  });
});
