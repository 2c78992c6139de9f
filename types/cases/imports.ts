// Ways of importing that work in every mode with import statements.
import Default, { Batcher, BottleneckError, Events, Group, RedisConnection, Status, strategy, version } from 'rebottle';
import { default as Renamed } from 'rebottle';
import * as everything from 'rebottle';
import type TypeOnly from 'rebottle';
import type { JobOptions, Strategy } from 'rebottle';
import Es5 from 'rebottle/es5';
import Es5File from 'rebottle/es5.js';
import DeepClass from 'rebottle/lib/Bottleneck.js';
import DeepIndex from 'rebottle/lib/index.js';
import Light from 'rebottle/light';
import { migrate } from 'rebottle/migrate';

const same: Default[] = [new Renamed(), new everything.default(), new Light(), new Es5(), new Es5File()];
same.push(new DeepIndex(), new DeepClass());
export const typed: TypeOnly | undefined = same[0];
export const job: JobOptions = { priority: 1 };
export const leak: Strategy = strategy.LEAK;
export const parts = [new Group(), new Batcher(), new Events({}), new RedisConnection({ client: {} })];
export const error: Error = new BottleneckError(`${version} ${Status.QUEUED}`);
export const namespaced: everything.ConstructorOptions = {};
export const lazily = async (): Promise<Default> => new (await import('rebottle')).default();
export const lazilyLight = async (): Promise<Default> => new (await import('rebottle/light')).default();
export const either: typeof Default = migrate(Default, Renamed, ['id-*']);
