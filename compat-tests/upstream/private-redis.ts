// A Redis of the run's own, on a free port of the loopback interface, without persistence.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as net from 'node:net';

const START_TIMEOUT_MS = 10_000;
const RETRY_MS = 20;

export interface PrivateRedis {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startPrivateRedis(): Promise<PrivateRedis> {
  const port = await freePort();
  const server = await spawnFirst(binaries(), [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]);
  await waitUntilReady(server, port);
  return { port, stop: () => stop(server) };
}

function binaries(): string[] {
  const named = process.env['REDIS_SERVER_BINARY'];
  return named ? [named] : ['redis-server', 'valkey-server'];
}

async function spawnFirst(candidates: string[], args: string[]): Promise<ChildProcess> {
  for (const binary of candidates) {
    const server = spawn(binary, args, { stdio: 'ignore' });
    const started = await Promise.race([
      once(server, 'spawn').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    if (started) return server;
  }
  throw new Error(`No Redis server found (tried ${candidates.join(', ')}): install one, or set REDIS_SERVER_BINARY`);
}

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function waitUntilReady(server: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answersPing(port))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      server.kill('SIGKILL');
      throw new Error(`The private Redis on port ${port} did not start`);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const answer = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.once('data', (data) => answer(data.toString().startsWith('+PONG')));
    socket.once('error', () => answer(false));
    socket.once('close', () => answer(false));
  });
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}
