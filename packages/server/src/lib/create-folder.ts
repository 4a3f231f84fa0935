import { access, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder with its parents, each for its owner only, unless it exists. The recursive form
 * of `mkdir` never ends where a file system says ENOENT for a new folder in an existing one, as
 * `/proc` and folders that are mounted on demand do.
 * @throws Error with the `code` of the system if it cannot be created
 */
export async function createFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || (await exists(dirname(path)))) throw error;
    await createFolder(dirname(path));
    await createFolder(path);
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
