import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Most requests that the server allows at one time. */
export const MAX_CONCURRENT = 3;

/** Shortest time between the starts of two requests, in ms. */
export const MIN_TIME = 20;

/**
 * How much earlier than `MIN_TIME` a request may arrive, in ms, before it is counted as a violation. A request is late
 * by what its process (its timer fires late when the machine is busy), the kernel and this process took to hand it
 * over, and the gap behind a late one is shorter although both were due in time. Half of `MIN_TIME` tells that from a
 * limiter that lets two go at once.
 */
export const JITTER_ALLOWANCE = 10;

const SHORTEST_ANSWER_MS = 30;
const LONGEST_ANSWER_MS = 60;

export interface Arrival {
  worker: string;
  priority: number;
  /** 1 for the first request that the server saw. */
  rank: number;
  finished: boolean;
}

/** What the server has seen so far. */
export interface ServerRecord {
  arrivals: Arrival[];
  finished: number;
  /** Requests that arrived while `MAX_CONCURRENT` were open. */
  tooMany: number;
  /** Requests that arrived less than `MIN_TIME - JITTER_ALLOWANCE` after the one before. */
  tooEarly: number;
  peak: number;
  /** In ms. */
  shortestGap: number;
}

/** An HTTP server with two rules that writes down every request that breaks one. */
export class StrictServer {
  readonly record: ServerRecord = {
    arrivals: [],
    finished: 0,
    tooMany: 0,
    tooEarly: 0,
    peak: 0,
    shortestGap: Infinity,
  };
  private active = 0;
  private lastArrival = -Infinity;
  private readonly server = createServer((request, response) => this.answer(request, response));

  constructor(private readonly onArrival: (arrival: Arrival) => void) {}

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === '/health') {
      response.end('ok');
      return;
    }
    this.active++;
    this.judge(performance.now());
    const arrival = {
      worker: String(request.headers['x-worker']),
      priority: Number(request.headers['x-priority']),
      rank: this.record.arrivals.length + 1,
      finished: false,
    };
    this.record.arrivals.push(arrival);
    this.answerLater(arrival, response);
    this.onArrival(arrival);
  }

  private judge(now: number): void {
    const gap = now - this.lastArrival;
    this.lastArrival = now;
    this.record.shortestGap = Math.min(this.record.shortestGap, gap);
    this.record.peak = Math.max(this.record.peak, this.active);
    if (this.active > MAX_CONCURRENT) this.record.tooMany++;
    if (gap < MIN_TIME - JITTER_ALLOWANCE) this.record.tooEarly++;
  }

  private answerLater(arrival: Arrival, response: ServerResponse): void {
    const timer = setTimeout(() => {
      // Counted as finished before the answer leaves: its client may start the next one as soon as it has it.
      arrival.finished = true;
      this.active--;
      this.record.finished++;
      response.end('ok');
    }, answerTime(arrival.rank));
    response.on('close', () => {
      if (arrival.finished) return;
      clearTimeout(timer);
      this.active--;
    });
  }
}

/** The same spread of answer times in every run: a golden-ratio walk between the shortest and the longest. */
function answerTime(index: number): number {
  return SHORTEST_ANSWER_MS + ((index * 0.618034) % 1) * (LONGEST_ANSWER_MS - SHORTEST_ANSWER_MS);
}
