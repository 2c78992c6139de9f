import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type RedisServer, type StartRedisOptions, startRedis } from './redis-server';

const SCRIPT = path.resolve(__dirname, '../../scripts/support/redis-server.cjs');

/** A zombie that its adopter has not collected yet counts as dead. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = `/proc/${pid}/stat`;
  return !(fs.existsSync(status) && / Z /.test(fs.readFileSync(status, 'utf8')));
}

async function untilDead(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(5);
}

describe('startRedis', () => {
  const servers: RedisServer[] = [];

  async function start(options?: StartRedisOptions): Promise<RedisServer> {
    const server = await startRedis(options);
    servers.push(server);
    return server;
  }

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  it('gives a private server that answers, and removes everything at stop()', async () => {
    const server = await start();
    expect(server.port).not.to.equal(6379);
    expect(server.url).to.equal(`redis://127.0.0.1:${server.port}`);
    expect(await server.client().ping()).to.equal('PONG');
    const pid = server.pid as number;
    await server.stop();
    expect(isAlive(pid)).to.equal(false);
    expect(server.running).to.equal(false);
    expect(fs.existsSync(server.dir)).to.equal(false);
  });

  it('gives each caller a server of its own', async () => {
    const [a, b] = await Promise.all([start(), start()]);
    await a.client().set('k', '1');
    expect(await b.client().get('k')).to.equal(null);
    expect(a.port).not.to.equal(b.port);
  });

  it('forgets everything at a restart without persistence, and keeps its port', async () => {
    const server = await start();
    const { port, pid } = server;
    const client = server.client();
    await client.set('k', '1');
    await server.restart();
    expect(server.port).to.equal(port);
    expect(server.pid).not.to.equal(pid);
    expect(await client.get('k')).to.equal(null);
  });

  it('keeps an append-only file through a kill, unless told to come back empty', async () => {
    const server = await start({ aof: true });
    const client = server.client();
    await client.set('k', '1');
    await server.restart({ graceful: false });
    expect(await client.get('k')).to.equal('1');
    await server.restart({ graceful: false, empty: true });
    expect(await client.get('k')).to.equal(null);
  });

  it('comes back in the past with an RDB file and a kill', async () => {
    const server = await start({ rdb: true });
    const client = server.client();
    await client.set('k', 'old');
    await client.save();
    await client.set('k', 'new');
    await server.restart({ graceful: false });
    expect(await client.get('k')).to.equal('old');
  });

  it('takes a password, ACL lines and directives', async () => {
    const server = await start({
      password: 'secret',
      acl: ['user alice on >pw ~a:* +get +set'],
      config: { maxmemory: '3mb' },
    });
    expect(await server.client().config('GET', 'maxmemory')).to.deep.equal(['maxmemory', '3145728']);
    const alice = server.client({ username: 'alice', password: 'pw', enableReadyCheck: false });
    expect(await alice.set('a:1', 'x')).to.equal('OK');
    const refused = await alice.set('b:1', 'x').catch((error: Error) => error);
    expect(refused).to.be.instanceOf(Error);
  });

  it('pauses and resumes', async () => {
    const server = await start();
    const client = server.client();
    await client.ping();
    server.pause();
    const answer = client.ping();
    const first = await Promise.race([answer, sleep(100, 'silence')]);
    expect(first).to.equal('silence');
    server.resume();
    expect(await answer).to.equal('PONG');
  });

  it('says why a server does not start', async () => {
    const failure = await startRedis({ config: { 'no-such-directive': 1 } }).catch((error: Error) => error);
    expect(failure).to.be.instanceOf(Error);
    expect((failure as Error).message).to.contain('no-such-directive');
  });

  it('says so when the variable names no executable', async () => {
    const before = process.env.REBOTTLE_REDIS_SERVER;
    process.env.REBOTTLE_REDIS_SERVER = '/no/such/file';
    try {
      const failure = await startRedis().catch((error: Error) => error);
      expect((failure as Error).message).to.contain('REBOTTLE_REDIS_SERVER');
    } finally {
      if (before === undefined) delete process.env.REBOTTLE_REDIS_SERVER;
      else process.env.REBOTTLE_REDIS_SERVER = before;
    }
  });

  for (const ending of ['exit', 'SIGTERM', 'SIGKILL'] as const) {
    // Only Linux can end a child together with a parent that was killed outright.
    if (ending === 'SIGKILL' && process.platform !== 'linux') continue;

    it(`leaves no server behind when its process ends by ${ending}`, async () => {
      const code = `
        require(${JSON.stringify(SCRIPT)}).startRedis().then((server) => {
          console.log(server.pid)
          process.stdin.on('data', () => process.exit(0))
        })`;
      const parent = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
      const [output] = await once(parent.stdout, 'data');
      const pid = Number(String(output));
      expect(isAlive(pid)).to.equal(true);
      if (ending === 'exit') parent.stdin.write('x');
      else parent.kill(ending);
      await once(parent, 'exit');
      await untilDead(pid);
    });
  }
});
