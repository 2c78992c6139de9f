// Through require. Argument: the port of a Redis.
const { checkClass, checkRedis, checkResident } = require('./check.cjs');
const Bottleneck = require('rebottle');

const port = Number(process.argv[2]);

(async () => {
  await checkClass(Bottleneck);
  await checkClass(require('rebottle/light').default);
  await checkRedis(Bottleneck, port, 'ioredis');
  await checkRedis(Bottleneck, port, 'redis');
  await checkResident(require('rebottle/resident'), port);
  console.log('all well');
})();
