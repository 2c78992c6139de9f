/** The entry without Redis: the memory engine, Groups and Batchers, for browsers and bundles. */
import { Bottleneck, shareStatics } from './bottleneck';
import { BottleneckError } from './errors';
import { RESIDENT_NAMES, type ResidentName } from './resident/names';

/** Stands where the full entry has its connections, and what works on Redis alone. */
class NoRedisConnection {
  constructor() {
    throw new BottleneckError('The light build has no Redis in it: import "rebottle" instead of "rebottle/light"');
  }
}

Bottleneck.RedisConnection ??= NoRedisConnection;
Bottleneck.IORedisConnection ??= NoRedisConnection;
shareStatics(['RedisConnection', 'IORedisConnection']);

const statics = Bottleneck as Partial<Record<ResidentName, unknown>>;
for (const name of RESIDENT_NAMES) statics[name] ??= NoRedisConnection;

export default Bottleneck;
