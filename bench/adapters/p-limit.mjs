import pLimit from 'p-limit';

export default {
  name: 'p-limit',
  bare({ maxConcurrent }) {
    return pLimit(maxConcurrent ?? Infinity);
  },
  local(options) {
    const limit = this.bare(options);
    return { schedule: (job) => limit(job), queued: () => limit.pendingCount };
  },
};
