import { Queue, Worker } from 'bullmq';

/** Nearest to "no limit": what a single worker process is usually given at most. */
const UNLIMITED = 100;

export default {
  name: 'bullmq',

  async redis({ port, id, maxConcurrent }) {
    const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
    const defaultJobOptions = { removeOnComplete: true, removeOnFail: true };
    const queue = new Queue(id, { connection, defaultJobOptions });
    let jobs = [];
    const worker = new Worker(id, ({ data }) => jobs[data.index](), {
      connection,
      concurrency: maxConcurrent ?? UNLIMITED,
    });
    await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
    return {
      async runAll(batch) {
        jobs = batch;
        const results = collect(worker, batch.length);
        await queue.addBulk(batch.map((_, index) => ({ name: 'job', data: { index } })));
        return results;
      },
      async close() {
        await worker.close();
        await queue.close();
      },
    };
  },

  /** Adds jobs that no worker takes. */
  async fill({ port, id, count }) {
    const queue = new Queue(id, { connection: { host: '127.0.0.1', port } });
    await queue.addBulk(Array.from({ length: count }, (_, index) => ({ name: 'job', data: { index } })));
    return { close: () => queue.close() };
  },
};

function collect(worker, count) {
  const results = new Array(count);
  let open = count;
  return new Promise((resolve, reject) => {
    const onCompleted = ({ data }, result) => {
      results[data.index] = result;
      if (--open === 0) end(resolve, results);
    };
    const onFailed = (_job, error) => end(reject, error);
    const onError = (error) => end(reject, error);
    const end = (settle, value) => {
      worker.off('completed', onCompleted).off('failed', onFailed).off('error', onError);
      settle(value);
    };
    worker.on('completed', onCompleted).on('failed', onFailed).on('error', onError);
  });
}
