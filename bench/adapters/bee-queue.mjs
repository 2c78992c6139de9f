import BeeQueue from 'bee-queue';

/** Nearest to "no limit": what a single worker process is usually given at most. */
const UNLIMITED = 100;

/** The settings that its documentation names as the fastest. */
const FAST = { getEvents: false, sendEvents: false, storeJobs: false, removeOnSuccess: true, removeOnFailure: true };

export default {
  name: 'bee-queue',

  async redis({ port, id, maxConcurrent }) {
    const queue = new BeeQueue(id, { ...FAST, redis: { host: '127.0.0.1', port } });
    let jobs = [];
    queue.process(maxConcurrent ?? UNLIMITED, ({ data }) => jobs[data.index]());
    await queue.ready();
    return {
      async runAll(batch) {
        jobs = batch;
        const results = collect(queue, batch.length);
        await save(queue, batch.length);
        return results;
      },
      close: () => queue.close(),
    };
  },

  /** Adds jobs that no worker takes. */
  async fill({ port, id, count }) {
    const queue = new BeeQueue(id, { ...FAST, isWorker: false, redis: { host: '127.0.0.1', port } });
    await save(queue, count);
    return { close: () => queue.close() };
  },
};

async function save(queue, count) {
  const errors = await queue.saveAll(Array.from({ length: count }, (_, index) => queue.createJob({ index })));
  for (const error of errors.values()) throw error;
}

function collect(queue, count) {
  const results = new Array(count);
  let open = count;
  return new Promise((resolve, reject) => {
    const onSucceeded = ({ data }, result) => {
      results[data.index] = result;
      if (--open === 0) end(resolve, results);
    };
    const onFailed = (_job, error) => end(reject, error);
    const onError = (error) => end(reject, error);
    const end = (settle, value) => {
      queue.off('succeeded', onSucceeded).off('failed', onFailed).off('error', onError);
      settle(value);
    };
    queue.on('succeeded', onSucceeded).on('failed', onFailed).on('error', onError);
  });
}
