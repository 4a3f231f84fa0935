import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Files of a process whose state is unknown are kept for this long. */
const FOREIGN_FILE_MS = 24 * 60 * 60 * 1000;

const machine = hostname().replace(/[^A-Za-z0-9-]/g, '') || 'here';

/** Returns a name for a file being written that identifies its writer. */
export function unfinishedName(): string {
  return `${machine}.${process.pid}.${randomUUID()}`;
}

/** Removes unfinished files of processes that have ended. Files that another process is writing stay. */
export async function removeLeftOvers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (await isLeftOver(file, name)) await rm(file, { recursive: true, force: true });
  }
}

async function isLeftOver(file: string, name: string): Promise<boolean> {
  const [owner, pid] = name.split('.');
  if (owner === undefined || pid === undefined) return true;
  if (owner === machine) return !isRunning(Number(pid));
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > FOREIGN_FILE_MS;
}

/** A file with our own process id is from an earlier process: this one has only just started. */
function isRunning(pid: number): boolean {
  if (pid === process.pid || !Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
