import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { TextSpool } from '../../compiler/bundle/text-spool.ts';
import type { FetchOutside } from '../../compiler/outside/outside.ts';
import { buildOffThread } from '../../compiler/process/build-off-thread.ts';
import { DocentError } from '../../core/errors.ts';
import type { FileEntry, SiteBuild } from '../../core/site-build.ts';
import { gitFactsOf } from '../git-facts.ts';
import type { Output } from '../output.ts';

/** A build made locally, with its files in a temporary folder. */
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
  const held = new TextSpool<string>();
  // Files arrive concurrently and are written one after another.
  let adding = Promise.resolve();
  const build = await buildOffThread(
    root,
    (bytes, file) => {
      adding = adding.then(() => held.add(file.sha256, bytes));
      return adding;
    },
    {
      threads: availableParallelism(),
      fetchOutside,
      gitFacts: await gitFactsOf(root),
      onProgress: (done, total) => output.progress(`Building: ${done} of ${total} pages`),
    },
  );
  await held.flush();
  return {
    build,
    async readFile(file) {
      if (!held.has(file.sha256)) throw new Error(`The build has no file ${file.sha256}.`);
      return held.readWhole(file.sha256);
    },
  };
}
