import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import Bottleneck from '../../lib/index';
import { DistributedLimiter, WorkerPool } from '../../lib/resident';
import { failOnLeaks } from '../support/leaks';
import { CERTIFICATE, CERTIFICATE_FILE, startTlsRedis, type TlsRedis } from '../support/tls';
import { type Family, families } from './client-families';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

/** `clientOptions` as the family spells them. */
function withTls({ name, options }: Family, tls: object, port: number): object {
  const given = options(port);
  return /node-redis [456]/.test(name)
    ? { ...given, socket: { ...given.socket, tls: true, ...tls } }
    : { ...given, tls };
}

describe('Redis over TLS', () => {
  let redis: TlsRedis;
  let ids = 0;

  before('start a private Redis', async function () {
    this.timeout(60_000);
    redis = await startTlsRedis();
  });
  after('stop it', () => redis.stop());
  failOnLeaks({ within: 3000 });

  for (const family of families) {
    it(`${family.name}: options for TLS reach the client`, async () => {
      const hosts: string[] = [];
      const tls = { ca: CERTIFICATE, checkServerIdentity: (host: string) => void hosts.push(host) };
      const limiter = new Bottleneck({
        id: `tls-${ids++}`,
        datastore: family.datastore,
        Redis: family.Redis,
        clientOptions: withTls(family, tls, redis.port),
        timeout: 1000,
      } as ConstructorParameters<typeof Bottleneck>[0]);
      expect(await limiter.schedule(async (n: number) => n + 1, 1)).to.equal(2);
      await limiter.disconnect();
      // One for commands, one for subscriptions.
      expect(hosts).to.have.length(2);
    });
  }

  it('a worker pool takes them too', async () => {
    const tls = { ca: CERTIFICATE };
    const pool = await WorkerPool.create({ name: 'tls', redis: { host: '127.0.0.1', port: redis.port, tls } });
    const limiter = new DistributedLimiter({ id: 'tls-pool', pool, ttl: 1000 });
    expect(await limiter.schedule(() => 'encrypted')).to.equal('encrypted');
    await pool.stop();
  });

  it('rebottle top reads rediss://', async () => {
    const admin = redis.server.client();
    await admin.hset('b_watched_settings', 'running', '3');
    admin.disconnect();
    const url = `rediss://127.0.0.1:${redis.port}`;
    const args = ['--import', 'tsx', 'lib/cli/bin.ts', 'top', '--json', '--interval', '100', '--match', 'watched'];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE };
    const { stdout } = await run(process.execPath, [...args, '--url', url], { cwd: ROOT, env });
    expect(JSON.parse(stdout).limiters[0]).to.include({ id: 'watched', running: 3 });
  });
});
