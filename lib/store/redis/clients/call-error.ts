/**
 * What a failed call to Redis means for the caller. This is the only place that looks into the errors of the native
 * clients.
 */

export type CallFailure =
  /**
   * The connection was lost, or there is none and the client does not wait for one. The command may have been executed,
   * and the client may still send it. Only something that is safe to run twice may be sent again.
   */
  | 'connection'
  /** The server refused to execute the command in its present state. Nothing was executed; later it may be. */
  | 'server'
  /** The command or script itself failed. The same call would fail again. */
  | 'script';

export class RedisCallError extends Error {
  override name = 'RedisCallError';
  readonly kind: CallFailure;
  /** The first word of the server's error (`OOM`, `READONLY`, `ERR` …), or the client's own code or name for it. */
  readonly code: string;
  declare readonly cause: unknown;

  constructor(kind: CallFailure, code: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.kind = kind;
    this.code = code;
  }
}

/** Codes with which a server refuses what it could execute at another time. */
const REFUSALS: ReadonlySet<string> = new Set([
  'ASK',
  'BUSY',
  'CLUSTERDOWN',
  'LOADING',
  'MASTERDOWN',
  'MISCONF',
  'MOVED',
  'NOAUTH',
  'NOPERM',
  'NOREPLICAS',
  'OOM',
  'READONLY',
  'TRYAGAIN',
  'UNBLOCKED',
  'WRONGPASS',
]);

/** The error for the caller, whatever the native client rejected with. */
export function callError(cause: unknown): RedisCallError {
  if (cause instanceof RedisCallError) return cause;
  const code = replyCode(cause);
  if (code !== undefined) return new RedisCallError(REFUSALS.has(code) ? 'server' : 'script', code, cause);
  // Anything else the client said by itself; an argument that it cannot take is no matter of the connection.
  const kind = cause instanceof TypeError || cause instanceof RangeError ? 'script' : 'connection';
  return new RedisCallError(kind, clientCode(cause), cause);
}

/** The error of calls to a client that is closed. */
export function closedError(): RedisCallError {
  return new RedisCallError('connection', 'CLOSED', new Error('The Redis connection is closed.'));
}

/** Whether the server does not know the script of an EVALSHA. */
export function isUnknownScript(error: unknown): boolean {
  return error instanceof RedisCallError && error.kind === 'script' && error.code === 'NOSCRIPT';
}

/** Codes by which a reply is recognised when a bundler has renamed the classes of the client. */
const COMMON_CODES: ReadonlySet<string> = new Set([...REFUSALS, 'ERR', 'NOSCRIPT', 'WRONGTYPE', 'CROSSSLOT']);

/** The code of an error that the server replied, or undefined for an error of the client's own. */
function replyCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { message } = cause;
  const leading = leadingCode(message);
  if (!isReplyError(cause) && !(leading !== undefined && COMMON_CODES.has(leading))) return undefined;
  const code = leading ?? 'ERR';
  // Redis 6 puts the code of a command that a script called into the text of its own error, after a dash.
  return code === 'ERR' ? (/: -([A-Z]+) /.exec(message)?.[1] ?? code) : code;
}

function leadingCode(text: string): string | undefined {
  return /^-?([A-Z][A-Z0-9_]+)(?=[ :]|$)/.exec(text)?.[1];
}

/** The classes by which the clients tell an error that the server sent: ioredis and node-redis 2, 3; node-redis 4+. */
const REPLY_ERRORS: ReadonlySet<string> = new Set(['ReplyError', 'ErrorReply']);

function isReplyError(cause: Error): boolean {
  for (let one = cause; one !== null && one !== Error.prototype; one = Object.getPrototypeOf(one)) {
    if (REPLY_ERRORS.has(one.name) || REPLY_ERRORS.has(one.constructor.name)) return true;
  }
  return false;
}

function clientCode(cause: unknown): string {
  if (!(cause instanceof Error)) return 'UNKNOWN';
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? code : cause.constructor.name;
}
