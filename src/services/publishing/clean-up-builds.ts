import { errorMessage } from '../../core/error-message.ts';
import { besideNoBuild, forgetBuilds, listStoredBuilds, type StoredBuild } from '../../db/deployments/kept-builds.ts';
import { forgetBuildBytes, readStoredBytes } from '../../db/stored-bytes.ts';
import type { Deps } from '../deps.ts';
import { deploymentOfManifest, MANIFEST_FOLDER } from '../exports/manifest-key.ts';
import { inGroups } from '../in-groups.ts';
import { cleanUpUploads } from './clean-up-uploads.ts';
import { publishSlots } from './slots.ts';

type CleanUpDeps = Pick<Deps, 'database' | 'blobs' | 'jobs' | 'clock' | 'config' | 'logger'>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Readers, and what a process holds of a site, are done with a build that is not live any more long before. */
const LEFT_ALONE_MS = HOUR_MS;
/** No build takes so long; one that was begun before was lost with its process. */
const MAX_BUILD_MS = 24 * HOUR_MS;
const FIRST_CLEAN_UP_MS = 2 * MINUTE_MS;
const KEYS_AT_A_TIME = 200;

/** What builds consist of. Each key names the content that it belongs to. */
const BUILD_FOLDERS = ['files/', 'search-parts/', 'vectors/'];
const HASH = /[0-9a-f]{64}/;
const HASHES = new RegExp(HASH, 'g');

/**
 * The builds that nobody needs: not live, shown by a preview, pinned or being exported, none of the last `kept` of their site, and so
 * for an hour at least. Of a preview only what it shows is needed.
 * @param builds those of one site together, the newest first
 */
export function oldBuilds(builds: readonly StoredBuild[], kept: number, now: Date): StoredBuild[] {
  const byTarget = Map.groupBy(builds, ({ siteId, previewId }) => `${siteId} ${previewId}`).values();
  return [...byTarget].flatMap((ofTarget) =>
    ofTarget.filter((build, rank) => {
      const keptHere = build.previewId === null ? kept : 1;
      if (rank < keptHere || build.isInUse) return false;
      const replacedBy = ofTarget[rank - keptHere] as StoredBuild;
      return now.getTime() - replacedBy.publishedAt.getTime() >= LEFT_ALONE_MS;
    }),
  );
}

/** Of each organisation that stores more than it may: the oldest builds that nobody reads, until the rest fits. */
async function buildsBeyondQuota(
  { database, config }: CleanUpDeps,
  builds: readonly StoredBuild[],
  now: Date,
): Promise<StoredBuild[]> {
  const beyond: StoredBuild[] = [];
  for (const [organisationId, own] of Map.groupBy(builds, (build) => build.organisationId)) {
    const { sources, bundles } = await readStoredBytes(database.queries, organisationId);
    beyond.push(...spareBuildsBeyond(own, config.quotas.storedBytes - sources - bundles, now));
  }
  return beyond;
}

/**
 * The builds that have to go so that the others fit, the oldest first.
 * @param builds those of one organisation, those of one site together, the newest first
 */
