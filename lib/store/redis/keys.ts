/**
 * The names of what Redis holds of a limiter. Which key holds what, and who writes it, stands in lua/README.md.
 */

/** Bottleneck's own keys, in the order in which its scripts take them. */
const SHARED_KEYS = [
  'settings',
  'job_weights',
  'job_expirations',
  'job_clients',
  'client_running',
  'client_num_queued',
  'client_last_registered',
  'client_last_seen',
] as const;

/** Ours. None may end in "_settings": that is how the keys of a Group are found. */
const QUEUE_KEYS = ['rb_queue', 'rb_delayed', 'rb_parked', 'rb_starts', 'rb_seen', 'rb_clients', 'rb_jobs'] as const;

export const KEY_NAMES = [...SHARED_KEYS, ...QUEUE_KEYS] as const;

export interface KeyNaming {
  /** Whether the client is a cluster's: then all keys of a limiter must be in one hash slot. */
  cluster: boolean;
}

/** All keys of a limiter: the eight that Bottleneck knows, then ours, as {@link KEY_NAMES} lists them. */
export function limiterKeys(id: string, naming: KeyNaming): string[] {
  const prefix = `b_${keyId(id, naming)}_`;
  return KEY_NAMES.map((name) => prefix + name);
}

/**
 * How an id stands in key names. On a cluster an id without a hash tag of its own becomes one, so that nobody needs to
 * put braces into ids.
 */
export function keyId(id: string, { cluster }: KeyNaming): string {
  if (!cluster || hasHashTag(id)) return id;
  // "{}" is no hash tag, so an id that is empty or begins with "}" needs something before it.
  return id === '' || id.startsWith('}') ? `{:${id}}` : `{${id}}`;
}

/** Whether Redis Cluster hashes only a part of `name`: what stands between the first "{" and the next "}". */
export function hasHashTag(name: string): boolean {
  const open = name.indexOf('{');
  return open >= 0 && name.indexOf('}', open) > open + 1;
}

/** Patterns for SCAN that match the settings key of every limiter of a Group. */
export function groupPatterns(groupId: string, { cluster }: KeyNaming): string[] {
  const id = escapeGlob(groupId);
  const plain = `b_${id}-*_settings`;
  return cluster && !hasHashTag(groupId) ? [plain, `b_{${id}-*}_settings`] : [plain];
}

/** The key within the Group that a settings key belongs to, or undefined when it belongs to none. */
export function groupKeyOf(settingsKey: string, groupId: string, naming: KeyNaming): string | undefined {
  const ending = '_settings';
  if (!settingsKey.startsWith('b_') || !settingsKey.endsWith(ending)) return undefined;
  const inKey = settingsKey.slice('b_'.length, -ending.length);
  const tagged = naming.cluster && inKey.startsWith('{') && inKey.endsWith('}') ? inKey.slice(1, -1) : undefined;
  // Only the spelling that the limiter itself would use counts.
  const id = [inKey, tagged].find((one) => one?.startsWith(`${groupId}-`) && keyId(one, naming) === inKey);
  return id?.slice(groupId.length + 1);
}

export function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]^]/g, '\\$&');
}
