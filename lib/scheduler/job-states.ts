import { BottleneckError } from '../errors';
import { NO_ID } from '../options';

/** The states of a job, in the order in which it goes through them. */
export const enum State {
  Received = 0,
  Queued = 1,
  /** Has its slot, waits until it may execute. */
  Running = 2,
  Executing = 3,
  Done = 4,
}

export const STATE_NAMES = ['RECEIVED', 'QUEUED', 'RUNNING', 'EXECUTING', 'DONE'] as const;
export type StateName = (typeof STATE_NAMES)[number];

/** What is kept of a job here. Jobs without an id of the user's own are linked to each other. */
interface Tracked<J> {
  readonly state: State | null;
  readonly key: string;
  /** Its id was made up: it is unique, and hardly anybody will ask for it. */
  readonly anonymous: boolean;
  nextAnonymous: J | null;
  previousAnonymous: J | null;
}

/** Stands for every finished job that had an id: the jobs themselves are let go. */
const DONE = { state: State.Done } as const;

const UNTRACKED_NAMES = STATE_NAMES.slice(0, State.Done);

/**
 * The jobs of one limiter by id, and how many are in which state. Ids are compared as strings. Jobs with made-up ids
 * are only linked: a map of them would cost more than all else that is kept of a job.
 */
export class JobStates<J extends Tracked<J>> {
  readonly counts: number[];
  private named: Map<string, J | typeof DONE> | null = null;
  private firstAnonymous: J | null = null;
  private lastAnonymous: J | null = null;
  private doneAnonymous: string[] | null = null;

  /** `trackDone`: remember the ids of finished jobs too, for as long as the limiter lives. */
  constructor(private readonly trackDone: boolean) {
    this.counts = trackDone ? [0, 0, 0, 0, 0] : [0, 0, 0, 0];
  }

  private get names(): readonly StateName[] {
    return this.trackDone ? STATE_NAMES : UNTRACKED_NAMES;
  }

  /** Jobs received and not yet done. */
  get unfinished(): number {
    const counts = this.counts;
    return counts[State.Received]! + counts[State.Queued]! + counts[State.Running]! + counts[State.Executing]!;
  }

  has(id: string): boolean {
    return this.named?.has(id) === true || (id.startsWith(NO_ID) && this.find(id) !== undefined);
  }

  add(job: J): void {
    if (job.anonymous) this.link(job);
    else (this.named ??= new Map()).set(job.key, job);
    this.counts[State.Received]!++;
  }

  /** Counts a move; the job itself says where it is. */
  move(job: J, from: State, to: State): void {
    this.counts[from]!--;
    if (to !== State.Done) {
      this.counts[to]!++;
      return;
    }
    if (job.anonymous) this.unlink(job);
    if (!this.trackDone) {
      if (!job.anonymous) this.named!.delete(job.key);
      return;
    }
    this.counts[State.Done]!++;
    if (job.anonymous) (this.doneAnonymous ??= []).push(job.key);
    else this.named!.set(job.key, DONE);
  }

  remove(job: J, from: State): void {
    if (job.anonymous) this.unlink(job);
    else this.named!.delete(job.key);
    this.counts[from]!--;
  }

  private link(job: J): void {
    job.previousAnonymous = this.lastAnonymous;
    if (this.lastAnonymous === null) this.firstAnonymous = job;
    else this.lastAnonymous.nextAnonymous = job;
    this.lastAnonymous = job;
  }

  private unlink(job: J): void {
    const { nextAnonymous: next, previousAnonymous: previous } = job;
    if (previous === null) this.firstAnonymous = next;
    else previous.nextAnonymous = next;
    if (next === null) this.lastAnonymous = previous;
    else next.previousAnonymous = previous;
    job.nextAnonymous = null;
    job.previousAnonymous = null;
  }

  countDone(): void {
    if (this.trackDone) this.counts[State.Done]!++;
  }

  /** Jobs that have not come to `state` yet. */
  jobsBefore(state: State): J[] {
    return [...this.unfinishedJobs()].filter((job) => job.state !== null && job.state < state);
  }

  /** The unfinished job of that id. */
  find(id: string): J | undefined {
    const named = this.named?.get(id);
    if (named !== undefined) return named === DONE ? undefined : (named as J);
    for (const job of this.unfinishedJobs()) if (job.key === id) return job;
    return undefined;
  }

  /** Name of the state, or null for an unknown id. */
  status(id: string): StateName | null {
    if (this.named?.get(id) === DONE || this.doneAnonymous?.includes(id) === true) return STATE_NAMES[State.Done];
    const state = this.find(id)?.state;
    return state === undefined || state === null ? null : this.names[state]!;
  }

  /** Ids of the jobs in that state, or of all; throws a BottleneckError for an unknown state. */
  ids(status?: string | null): string[] {
    if (status === undefined || status === null) return this.allIds();
    const wanted = this.names.indexOf(status as StateName);
    if (wanted < 0) throw new BottleneckError(`status must be one of ${this.names.join(', ')}`);
    return this.idsIn(wanted);
  }

  /** Ids of the user's own in the order in which the jobs came, then the made-up ones, those of finished jobs last. */
  private allIds(): string[] {
    const ids = [...(this.named?.keys() ?? [])];
    for (let job = this.firstAnonymous; job !== null; job = job.nextAnonymous) ids.push(job.key);
    return ids.concat(this.doneAnonymous ?? []);
  }

  private idsIn(state: State): string[] {
    if (state !== State.Done)
      return [...this.unfinishedJobs()].filter((job) => job.state === state).map((job) => job.key);
    const named = [...(this.named ?? [])].filter(([, job]) => job === DONE).map(([id]) => id);
    return named.concat(this.doneAnonymous ?? []);
  }

  private *unfinishedJobs(): Generator<J> {
    for (const job of this.named?.values() ?? []) if (job !== DONE) yield job as J;
    for (let job = this.firstAnonymous; job !== null; job = job.nextAnonymous) yield job;
  }

  countsByName(): Record<string, number> {
    return Object.fromEntries(this.names.map((name, state) => [name, this.counts[state]!]));
  }
}
