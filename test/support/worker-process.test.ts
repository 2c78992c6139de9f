import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { failOnLeaks } from './leaks';
import { WorkerProcess } from './worker-process';

const ECHO = `
  import type { AddressInfo } from 'node:net'
  type Message = { type: string; value?: AddressInfo | number }
  process.on('message', (message: Message) => {
    if (message.type === 'exit') process.exit(message.value as number)
    process.send!({ ...message, type: 'echo' })
  })
  process.send!({ type: 'ready', args: process.argv.slice(2), env: process.env.WORKER_TEST })
`;

describe('WorkerProcess', () => {
  failOnLeaks();
  let folder: string;
  let worker: WorkerProcess;

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rebottle-worker-'));
    const script = path.join(folder, 'echo.ts');
    fs.writeFileSync(script, ECHO);
    worker = new WorkerProcess(script, { args: ['a'], env: { WORKER_TEST: 'x' } });
    await worker.waitFor('ready');
  });

  afterEach(async () => {
    worker.resume();
    await worker.kill();
    fs.rmSync(folder, { recursive: true });
  });

  it('runs TypeScript with arguments and environment, and talks', async () => {
    expect(worker.messages[0]).to.deep.equal({ type: 'ready', args: ['a'], env: 'x' });
    worker.send({ type: 'hello', value: 1 });
    expect(await worker.waitFor('echo')).to.deep.equal({ type: 'echo', value: 1 });
  });

  it('pauses and resumes', async () => {
    worker.pause();
    worker.send({ type: 'hello' });
    await sleep(100);
    expect(worker.messages).to.have.length(1);
    worker.resume();
    await worker.waitFor('echo');
  });

  it('tells how it ended', async () => {
    worker.send({ type: 'exit', value: 3 });
    expect(await worker.exited).to.deep.equal({ code: 3, signal: null });
    expect(worker.running).to.equal(false);
  });

  it('kills, also while paused, and says so to those who wait', async () => {
    const waiting = worker.waitFor('never').catch((error: Error) => error.message);
    worker.pause();
    expect(await worker.kill()).to.deep.equal({ code: null, signal: 'SIGKILL' });
    expect(await waiting).to.contain('SIGKILL');
  });

  it('rejects when a message does not come', async () => {
    const message = await worker.waitFor('never', 20).catch((error: Error) => error.message);
    expect(message).to.contain('"never"');
  });
});
