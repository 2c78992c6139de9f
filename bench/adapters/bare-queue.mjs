/** Submissions in one call, and what is sent when, are those of rebottle: the calls of both are as many and as large. */
const BATCH = 500;

/**
 * KEYS: queue, number of jobs that run. ARGV: most that may run, or -1; jobs that have ended; then score and member of
 * each new one. Replies the members that start.
 */
const SCRIPT = `
local running = redis.call('DECRBY', KEYS[2], ARGV[2])
if #ARGV > 2 then redis.call('ZADD', KEYS[1], unpack(ARGV, 3)) end
local limit = tonumber(ARGV[1])
local free = limit < 0 and redis.call('ZCARD', KEYS[1]) or limit - running
if free <= 0 then return {} end
local popped = redis.call('ZPOPMIN', KEYS[1], free)
local started = {}
for i = 1, #popped, 2 do started[#started + 1] = popped[i] end
redis.call('INCRBY', KEYS[2], #started)
return started
`;

/**
 * The least that a queue in Redis can do, job by job: a ticket in a sorted set for each, a count of those that run, a
 * promise for each. No options, no events, no recovery, nobody else. What comes near it has no time left for all that, and
 * what is faster tells of several jobs at once.
 */
export class BareQueue {
  #waiting = [];
  #jobs = new Map();
  #ended = 0;
  #next = 0;
  #isInFlight = false;
  #isPlanned = false;

  /** @param {import('ioredis').Redis} client @param {number | null} [maxConcurrent] */
  static async open(client, id, maxConcurrent) {
    const sha = await client.script('LOAD', SCRIPT);
    return new BareQueue(client, { sha, keys: [`${id}:queue`, `${id}:running`], limit: maxConcurrent ?? -1 });
  }

  constructor(client, { sha, keys, limit }) {
    this.client = client;
    this.sha = sha;
    this.keys = keys;
    this.limit = limit;
  }

  schedule(job) {
    return new Promise((resolve, reject) => {
      const number = this.#next++;
      this.#jobs.set(String(number), { job, resolve, reject });
      this.#waiting.push(number);
      if (this.#isPlanned || this.#isInFlight) return;
      this.#isPlanned = true;
      // The first one goes alone and at once.
      queueMicrotask(() => this.#step(1));
    });
  }

  async running() {
    return Number(await this.client.get(this.keys[1]));
  }

  async #step(most) {
    this.#isPlanned = false;
    if (this.#isInFlight || (this.#ended === 0 && this.#waiting.length === 0)) return;
    this.#isInFlight = true;
    const args = [this.limit, this.#ended];
    this.#ended = 0;
    for (const number of this.#waiting.splice(0, most)) args.push(number, number);
    const started = await this.client.evalsha(this.sha, 2, ...this.keys, ...args);
    this.#isInFlight = false;
    if (this.#waiting.length >= BATCH) this.#step(BATCH);
    for (const number of started) this.#run(number);
    if (this.#waiting.length > 0 || this.#ended > 0) this.#plan();
  }

  #run(number) {
    const { job, resolve, reject } = this.#jobs.get(number);
    this.#jobs.delete(number);
    job()
      .then(resolve, reject)
      .finally(() => {
        this.#ended++;
        this.#plan();
      });
  }

  #plan() {
    if (this.#isPlanned || this.#isInFlight) return;
    this.#isPlanned = true;
    setImmediate(() => this.#step(BATCH));
  }
}
