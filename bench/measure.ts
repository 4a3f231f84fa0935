import { readdirSync, readFileSync } from 'node:fs';

// What the benchmarks measure and print in the same way.

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Returns the CPU milliseconds of this process since `start`, a value of `process.cpuUsage()`. */
export function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Returns the CPU milliseconds that this process needs for some work. */
export function cpuMsOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  return cpuMsSince(start);
}

const CLOCK_TICK_MS = 10;

/** Returns the CPU milliseconds of another process since it started. Linux only. */
export function processCpuMs(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
}

/**
 * Returns the CPU milliseconds of another process and all that it starts, also of what has ended.
 * Linux only.
 */
export function treeCpuMs(pid: number): number {
  const waitedMs = (process: number) => {
    const fields = statOf(process);
    return (Number(fields[13]) + Number(fields[14])) * CLOCK_TICK_MS;
  };
  return processTree(pid).reduce((sum, process) => {
    try {
      return sum + processCpuMs(process) + waitedMs(process);
    } catch {
      return sum;
    }
  }, 0);
}

function statOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
}

/** Returns the resident memory of another process. Linux only. */
export function residentMegabytes(pid: number): number {
  return (
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  );
}

/** Returns a process and those below it; those that end meanwhile are left out. */
export function processTree(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.flatMap((thread) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number);
    } catch {
      return [];
    }
  });
  return [
    pid,
    ...children.flatMap((child) => {
      try {
        return processTree(child);
      } catch {
        return [];
      }
    }),
  ];
}

/**
 * Returns the memory of another process, with its share of the pages that others use too, as a
 * container counts it. Linux only.
 */
export function ownMegabytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
}

/** Returns the value below which this share of the values is. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Prints rows with their columns aligned: the first to the left, the others to the right. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    print(cells.join('  ').trimEnd());
  }
}
