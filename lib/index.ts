import { Bottleneck, shareStatics } from './bottleneck';
import { Group } from './group';
import * as resident from './resident';
import { installRedisStores } from './store/create-store';
import { IORedisConnection, RedisConnection } from './store/redis/connection';
import { createRedisStore } from './store/redis/create-redis-store';
import { acquire } from './store/redis/shared-connections';

installRedisStores(createRedisStore);
Group.connect = (options) => acquire(options).connection;
Bottleneck.RedisConnection = RedisConnection;
Bottleneck.IORedisConnection = IORedisConnection;
shareStatics(['RedisConnection', 'IORedisConnection']);

/** The engine's own API; see also lib/resident/names.ts. */
const { ManagedLimiter: _, TypedEvents: __, ...classes } = resident;
Object.assign(Bottleneck, classes);

export default Bottleneck;
