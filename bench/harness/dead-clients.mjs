// A process that is killed while each of its limiters has a job waiting: `clients` clients of one limiter id.
const { library, port, id, clients, maxConcurrent } = JSON.parse(process.argv[2]);
const { default: adapter } = await import(`../adapters/${library}.mjs`);

const connection = adapter.connect(port);
const limiters = Array.from({ length: clients }, () =>
  adapter.create({ id, datastore: 'ioredis', connection, maxConcurrent }),
);
await Promise.all(limiters.map((limiter) => limiter.ready()));
// Half the slots stay free: what is measured is the cost of the dead, not the wait for their slots.
const holding = limiters.slice(0, maxConcurrent / 2);
await Promise.all(
  holding.map((limiter) => new Promise((started) => limiter.schedule(() => new Promise(() => started())))),
);
process.send('ready');
