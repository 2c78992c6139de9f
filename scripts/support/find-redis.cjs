'use strict';

const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');

const run = promisify(execFile);

const VARIABLE = 'REBOTTLE_REDIS_SERVER';
const NAMES = ['redis-server', 'valkey-server'];
/** A download is built from source: give it time, but not for ever. */
const DOWNLOAD_LIMIT_MS = 5 * 60_000;
const INSTALL_LIMIT_MS = 5 * 60_000;

function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function onPath(names = NAMES) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  for (const name of names) {
    for (const folder of folders) {
      const file = path.join(folder, name);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

function fromVariable() {
  const given = process.env[VARIABLE];
  if (!given) return undefined;
  const file = given.includes(path.sep) ? path.resolve(given) : onPath([given]);
  if (file && isExecutable(file)) return file;
  throw new Error(`${VARIABLE} is ${JSON.stringify(given)}, which is not an executable file`);
}

/** In a child process, so that a download that hangs can be ended. */
async function fromMemoryServer() {
  const script = `
    const { RedisBinary } = require(${JSON.stringify(require.resolve('redis-memory-server'))})
    RedisBinary.getPath().then((p) => console.log('binary:' + p), (e) => { console.error(e.message); process.exit(1) })`;
  const { stdout } = await run(process.execPath, ['-e', script], { timeout: DOWNLOAD_LIMIT_MS });
  const file = /^binary:(.+)$/m.exec(stdout)?.[1];
  if (file && isExecutable(file)) return file;
  throw new Error('redis-memory-server gave no executable file');
}

async function fromDistribution() {
  if (process.getuid?.() !== 0) throw new Error('not root');
  if (!isExecutable('/usr/bin/apt-get')) throw new Error('no apt-get');
  // RUNLEVEL=1 keeps the package from starting a service of its own on the default port.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args) =>
    run('apt-get', ['-o', 'DPkg::Lock::Timeout=120', '-y', ...args], { env, timeout: INSTALL_LIMIT_MS });
  await apt('update');
  await apt('install', '--no-install-recommends', 'redis-server');
  const file = onPath();
  if (file) return file;
  throw new Error('the package was installed, but brought no redis-server');
}

async function search() {
  const given = fromVariable() ?? onPath();
  if (given) return given;
  const failures = [];
  for (const [name, source] of [
    ['redis-memory-server', fromMemoryServer],
    ['apt-get install redis-server', fromDistribution],
  ]) {
    try {
      return await source();
    } catch (error) {
      failures.push(`${name}: ${String(error.message).trim().split('\n')[0]}`);
    }
  }
  throw new Error(
    `No Redis server found. Install Redis 6 or later, or Valkey, so that "redis-server" or "valkey-server" is on the ` +
      `PATH, or set ${VARIABLE} to the file. Also tried: ${failures.join('; ')}`,
  );
}

let found;

/** The Redis server's executable; searched for once in a process. */
function findRedis() {
  if (process.env[VARIABLE]) return Promise.resolve().then(fromVariable);
  found ??= search();
  found.catch(() => {
    found = undefined;
  });
  return found;
}

module.exports = { findRedis };
