import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { buildInProcess } from '../build/build-in-process.ts';
import type { FetchOutside } from '../build/outside.ts';
import { DocentError } from '../core/errors.ts';
import type { FileEntry, SiteBuild } from '../core/site-build.ts';
import type { Output } from './output.ts';

/** A build that was made here and now, with its files in memory. */
export interface FolderBuild {
  build: SiteBuild;
  readFile: (file: FileEntry) => Promise<Uint8Array>;
}

/**
 * Builds a documentation folder for the commands that need no platform.
 * @param fetchOutside as in `BuildOptions`
 */
export async function buildFolder(folder: string, output: Output, fetchOutside?: FetchOutside): Promise<FolderBuild> {
  const root = resolve(folder);
  const found = await stat(root).catch(() => undefined);
  if (!found?.isDirectory()) throw new DocentError('build_failed', `There is no folder ${folder}.`);
  const held = new Map<string, Uint8Array>();
  const build = await buildInProcess(
    root,
    async (bytes, file) => {
      held.set(file.sha256, bytes);
    },
    {
      threads: availableParallelism(),
      fetchOutside,
      onProgress: (done, total) => output.progress(`Building: ${done} of ${total} pages`),
    },
  );
  return {
    build,
    async readFile(file) {
      const bytes = held.get(file.sha256);
      if (!bytes) throw new Error(`The build has no file ${file.sha256}.`);
      return bytes;
    },
  };
}
