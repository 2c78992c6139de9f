/** A limit for each user: a Group makes a limiter for each key, and lets go of those that are not used. */
import Bottleneck from 'rebottle';

const perUser = new Bottleneck.Group({ maxConcurrent: 1, minTime: 20, timeout: 60_000 });

perUser.on('created', (limiter, user) => {
  // Limiters can differ: whoever pays gets more.
  if (user === 'ann') limiter.updateSettings({ maxConcurrent: 4, minTime: 0 });
});

/** @type {string[]} */
const order = [];

/** @param {string} user @param {number} n */
async function handle(user, n) {
  await new Promise((resolve) => setTimeout(resolve, 10));
  order.push(`${user} ${n}`);
}

const users = ['ann', 'bob', 'cid'];
await Promise.all(users.flatMap((user) => [1, 2, 3, 4].map((n) => perUser.key(user).schedule(handle, user, n))));

console.log(`limiters: ${perUser.keys().sort().join(', ')}`);
console.log(`nobody waits for others: ${order.indexOf('ann 4') < order.indexOf('bob 4')}`);
console.log(
  `each user's jobs in order: ${users.every((user) => inOrder(order.filter((one) => one.startsWith(user))))}`,
);
perUser.disconnect();

/** @param {string[]} names */
function inOrder(names) {
  return names.join() === [...names].sort().join();
}
