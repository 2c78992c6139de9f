/** The entry without Redis: the memory engine, Groups and Batchers, for browsers and bundles. */
import { Bottleneck, shareStatics } from './bottleneck';
import { BottleneckError } from './errors';

/** Stands where the full entry has its connections. */
class NoRedisConnection {
  constructor() {
    throw new BottleneckError('The light build has no Redis in it: import "rebottle" instead of "rebottle/light"');
  }
}

Bottleneck.RedisConnection ??= NoRedisConnection;
Bottleneck.IORedisConnection ??= NoRedisConnection;
shareStatics(['RedisConnection', 'IORedisConnection']);

export default Bottleneck;
