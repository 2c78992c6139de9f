import { BottleneckError } from '../errors';

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

interface Tracked {
  readonly state: State | null;
}

/** Stands for every finished job: the jobs themselves are let go. */
const DONE: Tracked = { state: State.Done };

/** The jobs of one limiter by id, and how many are in which state. Ids are compared as strings. */
export class JobStates<J extends Tracked> {
  readonly counts: number[];
  private readonly names: readonly StateName[];
  private readonly jobs = new Map<string, J | typeof DONE>();

  /** `trackDone`: remember the ids of finished jobs too, for as long as the limiter lives. */
  constructor(private readonly trackDone: boolean) {
    this.names = trackDone ? STATE_NAMES : STATE_NAMES.slice(0, State.Done);
    this.counts = this.names.map(() => 0);
  }

  /** Jobs received and not yet done. */
  get unfinished(): number {
    const counts = this.counts;
    return counts[State.Received]! + counts[State.Queued]! + counts[State.Running]! + counts[State.Executing]!;
  }

  has(id: string): boolean {
    return this.jobs.has(id);
  }

  add(id: string, job: J): void {
    this.jobs.set(id, job);
    this.counts[State.Received]!++;
  }

  /** Counts a move; the job itself says where it is. */
  move(id: string, from: State, to: State): void {
    this.counts[from]!--;
    if (to !== State.Done) this.counts[to]!++;
    else if (this.trackDone) {
      this.jobs.set(id, DONE);
      this.counts[State.Done]!++;
    } else this.jobs.delete(id);
  }

  remove(id: string, from: State): void {
    this.jobs.delete(id);
    this.counts[from]!--;
  }

  countDone(): void {
    if (this.trackDone) this.counts[State.Done]!++;
  }

  /** Jobs that have not come to `state` yet. */
  jobsBefore(state: State): J[] {
    return [...this.jobs.values()].filter((job): job is J => job.state !== null && job.state < state);
  }

  /** The unfinished job of that id. */
  find(id: string): J | undefined {
    const job = this.jobs.get(id);
    return job === undefined || job === DONE ? undefined : (job as J);
  }

  /** Name of the state, or null for an unknown id. */
  status(id: string): StateName | null {
    const state = this.jobs.get(id)?.state;
    return state === undefined || state === null ? null : this.names[state]!;
  }

  /** Ids of the jobs in that state, or of all; throws a BottleneckError for an unknown state. */
  ids(status?: string | null): string[] {
    if (status === undefined || status === null) return [...this.jobs.keys()];
    const wanted = this.names.indexOf(status as StateName);
    if (wanted < 0) throw new BottleneckError(`status must be one of ${this.names.join(', ')}`);
    return [...this.jobs].filter(([, job]) => job.state === wanted).map(([id]) => id);
  }

  countsByName(): Record<string, number> {
    return Object.fromEntries(this.names.map((name, state) => [name, this.counts[state]!]));
  }
}
