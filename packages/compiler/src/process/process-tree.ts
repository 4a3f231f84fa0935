import { readdirSync, readFileSync } from 'node:fs';

/** What a process and everything that it started uses. */
export interface TreeUsage {
  /** CPU time, also of children that ended and were waited for. */
  cpuSeconds: number;
  /** Resident memory. Files of programs count once: child processes share them with others. */
  memoryMb: number;
}

/**
 * Ticks per second in `/proc/<pid>/stat`: a constant of the interface on every architecture of
 * Linux.
 */
const TICKS = 100;
/** More processes than a build starts; an endless chain of them must not keep the watch busy. */
const MAX_PROCESSES = 64;

/**
 * Returns what a process and all its descendants use; undefined where the system has no `/proc`
 * with lists of children (macOS, Windows), or if the process is gone.
 */
export function treeUsage(pid: number): TreeUsage | undefined {
  const usage: TreeUsage = { cpuSeconds: 0, memoryMb: 0 };
  const pids = [pid];
  for (const next of pids) {
    const isRoot = next === pid;
    try {
      usage.memoryMb += memoryOf(next, isRoot);
      usage.cpuSeconds += cpuOf(next);
      if (pids.length < MAX_PROCESSES) pids.push(...childrenOf(next));
    } catch {
      // A child that has just ended is counted by its parent.
      if (isRoot) return undefined;
    }
  }
  return usage;
}

function memoryOf(pid: number, isRoot: boolean): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const kilobytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return (isRoot ? kilobytes('VmRSS') : kilobytes('RssAnon') + kilobytes('RssShmem')) / 1024;
}

function cpuOf(pid: number): number {
  // The name of the program, in parentheses, may contain anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields
    .slice(11, 15)
    .map(Number);
  return (user + system + childrenUser + childrenSystem) / TICKS;
}

/** The children of each thread: one that was started by a worker thread is listed there. */
function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  });
}
