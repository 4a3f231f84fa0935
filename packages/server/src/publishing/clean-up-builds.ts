import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@docent/format/analytics/days.ts';
import { readSharedBytes } from '../kernel/access/stored-bytes.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import { inGroups } from '../kernel/list-pages.ts';
import { deploymentOfManifest, MANIFEST_FOLDER } from '../kernel/sites/site-blobs.ts';
import {
  besideNoBuild,
  deleteBuildBytes,
  deleteBuildRecords,
  deleteSourceBytes,
  findNamedSources,
  findNeededSources,
  listStoredBuilds,
  type StoredBuild,
} from './kept-build-queries.ts';
import { deleteOldDeployments, deleteOldReports } from './old-deployment-queries.ts';

type CleanUpDeps = Pick<Deps, 'database' | 'blobs' | 'jobs' | 'clock' | 'config' | 'logger'>;

const HOUR_MS = 3_600_000;
/** Long after readers and process caches have stopped using a build that is no longer live. */
const LEFT_ALONE_MS = HOUR_MS;
/** No build takes this long; one that started before was lost with its process. */
const MAX_BUILD_MS = 24 * HOUR_MS;

/** What builds consist of. Each key contains the hash of its content. */
const BUILD_FOLDERS = ['files/', 'search-parts/', 'vectors/'];
const HASH = /[0-9a-f]{64}/;
const HASHES = new RegExp(HASH, 'g');

/**
 * Returns the builds that are no longer needed: not live, shown by a preview, pinned or being
 * exported, and not among the last
 * `kept` of their site, all for at least an hour. Of a preview only the shown build is needed.
 * @param builds grouped by site, newest first
 */
export function oldBuilds(builds: readonly StoredBuild[], kept: number, now: Date): StoredBuild[] {
  const byTarget = Map.groupBy(
    builds,
    ({ siteId, previewId }) => `${siteId} ${previewId}`,
  ).values();
  return [...byTarget].flatMap((ofTarget) =>
    ofTarget.filter((build, rank) => {
      const keptHere = build.previewId === null ? kept : 1;
      if (rank < keptHere || build.isInUse) return false;
      const replacedBy = ofTarget[rank - keptHere] as StoredBuild;
      return now.getTime() - replacedBy.publishedAt.getTime() >= LEFT_ALONE_MS;
    }),
  );
}

/**
 * For all who are accountable for organizations over their quota: the oldest unused builds, until
 * the rest fits.
 */
async function buildsBeyondQuota(
  { database, config }: CleanUpDeps,
  builds: readonly StoredBuild[],
  now: Date,
): Promise<StoredBuild[]> {
  const beyond: StoredBuild[] = [];
  for (const organizationBuilds of Map.groupBy(builds, (build) => build.accountable).values()) {
    const { organizationId } = organizationBuilds[0] as StoredBuild;
    const { sources, bundles } = await readSharedBytes(database.queries, organizationId);
    beyond.push(
      ...spareBuildsBeyond(organizationBuilds, config.quotas.storedBytes - sources - bundles, now),
    );
  }
  return beyond;
}

/**
 * Returns the builds to delete so that the others fit, oldest first.
 * @param builds those of one organization, grouped by site, newest first
 */
