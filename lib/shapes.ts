import type { Bottleneck } from './bottleneck';
import type { Store } from './store/store';

/** A set, since bundlers see through arrays: they leave out what is only ever put into one. */
export const kept = new Set<Bottleneck>();

/**
 * Keeps a limiter with two waiting jobs, for the engine's sake. V8 knows the shape of an object only for as long as there
 * is an object of that shape, and throws compiled code away with the shapes that it was compiled for. A process whose
 * limiters are idle has no job, and after the next garbage collection its next burst would begin in the interpreter.
 */
export function keepShapes(Limiter: typeof Bottleneck): void {
  const limiter = new Limiter({ reservoir: 0 });
  const store: Store = limiter._engine;
  const job = (args: unknown[] | null) => limiter._newJob(keepShapes, args, null);
  store.advance({ submitted: [job(null), job([1])], completed: [], withdrawn: [], renewed: [] });
  kept.add(limiter);
}
