import type { FileEntry, SiteBuild } from '../../core/site-build.ts';
import { findNewestManifest } from '../../db/deployments/kept-builds.ts';
import { pastStorageQuota, roomOf } from '../access/quotas.ts';
import type { Deps } from '../deps.ts';

const HASHES = /[0-9a-f]{64}/g;

/** Checks the storage of one build against the quota of its organization. */
export interface BuildStorage {
  /** Bytes written for it so far. */
  readonly writtenBytes: number;
  /** @throws DocentError `quota_exceeded` if the file no longer fits */
  add(file: FileEntry): void;
  /**
   * Measures the finished build.
   * @throws DocentError `quota_exceeded`
   */
  measure(build: SiteBuild, manifestBytes: number): Promise<{ buildBytes: number; addedBytes: number }>;
}

export async function openBuildStorage(
  { database, blobs, config }: Pick<Deps, 'database' | 'blobs' | 'config'>,
  { organisationId, siteId }: { organisationId: string; siteId: string },
): Promise<BuildStorage> {
  const room = await roomOf(database.queries, config, organisationId, siteId);
  let writtenBytes = 0;
  const requireRoom = (bytes: number) => {
    if (bytes > room) throw pastStorageQuota(config, 'This build');
  };
  return {
    get writtenBytes() {
      return writtenBytes;
    },
    add({ sizeBytes }) {
      writtenBytes += sizeBytes;
      requireRoom(writtenBytes);
    },
    async measure(build, manifestBytes) {
      const sizes = new Map(filesOf(build).map(({ sha256, sizeBytes }) => [sha256, sizeBytes]));
      const sumOf = (hashes: Iterable<string>) => [...hashes].reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), manifestBytes);
      const buildBytes = sumOf(sizes.keys());
      requireRoom(buildBytes);
      const manifestKey = await findNewestManifest(database.queries, siteId);
      const before = manifestKey && (await blobs.read(manifestKey));
      const had = new Set(before ? Buffer.from(before).toString('latin1').match(HASHES) : []);
      return { buildBytes, addedBytes: sumOf([...sizes.keys()].filter((hash) => !had.has(hash))) };
    },
  };
}

function filesOf(build: SiteBuild): FileEntry[] {
  return [build.searchIndex, ...build.pages.map(({ content }) => content), ...Object.values(build.files)];
}
