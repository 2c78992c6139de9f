import PQueue from 'p-queue';

/** p-queue runs higher numbers first, Bottleneck lower ones. */
const LEAST_URGENT = 9;

export default {
  name: 'p-queue',
  local({ maxConcurrent, minTime }) {
    const rate = minTime ? { interval: minTime, intervalCap: 1 } : {};
    const queue = new PQueue({ concurrency: maxConcurrent ?? Infinity, ...rate });
    return {
      schedule: (job) => queue.add(job),
      schedulePriority: (priority, job) => queue.add(job, { priority: LEAST_URGENT - priority }),
      queued: () => queue.size,
    };
  },
};
