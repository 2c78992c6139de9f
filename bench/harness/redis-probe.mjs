import { Redis } from 'ioredis';

const SCRIPT_CALLS = new Set(['eval', 'evalsha', 'eval_ro', 'evalsha_ro', 'fcall', 'fcall_ro']);
/** What the probe itself sends. */
const OWN_CALLS = new Set(['info', 'config', 'config|resetstat', 'dbsize']);

/** Reads what a Redis server has done, on a connection of its own. */
export class RedisProbe {
  /** @param {number} port */
  constructor(port) {
    this.client = new Redis({ host: '127.0.0.1', port });
  }

  /** Sets the counters to zero. */
  async reset() {
    await this.client.config('RESETSTAT');
    this.cpuBefore = await this.cpuSeconds();
  }

  /** What happened since `reset()`. */
  async read() {
    const cpu = (await this.cpuSeconds()) - this.cpuBefore;
    const calls = parseCommandStats(await this.client.info('commandstats'));
    const scripts = calls.filter(({ name }) => SCRIPT_CALLS.has(name));
    return {
      cpuMicroseconds: cpu * 1e6,
      /** Every command that Redis executed, those inside scripts too; the script calls themselves are not counted. */
      operations: total(calls, 'calls') - total(scripts, 'calls'),
      scriptCalls: total(scripts, 'calls'),
      microsecondsPerScript: total(scripts, 'usec') / total(scripts, 'calls'),
      /** All calls: operations and script calls. */
      commands: total(calls, 'calls'),
      /** Calls and microseconds of each command; a script's contain those of the commands that it called. */
      stats: calls,
      calls: Object.fromEntries(calls.map(({ name, calls: times }) => [name, times])),
    };
  }

  async cpuSeconds() {
    const info = await this.client.info('cpu');
    return readNumber(info, 'used_cpu_user') + readNumber(info, 'used_cpu_sys');
  }

  async usedMemory() {
    return readNumber(await this.client.info('memory'), 'used_memory');
  }

  /** How many connections the server has, the probe's own too. */
  async connectedClients() {
    return readNumber(await this.client.info('clients'), 'connected_clients');
  }

  close() {
    this.client.disconnect();
  }
}

function readNumber(info, field) {
  return Number(new RegExp(`^${field}:([\\d.]+)`, 'm').exec(info)[1]);
}

function parseCommandStats(info) {
  return [...info.matchAll(/^cmdstat_([^:]+):calls=(\d+),usec=(\d+)/gm)]
    .map(([, name, calls, usec]) => ({ name, calls: Number(calls), usec: Number(usec) }))
    .filter(({ name }) => !OWN_CALLS.has(name));
}

function total(stats, field) {
  return stats.reduce((sum, stat) => sum + stat[field], 0);
}
