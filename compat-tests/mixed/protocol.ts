/** What the parent and the processes of a mixed fleet say to each other. */

/** Which package a process runs. */
export type Kind = 'real' | 'ours';

export interface WorkerSetup {
  kind: Kind;
  /** The module to load as ioredis. */
  driver: string;
  port: number;
  /** Nodes of a cluster, which is used instead of the server on `port`; null for none. */
  clusterNodes: Array<{ host: string; port: number }> | null;
  /** ms by which the process believes its clock to be later than it is. */
  clockAhead: number;
}

export type WorkerCommand =
  | { do: 'create'; options: object }
  | { do: 'createGroup'; options: object }
  /** Schedules jobs that take `ms` each, all at once. `weights` are taken in turn; default 1. */
  | { do: 'run'; count: number; ms: number; weights?: number[]; options?: object; key?: string }
  | { do: 'call'; method: string; args: unknown[] }
  | { do: 'callGroup'; method: string; args: unknown[] }
  | { do: 'callKey'; key: string; method: string; args: unknown[] }
  /** Keeps the event loop busy. */
  | { do: 'block'; ms: number }
  | { do: 'lateness' }
  | { do: 'disconnect' };
