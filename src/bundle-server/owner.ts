import { hostname } from 'node:os';

/**
 * Names what this process writes, so that what a killed one left behind is known. In a container every process has the number 1,
 * and the host is the pod.
 */
export const owner = `${hostname().replace(/[^\w-]/g, '_')}.${process.pid}`;

/** Whether a file of that name was written by a process of this host that has gone, or had the number that this one has. */
export function isAbandoned(name: string): boolean {
  const [host, pid] = name.split('.');
  if (host !== owner.split('.')[0]) return false;
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
