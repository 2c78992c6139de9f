/** Tells every `every` ms, by `now`, how many ms later than that its timer fired. Returns what ends it. */
export function watchLateness(now: () => number, every: number, tell: (ms: number) => void): () => void {
  let due = now() + every;
  const timer = setInterval(() => {
    tell(now() - due);
    due = now() + every;
  }, every);
  timer.unref();
  return () => clearInterval(timer);
}
