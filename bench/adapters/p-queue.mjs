import PQueue from 'p-queue';

/** p-queue runs higher numbers first, Bottleneck lower ones. */
const LEAST_URGENT = 9;

export default {
  name: 'p-queue',
  bare({ maxConcurrent, minTime }) {
    const rate = minTime ? { interval: minTime, intervalCap: 1 } : {};
    return new PQueue({ concurrency: maxConcurrent ?? Infinity, ...rate });
  },
  local(options) {
    const queue = this.bare(options);
    return {
      schedule: (job) => queue.add(job),
      schedulePriority: (priority, job) => queue.add(job, { priority: LEAST_URGENT - priority }),
      queued: () => queue.size,
    };
  },
};
