import { access, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Present while a fetch runs: where a process died, the copy may be in any state. */
const MARK = 'docent-fetching';
/** Git is slow with more; a new copy has one or two. */
const MAX_PACKS = 60;

/** Without the content of files, which is fetched when it is read. The address is not stored. */
const CONFIG = `[core]
repositoryformatversion = 1
bare = true
[extensions]
partialclone = docent
[remote "docent"]
promisor = true
partialclonefilter = blob:none
`;

/**
 * Creates the copy of a repository if it is missing or doubtful, and notes that it is being
 * changed.
 */
export async function prepareCopy(copy: string): Promise<void> {
  if (await exists(join(copy, MARK))) await rm(copy, { recursive: true, force: true });
  if (!(await exists(join(copy, 'config')))) {
    for (const folder of ['objects/pack', 'objects/info', 'refs/docent'])
      await mkdir(join(copy, folder), { recursive: true });
    await writeFile(join(copy, 'HEAD'), 'ref: refs/docent/none\n');
    await writeFile(join(copy, 'config'), CONFIG);
  }
  await writeFile(join(copy, MARK), '');
}

/** Notes that the copy is whole. */
export async function endFetch(copy: string): Promise<void> {
  const now = new Date();
  await utimes(copy, now, now);
  await rm(join(copy, MARK), { force: true });
}

interface CopyLimits {
  /** Of one copy. */
  maxBytes: number;
  /** Of all. */
  cacheBytes: number;
  /** The copy that the caller uses. */
  current: string;
  /** Whether somebody uses the copy with this id. */
  isBusy: (id: string) => boolean;
}

/**
 * Deletes copies that are too large or have too many parts, then those that were not used for
 * longest.
 */
export async function keepCopiesWithin(
  root: string,
  { maxBytes, cacheBytes, current, isBusy }: CopyLimits,
): Promise<void> {
  const copies = [];
  for (const name of await readdir(root))
    if (name.endsWith('.git')) copies.push(await measure(root, name));
  copies.sort((a, b) => b.usedAt - a.usedAt);
  let total = 0;
  for (const { name, bytes, packs } of copies) {
    total += bytes;
    const id = name.slice(0, -'.git'.length);
    const isBad = packs > MAX_PACKS || bytes > 2 * maxBytes;
    if (id === current ? isBad : (isBad || total > cacheBytes) && !isBusy(id)) {
      await rm(join(root, name), { recursive: true, force: true });
      total -= bytes;
    }
  }
}

async function measure(root: string, name: string) {
  const files = await readdir(join(root, name, 'objects', 'pack')).catch(() => []);
  const large = await readdir(lfsFolder(join(root, name))).catch(() => []);
  const sizes = await Promise.all(
    [
      ...files.map((file) => join(root, name, 'objects', 'pack', file)),
      ...large.map((file) => join(lfsFolder(join(root, name)), file)),
    ].map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const usedAt = await stat(join(root, name)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { name, usedAt, bytes, packs: files.filter((file) => file.endsWith('.pack')).length };
}

/** Where a copy keeps the content of files in Git LFS. */
export const lfsFolder = (copy: string) => join(copy, 'lfs');

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
