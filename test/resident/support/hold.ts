/** A job that runs until it is told to end. */
export interface Hold<T> {
  fn: () => Promise<T>;
  /** Resolves when the job runs. */
  readonly started: Promise<void>;
  readonly hasStarted: boolean;
  release(value: T): void;
  fail(error: unknown): void;
}

export function hold<T = void>(): Hold<T> {
  let begin!: () => void;
  let settle!: { resolve: (value: T) => void; reject: (error: unknown) => void };
  let hasStarted = false;
  const started = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return {
    fn: () => {
      hasStarted = true;
      begin();
      return ended;
    },
    started,
    get hasStarted() {
      return hasStarted;
    },
    release: (value) => settle.resolve(value),
    fail: (error) => settle.reject(error),
  };
}

/** What a promise rejects with; fails when it does not. */
export async function rejection(promise: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const [outcome] = await Promise.allSettled([promise]);
  if (outcome!.status === 'fulfilled') throw new Error(`resolved to ${String(outcome!.value)} instead of rejecting`);
  return outcome!.reason;
}

/** An error that carries no stack worth reading in a test's output. */
export function failure(message = 'as planned'): Error {
  return new Error(message);
}
