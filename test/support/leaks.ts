import { eventually } from './eventually';

/** Handles by kind: timers, sockets, servers, child processes; what keeps a process alive. */
export type Resources = Map<string, number>;

export function activeResources(): Resources {
  const counts: Resources = new Map();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** What there is now beyond what there was, such as `2 more Timeout`. */
export function moreThan(before: Resources, now: Resources = activeResources()): string[] {
  return [...now]
    .map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)] as const)
    .filter(([, more]) => more > 0)
    .map(([kind, more]) => `${more} more ${kind}`);
}

/** As `activeResources()`, taken when the runner's own timer for this test or hook is running too. */
export async function openNow(): Promise<Resources> {
  await new Promise((resolve) => setImmediate(resolve));
  return activeResources();
}

/** Waits until nothing is left beyond `before`; rejects with a list of what stays. */
export async function noMoreThan(before: Resources, within = 1000): Promise<void> {
  let rest: string[] = [];
  const isClean = async () => {
    rest = moreThan(before, await openNow());
    return rest.length === 0;
  };
  await eventually(isClean, { within }).catch(() => {
    throw new Error(`left behind: ${rest.join(', ')}`);
  });
}

/** ioredis keeps a timer of two seconds on a socket that it ends. */
const CLIENTS_NEED_MS = 2500;

/** In a `describe`: every test that leaves a timer, socket, server or child process behind fails. */
export function failOnLeaks({ within = CLIENTS_NEED_MS } = {}): void {
  let before: Resources = new Map();

  beforeEach('remember what is open', async () => {
    before = await openNow();
  });

  afterEveryOtherHook('nothing is left open', () => noMoreThan(before, within));
}

/** An `afterEach` that runs after those which the suite itself declares later, so that they can clean up first. */
export function afterEveryOtherHook(title: string, check: () => Promise<void>): void {
  before(`arrange: ${title}`, function () {
    this.test?.parent?.afterEach(title, check);
  });
}
