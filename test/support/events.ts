/** The part of an emitter that both Node's and Bottleneck's have. */
export interface Listenable {
  // biome-ignore lint/suspicious/noExplicitAny: every emitter types its listeners in its own way
  on(name: any, listener: (...args: any[]) => void): unknown;
}

export interface NextEventOptions {
  /** Give up after this many ms. Default 5000. */
  within?: number;
  /** Only an event with such arguments counts. Default: the next one. */
  where?: (...args: unknown[]) => boolean;
}

/** Resolves with the arguments of the next such event; rejects when it does not come in time. */
export function nextEvent(
  emitter: Listenable,
  name: string,
  { within = 5000, where = () => true }: NextEventOptions = {},
): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`no such "${name}" event within ${within} ms`));
    }, within);
    emitter.on(name, (...args: unknown[]) => {
      if (!where(...args)) return;
      clearTimeout(timer);
      resolve(args);
    });
  });
}

/** Every event of these names from now on, in the order in which they came. */
export function recordEvents(emitter: Listenable, names: string[]): Array<{ name: string; args: unknown[] }> {
  const record: Array<{ name: string; args: unknown[] }> = [];
  for (const name of names) emitter.on(name, (...args: unknown[]) => record.push({ name, args }));
  return record;
}
