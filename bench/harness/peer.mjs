// The other process of a benchmark with two: tells at which moment its job began, or a message reached it.
const { library, port } = JSON.parse(process.argv[2]);
const { default: adapter } = await import(`../adapters/${library}.mjs`);

const report = () => process.send({ startedAt: Number(process.hrtime.bigint()) / 1e6 });

if (adapter.subscribe) {
  await adapter.subscribe(port, 'hop', report);
} else {
  const limiter = await adapter.redis({ port, id: 'handover', maxConcurrent: 1 });
  process.on('message', () => limiter.schedule(report));
}
process.once('disconnect', () => process.exit(0));
process.send('ready');
