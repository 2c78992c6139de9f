import type { Redis, RedisOptions } from 'ioredis';

export interface StartRedisOptions {
  /** Default: a free port. */
  port?: number;
  /** Folder for the server's files. Default: a temporary one, removed by `stop()`. */
  dir?: string;
  /** Executable. Default: what `findRedis()` finds. */
  binary?: string;
  /** Password of the default user. */
  password?: string;
  /** Lines of an ACL as in redis.conf, such as `user alice on >secret ~* &* +@all`. */
  acl?: string[];
  /** Keep an append-only file, synced at every write. Default false. */
  aof?: boolean;
  /** Keep an RDB file: written by SAVE, BGSAVE and an ordered shutdown. Default false. */
  rdb?: boolean;
  /** More directives of redis.conf; a list repeats the directive. */
  config?: Record<string, string | number | Array<string | number>>;
  /** More command-line arguments. */
  args?: string[];
  /** Run as a Sentinel. Default false. */
  sentinel?: boolean;
}

export interface RestartOptions {
  /** SIGTERM (saves, where it persists) instead of SIGKILL. Default true. */
  graceful?: boolean;
  /** Remove the server's data files while it is down. Default false. */
  empty?: boolean;
  /** Stay down this long, in ms. Default 0. */
  downFor?: number;
  /** Called between the end and the new start, for instance to put an old data file in place. */
  whileDown?: (server: RedisServer) => void | Promise<void>;
}

/** One real server process of this process's own; it ends with this process at the latest. */
export interface RedisServer {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  readonly password: string | undefined;
  readonly dir: string;
  readonly binary: string;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  readonly running: boolean;
  /** All that the server has written to its log. */
  logs(): string;
  /** Starts it again after `kill()` or `shutdown()`, with the files it left; resolves when PING answers. */
  start(): Promise<void>;
  /** Ends it with a signal, SIGKILL unless told otherwise; its files stay. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Ends it with SIGTERM; its files stay. */
  shutdown(): Promise<void>;
  /** Ends it and starts it again on the same port. */
  restart(options?: RestartOptions): Promise<void>;
  /** Sets a directive of redis.conf for the next start. */
  setConfig(name: string, value: string | number): void;
  /** SIGSTOP: connections stay open, nothing answers. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
  /** A new ioredis client on it, disconnected by `stop()`. */
  client(options?: RedisOptions): Redis;
  /** Ends it for good: its clients, the process, and its temporary folder. */
  stop(): Promise<void>;
}

/** Starts a private Redis server on a free port of loopback, without persistence unless asked for. */
export function startRedis(options?: StartRedisOptions): Promise<RedisServer>;
