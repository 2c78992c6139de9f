import { Session } from 'node:inspector/promises';

/** Microseconds between two samples. */
const INTERVAL = 100;

/**
 * Profiles this process: from the start, or where a benchmark has a part that counts, that part alone, which begins
 * and ends where the probe of its Redis is reset and read.
 */
export class Profiler {
  #session = new Session();
  #cpuBefore = process.cpuUsage();
  #part;

  async start() {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
    await this.#begin();
  }

  /** @param {import('./redis-probe.mjs').RedisProbe} probe */
  follow(probe) {
    const { reset, read } = probe;
    probe.reset = async () => {
      await reset.call(probe);
      await this.#end();
      await this.#begin();
    };
    probe.read = async () => {
      this.#part ??= await this.#end();
      const did = await read.call(probe);
      this.#part.redis ??= did;
      return did;
    };
  }

  /** What was seen: the profile, microseconds of CPU time of all threads, and what Redis did. */
  async stop() {
    const seen = this.#part ?? (await this.#end());
    this.#session.disconnect();
    return seen;
  }

  async #begin() {
    this.#cpuBefore = process.cpuUsage();
    await this.#session.post('Profiler.start');
  }

  async #end() {
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    const { profile } = await this.#session.post('Profiler.stop');
    return { profile, cpuMicroseconds: user + system };
  }
}
