/** A random load of one worker. */
export interface Workload {
  seed: number;
  /** Submissions that wait or run at a time. */
  backlog: number;
  /** Most submissions in all. */
  jobs: number;
  priorities: number[];
  /** Smallest and largest. */
  weight: [number, number];
  /** Shortest and longest, ms. */
  duration: [number, number];
  /** Shares of the jobs, 0 to 1: that throw; of these, that are tried again; that have an expiration. */
  failures: number;
  retries: number;
  expirations: number;
}

/** What a worker is given at its start. */
export interface WorkerSetup {
  name: string;
  /** Name or path of the package under test. */
  under: string;
  /** Module of the client library to pass as `Redis`; undefined for a limiter without Redis. */
  client: string | undefined;
  /** Options of the limiter, all plain data. */
  options: Record<string, unknown>;
  workload: Workload;
  /** Where the worker measures how long Redis takes; undefined: nowhere. */
  server: { host: string; port: number } | undefined;
  logFile: string;
  /** How far the Redis server's clock is ahead of this machine's monotonic one, ms. */
  clockOffset: number;
  /** How wrong this worker's wall clock is, ms. */
  clockSkew?: number;
}