export function spareBuildsBeyond(builds: readonly StoredBuild[], roomBytes: number, now: Date): StoredBuild[] {
  const bySite = [...Map.groupBy(builds, ({ siteId }) => siteId).values()];
  // The oldest build of a site holds what all of them share.
  const bytesOf = (site: readonly StoredBuild[]) =>
    site.reduce((sum, build, rank) => sum + (rank === site.length - 1 ? build.buildBytes : build.addedBytes), 0);
  const gone: StoredBuild[] = [];
  for (;;) {
    const left = bySite.map((site) => site.filter((build) => !gone.includes(build)));
    if (left.reduce((sum, site) => sum + bytesOf(site), 0) <= roomBytes) return gone;
    const spare = left.flatMap((site) =>
      site
        .slice(1)
        .filter((build) => !build.isInUse && now.getTime() - (site[0] as StoredBuild).publishedAt.getTime() >= LEFT_ALONE_MS),
    );
    const oldest = spare.sort((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime())[0];
    if (!oldest) return gone;
    gone.push(oldest);
  }
}

/**
 * Deletes old builds, and with them every file, cut search index and vector of builds that no build needs any more. What is
 * deleted was found needless by all manifests, and only while nothing is published; else the next time does it.
 */
export async function cleanUpBuilds(deps: CleanUpDeps): Promise<void> {
  const { database, clock, config, logger } = deps;
  const { queries } = database;
  const stored = await listStoredBuilds(queries);
  const now = clock.now();
  const old = [...oldBuilds(stored, config.keptDeployments, now), ...(await buildsBeyondQuota(deps, stored, now))];
  await forgetBuilds(
    queries,
    old.map(({ deploymentId }) => deploymentId),
  );
  const known = new Set((await listStoredBuilds(queries)).map(({ manifestKey }) => manifestKey));
  const forgotten = await forgottenManifests(deps, known);
  if (forgotten.length === 0) return;
  const needed = await hashesNamedIn(deps, known);
  const isNeeded = (key: string) => needed.has(HASH.exec(key)?.[0] ?? '') || !HASH.test(key);
  let deleted = 0;
  for (const folder of BUILD_FOLDERS) {
    for await (const keys of inGroups(deps.blobs.list(folder), KEYS_AT_A_TIME)) {
      const needless = keys.filter((key) => !isNeeded(key));
      if (!(await deleteSafely(deps, known, needless))) return;
      deleted += needless.length;
    }
  }
  // Last: while one of them is there, an interrupted clean-up continues.
  if (!(await deleteSafely(deps, known, forgotten))) return;
  await forgetBuildBytes(queries, forgotten.map(deploymentOfManifest));
  logger.info({ builds: forgotten.length, files: deleted }, 'old builds were deleted');
}

/** Manifests that no deployment leads to; one whose deployment is being built does not lead to it yet. */
async function forgottenManifests({ blobs }: CleanUpDeps, known: ReadonlySet<string>): Promise<string[]> {
  const forgotten: string[] = [];
  for await (const key of blobs.list(MANIFEST_FOLDER)) if (!known.has(key)) forgotten.push(key);
  return forgotten;
}

async function hashesNamedIn({ blobs }: CleanUpDeps, manifestKeys: Iterable<string>): Promise<Set<string>> {
  const hashes = new Set<string>();
  for (const key of manifestKeys) {
    const bytes = await blobs.read(key);
    if (!bytes) throw new Error(`The manifest ${key} is missing from the blob store; nothing is deleted.`);
    for (const [hash] of Buffer.from(bytes).toString('latin1').matchAll(HASHES)) hashes.add(hash);
  }
  return hashes;
}

/** @returns whether it was possible now */
async function deleteSafely(
  { database, blobs, clock }: CleanUpDeps,
  known: ReadonlySet<string>,
  keys: readonly string[],
): Promise<boolean> {
  if (keys.length === 0) return true;
  const begunAfter = new Date(clock.now().getTime() - MAX_BUILD_MS);
  return besideNoBuild(database.queries, { known, begunAfter }, async () => {
    await Promise.all(keys.map((key) => blobs.delete(key)));
  });
}

/** Does so from time to time. Any number of processes may do it at once. */
export function keepCleaningUpBuilds(deps: CleanUpDeps): { stop(): void } {
  const guarded = (work: (deps: CleanUpDeps) => Promise<void>, failure: string) => () =>
    work(deps).catch((error: unknown) => {
      deps.logger.warn({ reason: errorMessage(error) }, failure);
    });
  const deleteOldBuilds = guarded(cleanUpBuilds, 'old builds were not deleted');
  const deleteOldUploads = guarded(cleanUpUploads, 'old uploads were not deleted');
  const fill = guarded(publishSlots.fillAll, 'waiting deployments were not brought forward');
  // Not with the start itself, which has enough to do.
  const timers = [
    setTimeout(deleteOldBuilds, FIRST_CLEAN_UP_MS),
    setTimeout(deleteOldUploads, FIRST_CLEAN_UP_MS),
    setInterval(deleteOldBuilds, HOUR_MS),
    setInterval(deleteOldUploads, HOUR_MS),
    setInterval(fill, MINUTE_MS),
  ];
  for (const timer of timers) timer.unref();
  return {
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
