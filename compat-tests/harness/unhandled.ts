/** Takes over the process's reports of failures nobody handled, so that they can be compared instead of ending the run. */
const EVENTS = ['unhandledRejection', 'uncaughtException'] as const;

export function captureUnhandled(report: (error: unknown) => void): () => void {
  const saved = EVENTS.map((event) => [event, process.rawListeners(event)] as const);
  for (const event of EVENTS) {
    process.removeAllListeners(event);
    process.on(event, report);
  }
  return () => {
    for (const [event, listeners] of saved) {
      process.removeListener(event, report);
      for (const listener of listeners) process.on(event, listener as (error: unknown) => void);
    }
  };
}
