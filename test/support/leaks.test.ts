import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { failOnLeaks, moreThan, noMoreThan, openNow } from './leaks';

async function messageOf(promise: Promise<void>): Promise<string> {
  return promise.then(
    () => '',
    (error: Error) => error.message,
  );
}

describe('the leak check', () => {
  failOnLeaks();

  it('sees a timer, and that it is gone', async () => {
    const before = await openNow();
    const timer = setInterval(() => {}, 1000);
    expect(moreThan(before)).to.deep.equal(['1 more Timeout']);
    expect(await messageOf(noMoreThan(before, 30))).to.contain('1 more Timeout');
    clearInterval(timer);
    await noMoreThan(before, 30);
  });

  it('sees sockets and servers', async () => {
    const before = await openNow();
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    expect(await messageOf(noMoreThan(before, 30))).to.match(/TCPServerWrap|TCPSocketWrap/);
    socket.destroy();
    server.close();
    await noMoreThan(before);
  });

  it('sees a child process', async () => {
    const before = await openNow();
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'ignore' });
    expect(await messageOf(noMoreThan(before, 30))).to.contain('ProcessWrap');
    child.kill('SIGKILL');
    await noMoreThan(before);
  });
});

const ROOT = path.resolve(__dirname, '../..');

/** Runs a suite in a mocha of its own, since these suites fail. */
async function runSuite(body: string): Promise<{ code: number | null; output: string }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rebottle-suite-'));
  const file = path.join(folder, 'suite.ts');
  fs.writeFileSync(file, body.replaceAll('SUPPORT', __dirname));
  fs.writeFileSync(path.join(folder, 'mocharc.json'), JSON.stringify({ require: ['tsx/cjs'], spec: [file] }));
  const mocha = path.join(ROOT, 'node_modules/mocha/bin/mocha.js');
  const args = [mocha, '--exit', '--config', path.join(folder, 'mocharc.json')];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  fs.rmSync(folder, { recursive: true });
  return { code, output };
}

describe('suites with the checks', () => {
  it('fail for a timer left behind', async () => {
    const { code, output } = await runSuite(`
      const { failOnLeaks } = require('SUPPORT/leaks.ts')
      describe('suite', () => {
        failOnLeaks({ within: 50 })
        it('leaves a timer', () => { setInterval(() => {}, 1000) })
      })`);
    expect(output).to.contain('1 more Timeout');
    expect(code).to.equal(1);
  });

  it('fail for a key left behind, with the right prefix or a wrong one', async () => {
    const { code, output } = await runSuite(`
      const { useRedis } = require('SUPPORT/redis-fixture.ts')
      for (const name of ['own', 'foreign']) describe(name, () => {
        const redis = useRedis()
        it('leaves a key', () => redis.admin.set(name === 'own' ? redis.id('left') : 'stray', '1'))
      })`);
    expect(output).to.match(/keys left behind: t\w+-left/);
    expect(output).to.contain('keys left behind: stray');
    expect(code).to.equal(2);
  });

  it('pass when nothing is left, and when a key is allowed', async () => {
    const { code, output } = await runSuite(`
      const { useRedis } = require('SUPPORT/redis-fixture.ts')
      const { failOnLeaks } = require('SUPPORT/leaks.ts')
      describe('clean', () => {
        const redis = useRedis()
        failOnLeaks({ within: 50 })
        it('removes its key', async () => {
          await redis.admin.set(redis.id(), '1')
          await redis.admin.del(redis.id())
        })
        it('starts on an empty database', async () => {
          redis.allowKeys(/./)
          await redis.admin.set(redis.id(), '1')
        })
        it('has an id of its own', async () => {
          if ((await redis.admin.keys('*')).length) throw new Error('not empty')
        })
      })`);
    expect(output).to.contain('3 passing');
    expect(code).to.equal(0);
  });
});
