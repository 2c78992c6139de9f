import type { Redis } from 'ioredis';
import { afterEveryOtherHook } from './leaks';
import { type RedisServer, type StartRedisOptions, startRedis } from './redis-server';

let tests = 0;

/** What a suite on a real Redis works with; the members are there from its first `beforeEach` on. */
export interface RedisFixture {
  readonly server: RedisServer;
  /** A client of the fixture's own, for looking into the database. */
  readonly admin: Redis;
  /** Of this test alone. */
  readonly prefix: string;
  /** A limiter id of this test alone. */
  id(name?: string): string;
  /** For a test that leaves such keys on purpose. */
  allowKeys(pattern: RegExp): void;
}

/**
 * In a `describe`: one private Redis for the suite and a key prefix for each test. A test that leaves keys behind,
 * with its prefix or any other, fails.
 */
export function useRedis(options: StartRedisOptions = {}): RedisFixture {
  let server: RedisServer | undefined;
  let admin: Redis | undefined;
  let prefix = '';
  let allowed: RegExp[] = [];

  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the Redis of this suite runs only while its tests do');
    return value;
  };

  before('start a private Redis', async function () {
    // A machine without Redis fetches one first.
    this.timeout(10 * 60_000);
    server = await startRedis(options);
    admin = server.client();
  });

  beforeEach('choose a key prefix', () => {
    tests += 1;
    prefix = `t${process.pid.toString(36)}x${tests.toString(36)}`;
    allowed = [];
  });

  afterEveryOtherHook('no key is left', async () => {
    const keys = (await present(admin).keys('*')).filter((key) => !allowed.some((pattern) => pattern.test(key)));
    await present(admin).flushall();
    if (keys.length > 0) throw new Error(`keys left behind: ${keys.sort().join(', ')}`);
  });

  after('stop the private Redis', async () => {
    await server?.stop();
    server = undefined;
    admin = undefined;
  });

  return {
    get server() {
      return present(server);
    },
    get admin() {
      return present(admin);
    },
    get prefix() {
      return prefix;
    },
    id: (name = 'limiter') => `${prefix}-${name}`,
    allowKeys: (pattern) => {
      allowed.push(pattern);
    },
  };
}
