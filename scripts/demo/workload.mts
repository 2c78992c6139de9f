/** The priority of the jobs that cannot wait; everything else is 5 to 9. */
export const URGENT = 0;

const JOBS_PER_WORKER = 60;

/** Urgent jobs of each worker: uneven on purpose, so that one order for the fleet differs from one order a process. */
const URGENT_JOBS = [14, 5, 1];

/** The name of the worker that is killed. */
export const VICTIM = 'worker-2';

export interface DemoJob {
  id: string;
  priority: number;
}

export interface WorkerPlan {
  name: string;
  /** In the order in which the worker schedules them. */
  jobs: DemoJob[];
}

/** What the fleet has to do. Urgent jobs come last, so that only priority can bring them forward. */
export function makeWorkload(): WorkerPlan[] {
  return URGENT_JOBS.map((urgent, index) => {
    const name = `worker-${index + 1}`;
    const jobs = Array.from({ length: JOBS_PER_WORKER }, (_, position) => ({
      id: `${name}-job-${position + 1}`,
      priority: position < JOBS_PER_WORKER - urgent ? 5 + ((position * 7 + index) % 5) : URGENT,
    }));
    return { name, jobs };
  });
}
