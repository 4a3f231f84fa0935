import { totalmem } from 'node:os';

/** Returns the memory in MB of the container (cgroup v1 and v2) or machine, whichever is less. */
export function memoryHereMb(): number {
  // 0 if unknown.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(limit, totalmem()) / 1024 / 1024;
}
