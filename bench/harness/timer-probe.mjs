/**
 * Counts timers from now on by standing in for the global functions: those of a library that looks them up when it
 * is loaded or when it calls them. Timers that were unref'd count too, which `process.getActiveResourcesInfo()` hides.
 */
export function probeTimers() {
  const live = new Set();
  const counts = { fired: 0 };
  const { setTimeout: startTimeout, setInterval: startInterval, clearTimeout: stopTimeout } = globalThis;

  globalThis.setTimeout = (callback, delay, ...args) => {
    const timer = startTimeout(() => {
      live.delete(timer);
      counts.fired++;
      callback(...args);
    }, delay);
    live.add(timer);
    return timer;
  };
  globalThis.setInterval = (callback, delay, ...args) => {
    const timer = startInterval(() => {
      counts.fired++;
      callback(...args);
    }, delay);
    live.add(timer);
    return timer;
  };
  globalThis.clearTimeout = globalThis.clearInterval = (timer) => {
    live.delete(timer);
    stopTimeout(timer);
  };
  return { live: () => live.size, fired: () => counts.fired, untracked: { setInterval: startInterval } };
}
