/**
 * Returns the CPU time of this thread in milliseconds. Unlike the clock, it does not count what
 * other processes use.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
