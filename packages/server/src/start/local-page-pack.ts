import { createHash } from 'node:crypto';
import { mkdir, readdir, realpath, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MAX_PARTS_BYTES } from '@docent/compiler/bundle/kept-parts.ts';
import { MAX_PACK_BYTES, type PagePackFiles } from '@docent/compiler/pages/page-pack.ts';

/** A larger bundle is not kept. */
export const MAX_BUNDLE_BYTES = 256 * 1024 * 1024;
/** Of the packs of all sites together, and of the bundles; that of the next build included. */
const MAX_FOLDER_BYTES = 1024 * 1024 * 1024;
/** A part that a killed command left is as old as this at least. */
const UNFINISHED_MS = 24 * 60 * 60 * 1000;

/** The folder of this user for what commands may compute or fetch again. */
export function localCacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'docent');
}

/** What a site is compiled for: pages that are only checked have no highlighted code. */
export type PackUse = 'site' | 'check';

/**
 * Returns where the compiled pages of a documentation folder are kept between commands, and makes
 * room there: the packs that were not used for longest are deleted. Two commands at once each
 * replace the pack as a whole.
 * @param isEnabled `false` for `--no-cache`
 * @returns undefined if nothing is kept, also because the cache folder cannot be used
 */
export async function localPagePack(
  env: NodeJS.ProcessEnv,
  root: string,
  use: PackUse,
  isEnabled = true,
): Promise<PagePackFiles | undefined> {
  if (!isEnabled) return undefined;
  const name = `${use} ${await realpath(root)}`;
  const file = await keptFile(env, 'pages', { name, ending: 'pack', maxBytes: MAX_PACK_BYTES });
  return file === undefined ? undefined : { from: file, to: file };
}

/**
 * Returns where the finished bundle of a documentation folder is kept between commands: the last
 * for each set of options. Makes room as for the pages.
 * @param name names the folder and the options
 * @returns undefined if the cache folder cannot be used
 */
export function localBundle(env: NodeJS.ProcessEnv, name: string): Promise<string | undefined> {
  return keptFile(env, 'bundles', { name, ending: 'bundle', maxBytes: MAX_BUNDLE_BYTES });
}

/** The same for the parts of the last bundle, which the next one takes over if they are unchanged. */
export function localBundleParts(
  env: NodeJS.ProcessEnv,
  name: string,
): Promise<string | undefined> {
  return keptFile(env, 'bundles', { name, ending: 'parts', maxBytes: MAX_PARTS_BYTES });
}

async function keptFile(
  env: NodeJS.ProcessEnv,
  kind: string,
  { name, ending, maxBytes }: { name: string; ending: string; maxBytes: number },
): Promise<string | undefined> {
  const folder = join(localCacheFolder(env), kind);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const hash = createHash('sha256').update(name).digest('hex');
    const file = join(folder, `${hash.slice(0, 32)}.${ending}`);
    await makeRoom(folder, file, maxBytes);
    const now = new Date();
    await utimes(file, now, now).catch(() => {});
    return file;
  } catch {
    return undefined;
  }
}

async function makeRoom(folder: string, current: string, maxBytes: number): Promise<void> {
  const names = await readdir(folder);
  const entries = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      // Another command may have deleted it.
      const info = await stat(path).catch(() => undefined);
      return { path, sizeBytes: info?.size ?? 0, usedMs: info?.mtimeMs ?? 0 };
    }),
  );
  let leftBytes = MAX_FOLDER_BYTES - maxBytes;
  for (const { path, sizeBytes, usedMs } of entries.sort((a, b) => b.usedMs - a.usedMs)) {
    const isAbandoned = path.endsWith('.part') && Date.now() - usedMs > UNFINISHED_MS;
    if (path !== current) leftBytes -= sizeBytes;
    if (isAbandoned || (path !== current && leftBytes < 0)) await rm(path, { force: true });
  }
}
