import { getPriority, setPriority } from 'node:os';

const MAX_NICENESS = 19;

/** Lowers the priority of a process that was just started: serving readers comes before checking and building. */
export function lowerPriority(pid: number | undefined, niceness: number): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(MAX_NICENESS, getPriority() + niceness));
  } catch {
    // If the system does not allow it, the process runs with the same priority.
  }
}
