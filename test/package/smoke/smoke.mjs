// Through import. Argument: the port of a Redis.
import { createRequire } from 'node:module';
import Bottleneck, * as named from 'rebottle';
import Light from 'rebottle/light';
import check from './check.cjs';

const { checkClass, checkRedis, checkResident } = check;
const port = Number(process.argv[2]);

if (createRequire(import.meta.url)('rebottle') !== Bottleneck) throw new Error('two classes');
await checkClass(Bottleneck);
await checkClass(Light);
await checkRedis(named.default, port, 'ioredis');
await checkRedis(named.default, port, 'redis');
await checkResident(named, port);
console.log('all well');
