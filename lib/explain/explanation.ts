import type { StateName } from '../scheduler/job-states';

/** Times in ms, by the clock of the limiter: on Redis, the server's. */
interface HoldBase {
  /** Since when nothing has moved because of it; null where that is not known. */
  since: number | null;
  /** When it lets go by itself; null where something has to happen first, see `waitsFor`. */
  until: number | null;
}

/** One limit that keeps a job from running, what it waits for, and the numbers that it is decided by. */
export type Hold = HoldBase &
  (
    | { by: 'maxConcurrent'; waitsFor: 'completion'; maxConcurrent: number; running: number; weight: number }
    | { by: 'minTime'; waitsFor: 'time'; minTime: number }
    | { by: 'reservoir'; waitsFor: 'time' | 'increment'; reservoir: number; weight: number }
    | { by: 'window'; waitsFor: 'time'; max: number; duration: number }
    | { by: 'bucket'; waitsFor: 'time' | 'increment'; tokens: number; weight: number }
    /** The blocked mode of strategy BLOCK: jobs that come now are dropped. */
    | { by: 'blocked'; waitsFor: 'time' }
    /** A retry or a job of later: it is not in the queue yet. */
    | { by: 'delay'; waitsFor: 'time' }
    /** The job failed, and is tried again then. It has kept its slot. */
    | { by: 'retry'; waitsFor: 'time'; retryCount: number }
    /** It has its slot in the fleet, but this process executes as much as it may. */
    | { by: 'workers'; waitsFor: 'completion' }
    /** It has a slot, and executes within this turn of the event loop or the next. */
    | { by: 'turn'; waitsFor: 'time' }
    /** It is the turn of processes that run Bottleneck and share the limiter. */
    | { by: 'sharing'; waitsFor: 'time' }
    /** Redis cannot reach this process to start the job: its subscription is gone. */
    | { by: 'subscription'; waitsFor: 'redis' }
    /** The store does not answer. */
    | { by: 'redis'; waitsFor: 'redis' }
  );

export type HoldName = Hold['by'];

/** Why a job is not running now. Times in ms, by the clock of the limiter: on Redis, the server's. */
export interface Explanation {
  /** All of it in words. */
  text: string;
  /** When this was true. */
  now: number;
  /** The job that it is about. Null for no such job, or for one of another process. */
  jobId: string | null;
  /** Null when nothing waits, for a job that is not known here, and for one of another process. */
  state: StateName | null;
  /** When the job joined the queue; null for one that is not in it. */
  waitingSince: number | null;
  /** Jobs before it in the queue; null for one that is not in it. */
  ahead: number | null;
  /** What holds it longest: the first of `holds`. Null when nothing does. */
  heldBy: HoldName | null;
  /** Every limit that keeps the job (or those before it) from starting, the longest first. */
  holds: Hold[];
  /**
   * The earliest moment at which the job could start, if what runs and what is before it ended at once and nothing more
   * important came. Null when it will not start by itself, and when it has started.
   */
  earliestStart: number | null;
  /** Of a job that was passed on to a chained limiter: what that one says. */
  chained: Explanation | null;
}
