import { BottleneckError } from '../../../errors';

type Require = (id: string) => unknown;

// biome-ignore lint/suspicious/noExplicitAny: a client library is used by what it turns out to be
type Library = any;

/**
 * Loads a client library that the user has installed. It is found from this package, or else from the working
 * directory (this package may be linked in from elsewhere).
 *
 * The `require` in use is none that a bundler recognises: the client stays out of bundles, where it has to be passed in.
 *
 * @throws {BottleneckError} when it cannot be found.
 */
export function loadClient(name: 'ioredis' | 'redis'): Library {
  for (const require of requires()) {
    try {
      return require(name);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new BottleneckError(
    `The module "${name}" was not found. Install it, or pass it as the option "Redis" (or a client of it as "client").`,
  );
}

function requires(): Require[] {
  const found: Require[] = [];
  const own = typeof module === 'undefined' ? undefined : module;
  if (typeof own?.require === 'function') found.push((id) => own.require(id));
  const builtin = globalThis.process?.getBuiltinModule?.('module');
  if (builtin !== undefined) found.push(builtin.createRequire(`${process.cwd()}/`));
  return found;
}
