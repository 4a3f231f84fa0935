import { fileKey } from '@docent/compiler/files/file-sink.ts';
import { searchScriptsKey } from '@docent/compiler/site/stored-search-scripts.ts';
import { readSiteBuild, type SiteBuild } from '@docent/format/build/site-build.ts';
import type { Deps } from '../kernel/deps.ts';
import type { BackgroundTask } from '../kernel/jobs/retry.ts';
import type { CachedBlobStore } from '../ports/blob-store.ts';
import { listLiveBuilds } from '../publishing/published-builds.ts';

const LOOK_EVERY_MS = 5000;
const FIRST_MS = 1000;
/**
 * How often the files of all live builds count as used, so that those of former builds are evicted
 * first.
 */
const AGAIN_MS = 60 * 60 * 1000;
/** Of the cache; the rest is for what else readers request. */
const MAX_SHARE = 0.8;
const FILES_AT_ONCE = 4;

interface File {
  key: string;
  sizeBytes?: number;
}

/**
 * Fetches the files of live sites into the cache ahead of their readers, the most recently
 * published sites first, as many as fit. So a page that this process has not served yet is there
 * while the store is unavailable.
 */
export function keepLiveFiles(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  store: CachedBlobStore,
  isLeaving: () => boolean,
): BackgroundTask {
  let keptBytes = new Map<string, number>();
  let startedAt = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    const now = clock.now().getTime();
    if (now - startedAt >= AGAIN_MS) {
      keptBytes = new Map();
      startedAt = now;
    }
    const live = (await listLiveBuilds(database.queries)).sort((a, b) =>
      a.deploymentId < b.deploymentId ? 1 : -1,
    );
    keptBytes = new Map(
      live.flatMap(({ deploymentId: id }) =>
        keptBytes.has(id) ? [[id, keptBytes.get(id) as number]] : [],
      ),
    );
    for (const { deploymentId, manifestKey } of live) {
      const room =
        store.figures.maxBytes * MAX_SHARE -
        keptBytes.values().reduce((sum, bytes) => sum + bytes, 0);
      if (isLeaving() || room <= 0) return;
      if (!keptBytes.has(deploymentId))
        keptBytes.set(deploymentId, await keepBuild(store, manifestKey, { room, isLeaving }));
    }
  }

  return {
    run,
    everyMs: LOOK_EVERY_MS,
    firstMs: FIRST_MS,
    failure: 'files of live sites could not be copied to the cache',
  };
}

/** @returns the bytes of the build's files in the cache */
async function keepBuild(
  store: CachedBlobStore,
  manifestKey: string,
  { room, isLeaving }: { room: number; isLeaving: () => boolean },
): Promise<number> {
  let bytes = await store.keep(manifestKey);
  const manifest = await store.read(manifestKey);
  if (!manifest) return bytes;
  const files = filesOf(readSiteBuild(new TextDecoder().decode(manifest))).values();
  const work = async () => {
    for (const { key, sizeBytes } of files) {
      if (isLeaving() || bytes > room) return;
      bytes += await store.keep(key, sizeBytes);
    }
  };
  // They take turns with one iterator.
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, work));
  return bytes;
}

/** Returns the files of a build in the order in which readers need them: pages before pictures. */
function filesOf(build: SiteBuild): File[] {
  const { pages, searchIndex, files, restricted } = build;
  const restrictedFiles = restricted
    ? [
        ...restricted.pages.map(({ content }) => content),
        restricted.searchIndex,
        ...Object.values(restricted.files),
      ]
    : [];
  const entries = [
    ...pages.map(({ content }) => content),
    searchIndex,
    ...Object.values(files),
    ...restrictedFiles,
  ];
  const ownFiles = entries
    .filter(({ sha256 }) => sha256 !== '')
    .map((file) => ({ key: fileKey(file), sizeBytes: file.sizeBytes }));
  return [...ownFiles, { key: searchScriptsKey(searchIndex) }];
}
