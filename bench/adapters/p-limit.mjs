import pLimit from 'p-limit';

export default {
  name: 'p-limit',
  local({ maxConcurrent }) {
    const limit = pLimit(maxConcurrent ?? Infinity);
    return { schedule: (job) => limit(job), queued: () => limit.pendingCount };
  },
};
