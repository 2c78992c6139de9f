import type { StoredJob } from '../store/store';

/** A job that waits or runs somewhere in the fleet. Times in ms since 1970, by the clock of the Redis server. */
export interface JobInfo {
  /** Null for jobs that were scheduled through Bottleneck's API. */
  id: string | null;
  /** `ready`: in the queue; `delayed`: its time has not come, or it waits to be tried again; `executing`: it has its slot. */
  state: 'ready' | 'delayed' | 'executing';
  /** 0 (first) to 99; null where it is not known. */
  priority: number | null;
  weight: number;
  /** ms that an attempt may take, or null. */
  expiration: number | null;
  /** 1 for the first attempt. */
  attempt: number;
  submittedAt: number | null;
  /** When a delayed job joins the queue. */
  dueAt: number | null;
  /** Jobs before it in the queue: 0 for the next; null for jobs that are not in the queue. */
  position: number | null;
  /** The pool whose process owns the job; null for processes that run Bottleneck. */
  poolId: string | null;
  /** What `schedule` was given as `data`; undefined for nothing. */
  data: unknown;
}

/** A job whose process died. */
export interface OrphanedJob extends Omit<JobInfo, 'position' | 'dueAt'> {
  limiterId: string;
  /** True in one process of the fleet: the one to act where only one may. */
  reportedHere: boolean;
}

export function jobInfo({ client, attempt, data, ...job }: StoredJob): JobInfo {
  return {
    ...job,
    attempt: attempt + 1,
    poolId: client === null ? null : client.slice(0, client.indexOf('.')),
    data: data === null ? undefined : JSON.parse(data),
  };
}

export function orphanedJob(limiterId: string, stored: StoredJob, reportedHere: boolean): OrphanedJob {
  const { position: _, dueAt: __, ...job } = jobInfo(stored);
  return { ...job, limiterId, reportedHere };
}
