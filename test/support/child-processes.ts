import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the processes that a process started and whose command line contains a text; only on
 * Linux.
 */
export function childProcesses(parent: number, text: string): number[] {
  return all().filter((pid) => {
    const fields = statOf(pid);
    return fields[1] === String(parent) && readProc(pid, 'cmdline').includes(text);
  });
}

/** Returns the processes of a group that still run. */
export function groupProcesses(leader: number): number[] {
  return all().filter((pid) => {
    const [state, , group] = statOf(pid);
    return group === String(leader) && state !== 'Z';
  });
}

function all(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** State, parent, process group and what follows. */
function statOf(pid: number): string[] {
  return readProc(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ');
}

/** Empty if the process is gone. */
export function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
