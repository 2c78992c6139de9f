/** One process: never more than three requests at once, and never two starts within 20 ms. */
import Bottleneck from 'rebottle';

const limiter = new Bottleneck({ maxConcurrent: 3, minTime: 20 });

let running = 0;
let most = 0;

/** Stands for a request to an API. @param {number} n */
async function fetchPage(n) {
  most = Math.max(most, ++running);
  await new Promise((resolve) => setTimeout(resolve, 50));
  running--;
  return `page ${n}`;
}

// A wrapped function is called like the one inside it.
const limited = limiter.wrap(fetchPage);
const begun = performance.now();
const pages = await Promise.all(Array.from({ length: 12 }, (_, n) => limited(n)));
const took = performance.now() - begun;

// One that matters more goes before all that wait: 0 is first, 9 is last, 5 is the default.
const results = await Promise.all([
  limiter.schedule({ priority: 9 }, fetchPage, 100),
  limiter.schedule({ priority: 0 }, fetchPage, 101),
]);

console.log(`${pages.length + results.length} pages, the first is ${pages[0]}`);
console.log(`at most ${most} at once`);
console.log(`twelve starts took eleven times 20 ms: ${took >= 220}`);
