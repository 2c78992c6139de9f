import fs from 'node:fs';
import path from 'node:path';

/**
 * The log of a run. Every process appends to a file of its own, one JSON object a line, at once: what a process wrote
 * before it was killed is there. All times are ms on the Redis server's clock.
 */
export type LogRecord = { t: number } & (
  | { k: 'open'; worker: string; pid: number }
  /** Right before `schedule()` is called. */
  | { k: 'submit'; job: string; priority: number; weight: number; expiration?: number }
  | { k: 'queued'; job: string }
  | { k: 'scheduled'; job: string }
  /** First and last line of the scheduled function. `lag`: how late timers and Redis's answers were just before, ms. */
  | { k: 'start'; job: string; attempt: number; lag: number }
  | { k: 'end'; job: string; attempt: number; ok: boolean }
  | { k: 'settle'; job: string; ok: boolean; problem?: string; error?: { name: string; message: string; own: boolean } }
  | { k: 'limiter-error'; message: string }
  /** An exception or rejection that nobody caught. */
  | { k: 'crash'; message: string }
  /** The worker takes leave: `stop()` and `disconnect()`. */
  | { k: 'leaving' }
  /** A fault of one worker or of all (no worker), from t until `until`. */
  | { k: 'fault'; fault: string; until: number; worker?: string; note?: string }
  | { k: 'kill'; worker: string }
  /** The driver, through which all workers reach Redis, was late by that much, ms: so was what it passed on. */
  | { k: 'late'; ms: number }
  /** The driver gave up waiting; what was not settled by now never will be. */
  | { k: 'deadline' }
  /** After everything settled, with all workers still connected; then the keys, after all have gone. */
  | { k: 'rest'; running: number; queued: number; counts: Record<string, number> }
  | { k: 'keys'; keys: string[] }
);

export type Entry = LogRecord & { by: string };

/**
 * CLOCK_MONOTONIC is one clock for all processes of a machine, with no steps and no skew between them. The driver
 * measures once how far the Redis server's clock is ahead of it.
 */
export function monotonic(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export class LogWriter {
  private readonly file: number;

  constructor(
    file: string,
    private readonly offset: number,
  ) {
    this.file = fs.openSync(file, 'a');
  }

  now(): number {
    return monotonic() + this.offset;
  }

  write(
    record: LogRecord extends infer R ? (R extends { t: number } ? Omit<R, 't'> & { t?: number } : never) : never,
  ): void {
    fs.writeSync(this.file, `${JSON.stringify({ t: this.now(), ...record })}\n`);
  }

  close(): void {
    fs.closeSync(this.file);
  }
}

/** All records of a run's folder in the order of their times; `by` is the file's name. */
export function readLogs(folder: string): Entry[] {
  const entries: Entry[] = [];
  for (const name of fs.readdirSync(folder).filter((one) => one.endsWith('.jsonl'))) {
    for (const line of fs.readFileSync(path.join(folder, name), 'utf8').split('\n')) {
      if (line) entries.push({ ...(JSON.parse(line) as LogRecord), by: name.slice(0, -'.jsonl'.length) });
    }
  }
  return entries.sort((a, b) => a.t - b.t);
}
