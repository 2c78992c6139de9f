import { Redis } from 'ioredis';

/** The adapter of Bottleneck and of what has its interface: `loadClass` gives the class. */
export function bottleneckFamily(name, loadClass) {
  const redisOptions = (port) => ({ datastore: 'ioredis', Redis, clientOptions: { host: '127.0.0.1', port } });
  return {
    name,

    /** The limiter without anything of the bench's. */
    bare(options) {
      const Limiter = loadClass();
      return new Limiter(options);
    },

    /** The limiter itself, for benchmarks of what only this family has. */
    create(options) {
      return watched(this.bare(options));
    },

    createOnRedis({ port, ...options }) {
      return this.create({ ...redisOptions(port), ...options });
    },

    /** A connection that many limiters share, given to each as `connection`. */
    connect(port) {
      const { IORedisConnection } = loadClass();
      return new IORedisConnection({ Redis, clientOptions: { host: '127.0.0.1', port } });
    },

    local(options) {
      const limiter = this.create(options);
      return {
        schedule: (job) => limiter.schedule(job),
        schedulePriority: (priority, job) => limiter.schedule({ priority }, job),
        queued: () => limiter.counts().QUEUED,
      };
    },

    async redis({ port, id, maxConcurrent = null }) {
      const limiter = this.createOnRedis({ port, id, maxConcurrent });
      await limiter.ready();
      return {
        runAll: (jobs) => Promise.all(jobs.map((job) => limiter.schedule(job))),
        schedule: (job) => limiter.schedule(job),
        running: () => limiter.running(),
        close: () => limiter.disconnect(),
      };
    },
  };
}

/** An error that nobody sees would leave a figure that means nothing: it ends the measurement. */
function watched(limiter) {
  limiter.on('error', (error) => {
    // Outside the listener, since limiters catch what their listeners throw.
    setImmediate(() => {
      throw error;
    });
  });
  return limiter;
}
