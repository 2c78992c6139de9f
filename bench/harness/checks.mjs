/** Thrown when a library did not do what the benchmark counts: its figure would mean nothing. */
export class BenchmarkFault extends Error {}

/** @param {boolean} holds @param {string} text what is wrong when it does not hold */
export function check(holds, text) {
  if (!holds) throw new BenchmarkFault(text);
}

/** Jobs that know whether each of them ran exactly once and how many ran at a time. */
export class JobLedger {
  /** @param {number} size how many jobs there are @param {number} [limit] most that may run at a time */
  constructor(size, limit = Infinity) {
    this.runs = new Uint8Array(size);
    this.limit = limit;
    this.active = 0;
    this.peak = 0;
  }

  begin(index) {
    this.runs[index]++;
    this.active++;
    if (this.active > this.peak) this.peak = this.active;
  }

  end() {
    this.active--;
  }

  /** A trivial asynchronous job: it gives the others one turn of the microtask queue to break the limit. */
  job(index) {
    return async () => {
      this.begin(index);
      await undefined;
      this.end();
      return index;
    };
  }

  jobs() {
    return Array.from(this.runs, (_, index) => this.job(index));
  }

  verify() {
    const wrong = this.runs.findIndex((runs) => runs !== 1);
    check(wrong === -1, `job ${wrong} of ${this.runs.length} ran ${this.runs[wrong]} times`);
    check(this.peak <= this.limit, `${this.peak} jobs ran at a time, ${this.limit} were allowed`);
    check(this.active === 0, `${this.active} jobs still run`);
  }
}

/** @param {number[]} results of jobs that return their index */
export function checkResults(results) {
  const wrong = results.findIndex((result, index) => result !== index);
  check(wrong === -1, `job ${wrong} resolved to ${results[wrong]}`);
}
