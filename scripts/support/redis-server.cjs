'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { findRedis } = require('./find-redis.cjs');
const { freePort } = require('./free-port.cjs');

const HOST = '127.0.0.1';
const READY_LIMIT_MS = 15_000;
const STOP_LIMIT_MS = 10_000;
const SETPRIV = '/usr/bin/setpriv';

/** Servers of this process that run now; none may outlive it. */
const alive = new Set();

function killAll() {
  for (const server of alive) server.killNow();
}

function endWithProcess() {
  process.on('exit', killAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    const onSignal = () => {
      killAll();
      if (process.listenerCount(signal) > 1) return;
      process.removeListener(signal, onSignal);
      process.kill(process.pid, signal);
    };
    process.on(signal, onSignal);
  }
}

/** Lines of redis.conf; a list gives a directive once for each value. */
function configLines(config) {
  const quote = (value) => {
    const text = String(value);
    return text === '' ? '""' : text;
  };
  return Object.entries(config).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name} ${quote(one)}`),
  );
}

/** Sends inline commands on a socket of its own and gives the raw reply lines, one a command. */
function rawCommands(port, commands, limit = 1000) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: HOST });
    let text = '';
    const finish = (error, lines) => {
      clearTimeout(timer);
      socket.destroy();
      if (error) reject(error);
      else resolve(lines);
    };
    const timer = setTimeout(() => finish(new Error('no reply')), limit);
    socket.on('error', (error) => finish(error));
    socket.on('close', () => finish(new Error('closed')));
    socket.on('connect', () => socket.write(commands.map((command) => `${command}\r\n`).join('')));
    socket.on('data', (data) => {
      text += data;
      const lines = text.split('\r\n');
      if (lines.length > commands.length) finish(undefined, lines.slice(0, commands.length));
    });
  });
}

class RedisServer {
  constructor(binary, port, options) {
    this.host = HOST;
    this.port = port;
    this.binary = binary;
    this.password = options.password;
    this.options = options;
    this.ownsDir = options.dir === undefined;
    this.dir = options.dir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'rebottle-redis-'));
    this.clients = new Set();
  }

  get pid() {
    return this.child?.pid;
  }

  get running() {
    return this.child !== undefined;
  }

  get url() {
    const auth = this.password === undefined ? '' : `:${encodeURIComponent(this.password)}@`;
    return `redis://${auth}${this.host}:${this.port}`;
  }

  get logFile() {
    return path.join(this.dir, 'server.log');
  }

  logs() {
    return fs.existsSync(this.logFile) ? fs.readFileSync(this.logFile, 'utf8') : '';
  }

  writeConfig() {
    const { aof, rdb, acl, config } = this.options;
    const lines = configLines({
      port: this.port,
      bind: HOST,
      dir: this.dir,
      daemonize: 'no',
      ...(this.options.sentinel
        ? {}
        : { save: rdb ? '3600 1' : '', appendonly: aof ? 'yes' : 'no', ...(aof ? { appendfsync: 'always' } : {}) }),
      ...(this.password === undefined ? {} : { requirepass: this.password }),
      ...config,
    });
    const file = path.join(this.dir, 'redis.conf');
    fs.writeFileSync(file, `${[...lines, ...(acl ?? [])].join('\n')}\n`);
    return file;
  }

  command(file) {
    const own = [this.binary, file, ...(this.options.sentinel ? ['--sentinel'] : []), ...(this.options.args ?? [])];
    // A parent that is killed outright runs no exit handler: let the kernel end the server with it, where it can.
    const wrapped = process.platform === 'linux' && fs.existsSync(SETPRIV);
    return wrapped ? [SETPRIV, '--pdeathsig', 'KILL', ...own] : own;
  }

  /** Sentinels and cluster nodes rewrite their files, so a restart keeps what is there. */
  configFile() {
    const file = path.join(this.dir, 'redis.conf');
    return this.options.sentinel && fs.existsSync(file) ? file : this.writeConfig();
  }

  async start() {
    if (this.child) throw new Error(`the server on port ${this.port} runs already`);
    const [file, ...args] = this.command(this.configFile());
    const log = fs.openSync(this.logFile, 'a');
    const child = spawn(file, args, { stdio: ['ignore', log, log], cwd: this.dir });
    fs.closeSync(log);
    this.child = child;
    this.exited = new Promise((resolve) => {
      const gone = () => {
        if (this.child === child) this.child = undefined;
        alive.delete(this);
        resolve();
      };
      child.once('exit', gone);
      child.once('error', gone);
    });
    // The server is no reason for this process to stay.
    child.unref();
    if (alive.size === 0 && process.listeners('exit').indexOf(killAll) < 0) endWithProcess();
    alive.add(this);
    await this.untilReady();
  }

  async untilReady() {
    const commands = [...(this.password === undefined ? [] : [`AUTH ${this.password}`]), 'PING'];
    const end = Date.now() + READY_LIMIT_MS;
    while (this.child && Date.now() < end) {
      const reply = await rawCommands(this.port, commands).catch(() => undefined);
      if (reply && /^(\+PONG|-NOAUTH|-NOPERM)/.test(reply.at(-1))) return;
      await sleep(5);
    }
    this.killNow();
    throw new Error(`the Redis server on port ${this.port} did not start:\n${this.logs().slice(-2000)}`);
  }

  killNow(signal = 'SIGKILL') {
    this.child?.kill(signal);
  }

  async untilExit() {
    const child = this.child;
    if (!child) return;
    child.ref();
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await this.exited;
    clearTimeout(late);
  }

  async kill(signal = 'SIGKILL') {
    this.killNow(signal);
    await this.untilExit();
  }

  /** For the next start. */
  setConfig(name, value) {
    this.options = { ...this.options, config: { ...this.options.config, [name]: value } };
  }

  pause() {
    this.killNow('SIGSTOP');
  }

  resume() {
    this.killNow('SIGCONT');
  }

  /** Ends the server in order: SIGTERM, so that a server with RDB or AOF saves first. */
  async shutdown() {
    this.resume();
    await this.kill('SIGTERM');
  }

  wipe() {
    for (const name of fs.readdirSync(this.dir)) {
      if (name !== 'server.log' && name !== 'redis.conf') {
        fs.rmSync(path.join(this.dir, name), { recursive: true, force: true });
      }
    }
  }

  async restart({ graceful = true, empty = false, downFor = 0, whileDown } = {}) {
    if (graceful) await this.shutdown();
    else await this.kill();
    if (empty) this.wipe();
    await whileDown?.(this);
    if (downFor > 0) await sleep(downFor);
    await this.start();
  }

  client(options = {}) {
    const { Redis } = require('ioredis');
    const client = new Redis({ host: this.host, port: this.port, password: this.password, ...options });
    this.clients.add(client);
    // While a server is down on purpose, its test clients only reconnect.
    client.on('error', () => {});
    client.on('end', () => this.clients.delete(client));
    return client;
  }

  async stop() {
    for (const client of this.clients) client.disconnect();
    this.clients.clear();
    this.resume();
    await this.kill('SIGKILL');
    if (this.ownsDir) fs.rmSync(this.dir, { recursive: true, force: true });
  }
}

/** See redis-server.d.cts. */
async function startRedis(options = {}) {
  const binary = options.binary ?? (await findRedis());
  for (let attempt = 1; ; attempt++) {
    const server = new RedisServer(binary, options.port ?? (await freePort()), options);
    try {
      await server.start();
      return server;
    } catch (error) {
      const taken = /Address already in use/i.test(server.logs());
      await server.stop();
      if (!taken || options.port !== undefined || attempt === 5) throw error;
    }
  }
}

module.exports = { startRedis };
