/**
 * What a value in the code under check is, as far as Bottleneck goes. A module object counts as the class: it has the
 * same statics.
 */
export type ValueKind = ClassKind | InstanceKind;
export type ClassKind = 'Bottleneck' | 'Group' | 'Batcher' | 'Connection';
/** `wrapped` is what `limiter.wrap()` returns. */
export type InstanceKind = 'limiter' | 'group' | 'batcher' | 'connection' | 'wrapped';

const STATICS: Record<string, ClassKind> = {
  default: 'Bottleneck',
  Bottleneck: 'Bottleneck',
  Group: 'Group',
  Batcher: 'Batcher',
  RedisConnection: 'Connection',
  IORedisConnection: 'Connection',
};

const INSTANCES: Record<ClassKind, InstanceKind> = {
  Bottleneck: 'limiter',
  Group: 'group',
  Batcher: 'batcher',
  Connection: 'connection',
};

/** What a limiter's methods return, or their promises resolve to, that leads on. */
const LIMITER_RESULTS: Record<string, InstanceKind> = {
  chain: 'limiter',
  updateSettings: 'limiter',
  on: 'limiter',
  once: 'limiter',
  wrap: 'wrapped',
};

/** `kind.name` */
export function memberKind(kind: ValueKind, name: string): ValueKind | undefined {
  return kind === 'Bottleneck' && Object.hasOwn(STATICS, name) ? STATICS[name] : undefined;
}

/** `new kind()` */
export function instanceKind(kind: ValueKind): InstanceKind | undefined {
  return isClass(kind) ? INSTANCES[kind] : undefined;
}

/** `kind.method()` */
export function resultKind(kind: ValueKind, method: string): ValueKind | undefined {
  if (kind === 'group' && method === 'key') return 'limiter';
  return kind === 'limiter' && Object.hasOwn(LIMITER_RESULTS, method) ? LIMITER_RESULTS[method] : undefined;
}

export function isClass(kind: ValueKind): kind is ClassKind {
  return Object.hasOwn(INSTANCES, kind);
}
