import { getPriority, setPriority } from 'node:os';

const MAX_NICENESS = 19;

/** Lets a process that was just started give way to this one: answering readers comes before checking and building. */
export function giveWay(pid: number | undefined, niceness: number): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(MAX_NICENESS, getPriority() + niceness));
  } catch {
    // A system that does not allow it runs the process with the same priority.
  }
}
