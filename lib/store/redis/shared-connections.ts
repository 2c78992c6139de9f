import { openClients, type RedisDatastore } from './clients/open-clients';
import { type Connection, type ConnectionOptions, IORedisConnection, RedisConnection } from './connection';
import { RedisLink } from './link';

export interface AcquireOptions extends ConnectionOptions {
  datastore: RedisDatastore;
}

export interface AcquiredConnection {
  connection: Connection;
  release(flush?: boolean): Promise<void>;
}

const links = new Map<string, RedisLink>();

/**
 * The connection of a limiter or Group that was not given one.
 *
 * Every call makes a Connection object of its own, with its own events, as if nothing were shared. Beneath, all those
 * with the same plain `clientOptions` and `clusterNodes`, datastore and client library stand on one pair of clients,
 * which the last one closes. Options that hold functions or other objects that cannot be compared are never shared,
 * nor is a client that was given.
 */
export function acquire(options: AcquireOptions): AcquiredConnection {
  const Class = options.datastore === 'redis' ? RedisConnection : IORedisConnection;
  const connection = new Class(options, sharedLink(options));
  return { connection, release: (flush = true) => connection.disconnect(flush) };
}

function sharedLink(options: AcquireOptions): RedisLink | undefined {
  const key = linkKey(options);
  if (key === undefined) return undefined;
  const existing = links.get(key);
  if (existing !== undefined && !existing.isDead) return existing;
  const link = new RedisLink(openClients(options.datastore, options));
  links.set(key, link);
  link.onClose(() => {
    if (links.get(key) === link) links.delete(key);
  });
  return link;
}

/** Names what connections may share, or undefined when these options cannot be compared. */
function linkKey({ datastore, Redis, clientOptions, clusterNodes, client }: AcquireOptions): string | undefined {
  if (client != null) return undefined;
  const plain = plainText([clientOptions ?? {}, clusterNodes ?? null]);
  return plain === undefined ? undefined : `${datastore} ${libraryNumber(Redis)} ${plain}`;
}

const libraries = new WeakMap<object, number>();
let libraryCount = 0;

/** A number for a client library; 0 for the one that would be loaded. */
function libraryNumber(library: object | null | undefined): number {
  if (library == null) return 0;
  const known = libraries.get(library) ?? ++libraryCount;
  libraries.set(library, known);
  return known;
}

/** One text for equal plain data, whatever the order of its properties; undefined for anything but plain data. */
function plainText(value: unknown, within: readonly unknown[] = []): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || within.includes(value)) return undefined;
  const texts = Array.isArray(value) ? arrayTexts(value, [...within, value]) : objectTexts(value, [...within, value]);
  if (texts?.every((text) => text !== undefined) !== true) return undefined;
  return Array.isArray(value) ? `[${texts.join()}]` : `{${texts.join()}}`;
}

function arrayTexts(values: unknown[], within: unknown[]): (string | undefined)[] {
  return values.map((value) => plainText(value, within));
}

function objectTexts(value: object, within: unknown[]): (string | undefined)[] | undefined {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  if (Object.getOwnPropertySymbols(value).length > 0) return undefined;
  return Object.entries(value)
    .filter(([, property]) => property !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, property]) => {
      const text = plainText(property, within);
      return text === undefined ? undefined : `${JSON.stringify(name)}:${text}`;
    });
}