export function spareBuildsBeyond(
  builds: readonly StoredBuild[],
  roomBytes: number,
  now: Date,
): StoredBuild[] {
  const bySite = [...Map.groupBy(builds, ({ siteId }) => siteId).values()];
  // The oldest build of a site accounts for the files that all of them share.
  const bytesOf = (site: readonly StoredBuild[]) =>
    site.reduce(
      (sum, build, rank) => sum + (rank === site.length - 1 ? build.buildBytes : build.addedBytes),
      0,
    );
  const gone: StoredBuild[] = [];
  for (;;) {
    const left = bySite.map((site) => site.filter((build) => !gone.includes(build)));
    if (left.reduce((sum, site) => sum + bytesOf(site), 0) <= roomBytes) return gone;
    const spare = left.flatMap((site) =>
      site
        .slice(1)
        .filter(
          (build) =>
            !build.isInUse &&
            now.getTime() - (site[0] as StoredBuild).publishedAt.getTime() >= LEFT_ALONE_MS,
        ),
    );
    const oldest = spare.sort((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime())[0];
    if (!oldest) return gone;
    gone.push(oldest);
  }
}

/** Returns after a pause; with `false` once it has been asked for too long. */
type Patience = () => Promise<boolean>;

/**
 * On a busy server, moments without a build are short: a clean-up waits for one instead of trying
 * at one moment of an hour.
 */
function patience(maxWaitMs = 0.5 * HOUR_MS, pauseMs = 1000): Patience {
  const endsAt = performance.now() + maxWaitMs;
  return async () => {
    if (performance.now() > endsAt) return false;
    await sleep(pauseMs, undefined, { ref: false });
    return true;
  };
}

/** What must not be deleted: every stored build, and what their manifests name. */
interface KeptFiles {
  manifests: Set<string>;
  hashes: Set<string>;
}

/**
 * Deletes old builds, and with them every file, split search index and vector that no build needs
 * any more. Everything is checked against all manifests, and only deleted at moments when no site
 * is built; if there is none for half an hour, the next run does it.
 * @param wait between two tries
 */
export async function cleanUpBuilds(deps: CleanUpDeps, wait: Patience = patience()): Promise<void> {
  const { database, clock, config, logger } = deps;
  const { queries } = database;
  const stored = await listStoredBuilds(queries);
  const now = clock.now();
  const old = [
    ...oldBuilds(stored, config.keptDeployments, now),
    ...(await buildsBeyondQuota(deps, stored, now)),
  ];
  await deleteBuildRecords(
    queries,
    old.map(({ deploymentId }) => deploymentId),
  );
  const manifests = new Set(
    (await listStoredBuilds(queries)).map(({ manifestKey }) => manifestKey),
  );
  const forgotten = await forgottenManifests(deps, manifests);
  if (forgotten.length === 0) return;
  const kept: KeptFiles = { manifests, hashes: await hashesNamedIn(deps, manifests) };
  const isNeeded = (key: string) => kept.hashes.has(HASH.exec(key)?.[0] ?? '') || !HASH.test(key);
  const notNow = () =>
    logger.warn({}, 'old builds were not deleted: sites were being built all the time');
  let deleted = 0;
  for (const folder of BUILD_FOLDERS) {
    for await (const keys of inGroups(deps.blobs.list(folder))) {
      const gone = await deleteBesideBuilds(deps, kept, { keys, isNeeded, wait });
      if (!gone) return notNow();
      deleted += gone.length;
    }
  }
  // Last: as long as one of them exists, an interrupted clean-up continues. A build that was
  // published meanwhile needs its own.
  const isKnown = (key: string) => kept.manifests.has(key);
  const gone = await deleteBesideBuilds(deps, kept, { keys: forgotten, isNeeded: isKnown, wait });
  if (!gone) return notNow();
  await deleteBuildBytes(queries, gone.map(deploymentOfManifest));
  logger.info({ builds: gone.length, files: deleted }, 'old builds were deleted');
}

/**
 * Returns manifests that no deployment refers to; one whose deployment is being built has no
 * reference yet.
 */
async function forgottenManifests(
  { blobs }: CleanUpDeps,
  manifestKeys: ReadonlySet<string>,
): Promise<string[]> {
  const forgotten: string[] = [];
  for await (const key of blobs.list(MANIFEST_FOLDER))
    if (!manifestKeys.has(key)) forgotten.push(key);
  return forgotten;
}

/**
 * A manifest that is missing names nothing any more: its build must be made again, which writes its
 * files again.
 */
async function hashesNamedIn(
  { blobs, logger }: CleanUpDeps,
  manifestKeys: Iterable<string>,
): Promise<Set<string>> {
  const hashes = new Set<string>();
  for (const key of manifestKeys) {
    const bytes = await blobs.read(key);
    if (!bytes) {
      logger.warn(
        { deploymentId: deploymentOfManifest(key), key },
        'The manifest of a build is missing from the file store; rebuild the site. "docent verify-store" lists everything that is missing.',
      );
      continue;
    }
    for (const [hash] of Buffer.from(bytes).toString('latin1').matchAll(HASHES)) hashes.add(hash);
  }
  return hashes;
}

/**
 * Deletes what is not needed, at a moment when nothing is built. Builds that were published
 * meanwhile are learned first.
 * @returns the deleted keys; `undefined` if there was no such moment
 */
async function deleteBesideBuilds(
  deps: CleanUpDeps,
  kept: KeptFiles,
  {
    keys,
    isNeeded,
    wait,
  }: { keys: readonly string[]; isNeeded: (key: string) => boolean; wait: Patience },
): Promise<string[] | undefined> {
  for (;;) {
    const needless = keys.filter((key) => !isNeeded(key));
    if (needless.length === 0) return [];
    const begunAfter = new Date(deps.clock.now().getTime() - MAX_BUILD_MS);
    const outcome = await besideNoBuild(
      deps.database.queries,
      { known: kept.manifests, begunAfter },
      async () => {
        await Promise.all(needless.map((key) => deps.blobs.delete(key)));
      },
    );
    if (outcome === 'done') return needless;
    if (outcome === 'building') {
      if (!(await wait())) return undefined;
      continue;
    }
    for (const hash of await hashesNamedIn(deps, outcome)) kept.hashes.add(hash);
    for (const key of outcome) kept.manifests.add(key);
  }
}

/**
 * Deletes what old deployments without a build have left in the database: first their reports,
 * later their rows.
 */
export async function cleanUpDeployments({
  database,
  clock,
  config,
  logger,
}: CleanUpDeps): Promise<void> {
  const before = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  const reports = await deleteOldReports(database.queries, before(config.deploymentReportDays));
  const deployments = await deleteOldDeployments(database.queries, before(config.deploymentDays));
  if (reports + deployments > 0)
    logger.info({ reports, deployments }, 'old deployments were deleted');
}

const UPLOAD_FOLDER = 'uploads/';
const ULID_TIME_LENGTH = 10;
/** An upload has no deployment until it is complete; none takes this long. */
const MAX_UPLOAD_MS = 24 * HOUR_MS;

/** Returns the blob key of a deployment's archive. */
export function sourceKeyOf(deploymentId: string): string {
  return `${UPLOAD_FOLDER}${deploymentId}.tar.gz`;
}

/**
 * Deletes uploaded sources that will not be built again: of deployments that ended over an hour
 * ago, except the newest of each site, and those that no deployment refers to.
 */
export async function cleanUpUploads({
  database,
  blobs,
  clock,
  logger,
}: Pick<Deps, 'database' | 'blobs' | 'clock' | 'logger'>): Promise<void> {
  const now = clock.now().getTime();
  const needed = await findNeededSources(database.queries, new Date(now - HOUR_MS));
  const newestTime = createUlid(new Date(now - MAX_UPLOAD_MS)).slice(0, ULID_TIME_LENGTH);
  let deleted = 0;
  for await (const keys of inGroups(blobs.list(UPLOAD_FOLDER))) {
    const namedSources = await findNamedSources(database.queries, keys);
    const isOld = (key: string) =>
      key.slice(UPLOAD_FOLDER.length).slice(0, ULID_TIME_LENGTH) < newestTime;
    const needless = keys.filter((key) => (namedSources.has(key) ? !needed.has(key) : isOld(key)));
    await Promise.all(needless.map((key) => blobs.delete(key)));
    await deleteSourceBytes(database.queries, needless);
    deleted += needless.length;
  }
  if (deleted > 0)
    logger.info({ files: deleted }, 'uploaded sources of earlier builds were deleted');
}
