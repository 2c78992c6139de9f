import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/** Names for the packages that a run can be about; anything else is a path. */
const KNOWN: Record<string, string> = {
  lib: path.join(ROOT, 'lib/index.ts'),
  dist: path.join(ROOT, 'dist/index.js'),
  bottleneck: require.resolve('bottleneck'),
  broken: path.join(__dirname, 'broken-limiter.ts'),
};

/** What the worker uses of a limiter: the part that is the same in all of them. */
export interface Limiter {
  on(event: string, listener: (...args: never[]) => unknown): unknown;
  ready(): Promise<unknown>;
  schedule<T>(options: Record<string, unknown>, job: () => Promise<T>): Promise<T>;
  running(): Promise<number>;
  counts(): Record<string, number>;
  clusterQueued(): Promise<number>;
  jobStatus(id: string): string | null;
  stop(options?: Record<string, unknown>): Promise<unknown>;
  disconnect(flush?: boolean): Promise<unknown>;
}

export type LimiterClass = new (options: Record<string, unknown>) => Limiter;

export function loadLimiter(name: string): LimiterClass {
  const loaded = require(KNOWN[name] ?? path.resolve(name));
  return loaded.default ?? loaded;
}
