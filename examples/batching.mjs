/** Batching: rows are gathered and written together, and the batches are limited. */
import Bottleneck from 'rebottle';

const batcher = new Bottleneck.Batcher({ maxSize: 100, maxTime: 50 });
const limiter = new Bottleneck({ maxConcurrent: 2 });

/** @type {number[]} */
const written = [];

/** Stands for one INSERT of many rows. @param {number[]} rows */
async function insert(rows) {
  await new Promise((resolve) => setTimeout(resolve, 10));
  written.push(rows.length);
}

batcher.on('batch', (rows) => {
  limiter.schedule(insert, rows).catch((error) => console.error('not written:', error));
});

// add() resolves when the row has been given out with its batch.
await Promise.all(Array.from({ length: 250 }, (_, id) => batcher.add(id)));
await limiter.stop({ dropWaitingJobs: false });

console.log(`batches: ${written.join(', ')}`);
