/** Every scenario on Redis. */
import { clustering } from './clustering';
import { redisFaults } from './faults';
import type { RedisScenario } from './scenario';

export const redisScenarios: RedisScenario[] = [...clustering, ...redisFaults];
