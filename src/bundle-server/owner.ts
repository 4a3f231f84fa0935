import { hostname } from 'node:os';

/**
 * Identifies the files that this process writes, so that leftovers of a killed process can be recognized. In a container every
 * process has the id 1, and the host is the pod.
 */
export const owner = `${hostname().replace(/[^\w-]/g, '_')}.${process.pid}`;

/** Returns whether a file of that name was written by a process of this host that has ended, or had the id of this one. */
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
