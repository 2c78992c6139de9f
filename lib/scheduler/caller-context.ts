/**
 * What a job keeps of whoever scheduled it: the async context (the stores of every `AsyncLocalStorage`), and where
 * asked for, the stack. Node only; elsewhere, and where nobody uses an `AsyncLocalStorage`, there is nothing to keep.
 *
 * Asking whether there is a context must cost next to nothing, since it is asked for each job. Node has no call for it,
 * but its objects tell:
 * - where contexts travel by hooks (Node 20, 22), promises carry symbols from the first use of a storage on. Looking for
 *   one on the job's own promise is one look at a property;
 * - where V8 carries them (Node 24 and later), a new `AsyncResource` shows the context that it was made in.
 */

interface AsyncResource {
  runInAsyncScope<A>(fn: (argument: A) => void, thisArg: undefined, argument: A): void;
}

interface AsyncHooks {
  AsyncResource: new (type: string, triggerAsyncId?: number) => AsyncResource;
}

export interface CallerContext {
  /** Null when there was no context. */
  readonly resource: AsyncResource | null;
  /** Null unless the limiter traces its jobs. */
  readonly trace: Error | null;
}

const RESOURCE_TYPE = 'REBOTTLE_JOB';

/** undefined until first needed, null where there is none. */
let hooks: AsyncHooks | null | undefined;
/** The symbol that promises carry while contexts travel by hooks. */
let onPromises: symbol | null = null;
/** The symbol under which a resource keeps its context, where V8 carries it. */
let onResources: symbol | null = null;
/** Without any context: what jobs run in that have none, once others have one. */
let root: AsyncResource | null = null;
let inUse = false;

/** Node's module is looked up when the first job comes, in a way that bundlers do not follow. */
function load(): AsyncHooks | null {
  const { process } = globalThis as { process?: { getBuiltinModule?: (id: string) => AsyncHooks | undefined } };
  const found = process?.getBuiltinModule?.('node:async_hooks') ?? null;
  if (found === null) return null;
  const probe = new found.AsyncResource(RESOURCE_TYPE);
  const symbols = Object.getOwnPropertySymbols(probe);
  onPromises = symbols.find(({ description }) => description === 'async_id_symbol') ?? null;
  onResources = symbols.find(({ description }) => description === 'context_frame') ?? null;
  if (onResources === null) root = probe;
  return found;
}

/** The context of the caller; null when there is none. `promise`: one made in it just now. */
export function callerContext(promise: PromiseLike<unknown>, traced: boolean): CallerContext | null {
  const resource = contextResource(promise);
  if (resource === null && !traced) return null;
  return { resource, trace: traced ? captureTrace() : null };
}

function contextResource(promise: PromiseLike<unknown>): AsyncResource | null {
  if (hooks === undefined) hooks = load();
  if (hooks === null) return null;
  if (byHooks(promise)) {
    inUse = true;
    return new hooks.AsyncResource(RESOURCE_TYPE);
  }
  if (onResources === null) return null;
  // Without asking Node what triggered it, it costs about as much as a promise.
  const probe = new hooks.AsyncResource(RESOURCE_TYPE, 0);
  if ((probe as unknown as Record<symbol, unknown>)[onResources] === undefined) {
    root ??= probe;
    return null;
  }
  inUse = true;
  return new hooks.AsyncResource(RESOURCE_TYPE);
}

function byHooks(promise: PromiseLike<unknown>): boolean {
  if (onPromises === null) return false;
  // A promise class of the user's own carries nothing.
  const native = promise instanceof Promise ? promise : new Promise(() => {});
  return (native as unknown as Record<symbol, unknown>)[onPromises] !== undefined;
}

/** Whether something done for a job must be done through `runFor`. */
export function needsContext(context: CallerContext | null): boolean {
  return inUse || (context !== null && context.resource !== null);
}

/** Calls `fn` in the context of the job's caller; in none, where there was none. */
export function runFor<A>(context: CallerContext | null, fn: (argument: A) => void, argument: A): void {
  const resource = context?.resource ?? root;
  if (resource === null) fn(argument);
  else resource.runInAsyncScope(fn, undefined, argument);
}

function captureTrace(): Error {
  const trace = new Error();
  if (typeof Error.captureStackTrace === 'function') Error.captureStackTrace(trace, callerContext);
  return trace;
}

/** Adds to an error's stack where the job was scheduled, in the way that V8 writes async frames. */
export function addTrace(error: unknown, context: CallerContext | null): void {
  if (context === null || context.trace === null || !(error instanceof Error)) return;
  const frames = (context.trace.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const text = frames.map((line) => line.replace(/^(\s+at )(?!async )/, '$1async ')).join('\n');
  const { stack } = error;
  if (typeof stack !== 'string' || text === '' || stack.endsWith(text)) return;
  try {
    error.stack = `${stack}\n${text}`;
  } catch {
    // a frozen error stays as it is
  }
}
