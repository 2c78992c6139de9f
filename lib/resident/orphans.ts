import type { StoredJob } from '../store/store';
import type { JobInfo, OrphanedJob } from './types';

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
