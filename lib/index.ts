import { Bottleneck, shareStatics } from './bottleneck';
import { Group } from './group';
import * as resident from './resident';
import { RESIDENT_NAMES } from './resident/names';
import { installRedisStores } from './store/create-store';
import { IORedisConnection, RedisConnection } from './store/redis/connection';
import { createRedisStore } from './store/redis/create-redis-store';
import { acquire } from './store/redis/shared-connections';

installRedisStores(createRedisStore);
Group.connect = (options) => acquire(options).connection;
Bottleneck.RedisConnection = RedisConnection;
Bottleneck.IORedisConnection = IORedisConnection;
shareStatics(['RedisConnection', 'IORedisConnection']);
Object.assign(Bottleneck, Object.fromEntries(RESIDENT_NAMES.map((name) => [name, resident[name]])));

export default Bottleneck;
