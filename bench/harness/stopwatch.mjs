/**
 * Times from now. Beside the time that passed it tells the CPU time that this process took (garbage collection too),
 * which hardly changes when other processes want the machine.
 */
export function startStopwatch() {
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  return () => {
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(cpuBefore);
    return { seconds, cpuMicroseconds: user + system };
  };
}
