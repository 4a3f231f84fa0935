import { constants } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeLeftOvers, unfinishedName } from '../blob-store/file-system.ts';

/**
 * Copies the folder of an embedded database while nothing changes its files. The engine opens such
 * a copy like the folder of a process that was killed at this moment, with every acknowledged
 * change.
 * @param owner the process that reads the copy and then deletes it; if it is killed, the next call
 *   does
 * @returns the folder of the copy, in `snapshots` beside the database
 */
export async function copyDatabaseFolder(folder: string, owner: number): Promise<string> {
  const snapshots = join(dirname(folder), 'snapshots');
  await mkdir(snapshots, { recursive: true, mode: 0o700 });
  await removeLeftOvers(snapshots);
  const copy = join(snapshots, unfinishedName(owner));
  try {
    await cp(folder, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
    return copy;
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    throw error;
  }
}
