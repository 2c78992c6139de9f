import pThrottle from 'p-throttle';

export default {
  name: 'p-throttle',
  local({ minTime }) {
    const throttle = pThrottle({ limit: 1, interval: minTime });
    const run = throttle((job) => job());
    return { schedule: (job) => run(job) };
  },
};
