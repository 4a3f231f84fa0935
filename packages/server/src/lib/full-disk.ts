import { statfs } from 'node:fs/promises';
import { DocentError } from '@docent/format/errors.ts';

/**
 * The embedded database cannot start with less: it may need another file of its log, which has 16
 * MB.
 */
const NEEDED_BYTES = 20e6;

/**
 * Returns the error of something that failed in a folder because its disk is full; `undefined` if
 * it is not full.
 * @param cause what failed
 */
export async function fullDiskError(
  folder: string,
  cause: unknown,
): Promise<DocentError | undefined> {
  const disk = await statfs(folder).catch(() => undefined);
  if (!disk) return undefined;
  if (disk.bavail * disk.bsize >= NEEDED_BYTES) return undefined;
  return fullDisk(folder, cause);
}

/** Returns the error of something that failed because the disk of a folder is full. */
export function fullDisk(folder: string, cause: unknown): DocentError {
  const message = `The disk of ${folder} is full; free some space and start again.`;
  return new DocentError('dependency_unavailable', message, { cause, dependency: 'disk' });
}
