import { adaptClient } from './adapt-client';
import type { Native } from './base-client';
import type { RedisClient } from './client';
import { isIoredisCluster } from './ioredis-client';
import { loadClient } from './load-client';

export type RedisDatastore = 'ioredis' | 'redis';

/** Where the clients of a connection come from. */
export interface ClientSource {
  /** The client library. Loaded by the name of the datastore when it is needed and not given. */
  Redis?: Native;
  /** Passed to the library as it is. */
  clientOptions?: Native;
  /** Makes a cluster client of these nodes. */
  clusterNodes?: Native;
  /** A client of the user's, in place of all else. */
  client?: Native;
}

export interface ClientPair {
  /** For commands. */
  commands: RedisClient;
  /** For subscriptions alone: while it has any, most clients take no other commands. */
  subscriptions: RedisClient;
}

/** Opens one client, for commands. */
export function openClient(datastore: RedisDatastore, source: ClientSource): RedisClient {
  return adaptClient(createClient(datastore, source), true);
}

/** Opens the two clients of a connection. They connect by themselves and are usable when they are ready. */
export function openClients(datastore: RedisDatastore, source: ClientSource): ClientPair {
  const given = source.client ?? undefined;
  const raw = given ?? createClient(datastore, source);
  return {
    commands: adaptClient(raw, given === undefined),
    subscriptions: adaptClient(duplicate(raw), true),
  };
}

function createClient(datastore: RedisDatastore, source: ClientSource): Native {
  const library = source.Redis ?? loadClient(datastore);
  return datastore === 'ioredis' ? createIoredis(library, source) : createNodeRedis(library, source);
}

function createIoredis(library: Native, { clientOptions, clusterNodes }: ClientSource): Native {
  const Redis = typeof library === 'function' ? library : (library.default ?? library.Redis);
  if (clusterNodes == null) return new Redis(clientOptions ?? {});
  const Cluster = library.Cluster ?? Redis.Cluster;
  return new Cluster(clusterNodes, clientOptions ?? {});
}

function createNodeRedis(library: Native, { clientOptions, clusterNodes }: ClientSource): Native {
  const api = typeof library.createClient === 'function' ? library : library.default;
  // Versions 2 and 3 have no clusters, and flat options.
  if (typeof api.createCluster !== 'function') return api.createClient(clientOptions ?? {});
  const options = nestOptions(clientOptions ?? {});
  if (clusterNodes == null) return api.createClient(options);
  return api.createCluster({ rootNodes: clusterNodes.map(rootNode), defaults: options });
}

/**
 * Options for node-redis 4 and later. The flat form of versions 2 and 3, which these would silently ignore, is turned
 * into theirs. They write into the socket options, which belong to the user: so those are copied.
 */
function nestOptions(options: Native): Native {
  if (typeof options !== 'object') return options;
  if (options.socket != null) return { ...options, socket: { ...options.socket } };
  if (options.url != null) return options;
  const { host, port, path, tls, db, ...rest } = options;
  const tlsOptions = typeof tls === 'object' && tls !== null ? { ...tls, tls: true } : tls === true ? { tls } : {};
  const socket = definedOnly({ host, port, path, ...tlsOptions });
  return {
    ...rest,
    ...(Object.keys(socket).length > 0 ? { socket } : {}),
    ...definedOnly({ database: db ?? options.database }),
  };
}

/** A node as ioredis takes it (a URL, or host and port) or as node-redis does. */
function rootNode(node: Native): Native {
  return typeof node === 'string' ? { url: node } : nestOptions(node);
}

function definedOnly(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value != null));
}

/** A client for subscriptions, which must wait for its connection whatever the options of the first say. */
function duplicate(raw: Native): Native {
  if (typeof raw.internal_send_command === 'function') {
    return raw.duplicate({ enable_offline_queue: true, disable_resubscribing: false });
  }
  if ('isOpen' in raw) return raw.duplicate(raw.options?.legacyMode ? { legacyMode: false } : undefined);
  if (isIoredisCluster(raw)) {
    const options = { enableOfflineQueue: true, lazyConnect: false };
    if (typeof raw.duplicate === 'function') return raw.duplicate([], options);
    return new raw.constructor(raw.startupNodes, { ...raw.options, ...options });
  }
  return raw.duplicate({
    autoResubscribe: true,
    commandTimeout: undefined,
    enableOfflineQueue: true,
    lazyConnect: false,
    maxRetriesPerRequest: null,
  });
}
