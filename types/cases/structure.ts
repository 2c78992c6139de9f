/// <reference path="../real/bottleneck.d.ts" />
// Libraries compiled against Bottleneck's own types take our objects, and the other way round.
import type Real from 'bottleneck';
import Ours from 'rebottle';

declare const real: Real;
declare const ours: Ours;
export const asReal: Real = ours;
export const asOurs: Ours = real;

declare const realGroup: Real.Group;
declare const oursGroup: Ours.Group;
export const groups: [Real.Group, Ours.Group] = [oursGroup, realGroup];

declare const realBatcher: Real.Batcher;
declare const oursBatcher: Ours.Batcher;
export const batchers: [Real.Batcher, Ours.Batcher] = [oursBatcher, realBatcher];

declare const realConnection: Real.IORedisConnection & Real.RedisConnection;
declare const oursConnection: Ours.IORedisConnection & Ours.RedisConnection;
export const connections: [Real.IORedisConnection, Ours.RedisConnection] = [oursConnection, realConnection];

declare const realOptions: Real.ConstructorOptions;
declare const oursOptions: Ours.ConstructorOptions;
export const options: [Real.ConstructorOptions, Ours.ConstructorOptions] = [oursOptions, realOptions];

declare const realJob: Real.JobOptions;
declare const oursJob: Ours.JobOptions;
export const jobs: [Real.JobOptions, Ours.JobOptions] = [oursJob, realJob];

export const stops: [Real.StopOptions, Ours.StopOptions] = [{} as Ours.StopOptions, {} as Real.StopOptions];
export const counts: [Real.Counts, Ours.Counts] = [ours.counts(), real.counts()];
export const statuses: [Real.Status, Ours.Status] = [ours.jobStatus('a'), real.jobStatus('a')];
export const infos: [Real.EventInfoDropped, Ours.EventInfoDropped] = [
  {} as Ours.EventInfoDropped,
  {} as Real.EventInfoDropped,
];
export const queued: [Real.EventInfoQueued, Ours.EventInfoQueued] = [
  {} as Ours.EventInfoQueued,
  {} as Real.EventInfoQueued,
];
export const retried: [Real.EventInfoRetryable, Ours.EventInfoRetryable] = [
  {} as Ours.EventInfoRetryable,
  {} as Real.EventInfoRetryable,
];
export const wrapped: [
  (n: number) => Promise<string>,
  { withOptions(options: Real.JobOptions, n: number): Promise<string> },
] = [ours.wrap(async (n: number) => `${n}`), ours.wrap(async (n: number) => `${n}`)];

/** A plugin's constructor parameter: the real class type accepts ours. */
export const classes: (typeof Real)[] = [Ours];
