import { startTimer, type Timer } from '../../clock';

/** ms that a limiter waits at most for one that was made before it and cannot reach its Redis. */
const PATIENCE = 1000;

const lastJoins = new Map<string, Promise<void>>();

/**
 * Lets the limiters of one id in this process join in the order in which they were made, although one may have a
 * connection that is open already and another has not: whose settings count (the first one's) and who clears what must
 * not hang on that.
 *
 * @returns what to wait for before joining, and what to call once joined
 */
export function takeTurn(id: string): { turn: Promise<void>; joined: () => void } {
  const before = lastJoins.get(id);
  let joined!: () => void;
  const mine = new Promise<void>((resolve) => (joined = resolve));
  lastJoins.set(id, mine);
  void mine.then(() => {
    if (lastJoins.get(id) === mine) lastJoins.delete(id);
  });
  return { turn: before === undefined ? Promise.resolve() : withPatience(before), joined };
}

function withPatience(promise: Promise<void>): Promise<void> {
  let timer: Timer | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = startTimer(PATIENCE, resolve);
    timer.unref();
  });
  return Promise.race([promise, patience]).finally(() => timer?.cancel());
}
