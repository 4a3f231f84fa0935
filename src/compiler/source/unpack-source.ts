import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readSourceArchive } from './source-archive.ts';

/**
 * Unpacks an uploaded source into an empty folder.
 * @returns the content root: the folder itself, or the single folder in it that contains the configuration
 * @throws DocentError `invalid_archive`, naming the entry
 */
export async function unpackSource(archive: AsyncIterable<Uint8Array>, folder: string): Promise<string> {
  const made = new Set<string>();
  for await (const { path, bytes } of readSourceArchive(archive, {}, (path) => readFile(join(folder, path)))) {
    const target = join(folder, path);
    const parent = dirname(target);
    if (!made.has(parent)) await mkdir(parent, { recursive: true });
    made.add(parent);
    await writeFile(target, bytes);
  }
  return findContentRoot(folder);
}

/** Archives of a repository often contain a single folder with everything in it. */
async function findContentRoot(folder: string): Promise<string> {
  if (await hasConfig(folder)) return folder;
  const entries = await readdir(folder, { withFileTypes: true });
  const [only] = entries;
  if (entries.length !== 1 || !only?.isDirectory()) return folder;
  const inner = join(folder, only.name);
  return (await hasConfig(inner)) ? inner : folder;
}

async function hasConfig(folder: string): Promise<boolean> {
  const found = await Promise.all(['docs.json', 'mint.json'].map((name) => stat(join(folder, name)).catch(() => undefined)));
  return found.some((one) => one?.isFile());
}
