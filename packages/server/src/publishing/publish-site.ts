import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileKey } from '@docent/compiler/files/file-sink.ts';
import { buildToFile } from '@docent/compiler/off-thread/build-off-thread.ts';
import { MAX_PACK_BYTES, type PagePackFiles } from '@docent/compiler/pages/page-pack.ts';
import { BuildKilled } from '@docent/compiler/process/build-limits.ts';
import type { BuildSummary, FormerBuilds } from '@docent/compiler/site/build-summary.ts';
import { searchScriptsKey } from '@docent/compiler/site/stored-search-scripts.ts';
import type { BuildReport, FileEntry } from '@docent/format/build/site-build.ts';
import { DEPENDENCIES, type Dependency } from '@docent/format/dependencies.ts';
import { countText } from '@docent/format/diagnostics.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import { addFigure } from '@docent/format/figures.ts';
import { outageOf } from '@docent/format/outages.ts';
import { pastStorageQuota, roomOf } from '../kernel/access/quotas.ts';
import type { Deps } from '../kernel/deps.ts';
import { requireWritableForms } from '../kernel/jobs/fleet.ts';
import { type Attempt, runAttempt } from '../kernel/jobs/run-attempt.ts';
import { publishSlots, type SlotDeps } from '../kernel/jobs/slots.ts';
import { manifestKeyOf, outsideFolderOf, pagePackKeyOf } from '../kernel/sites/site-blobs.ts';
import { findSite } from '../kernel/sites/site-queries.ts';
import { createOutsideFetcher } from '../outside/outside-fetcher.ts';
import type { Transaction } from '../ports/database.ts';
import type { JobContext } from '../ports/job-queue.ts';
import { embedSiteJob, findAnsweredJob } from '../ports/jobs.ts';
import { inSpan } from '../ports/telemetry.ts';
import { noteEndOfBuild } from '../sources/note-pull-requests.ts';
import { emitDeployment } from '../webhooks-out/emit/emit-event.ts';
import { checkProse } from './check-prose.ts';
import { fetchGitSource } from './fetch-git-source.ts';
import { type FollowedBuild, followBuild } from './follow-build.ts';
import { findNewestManifest } from './kept-build-queries.ts';
import { findLiveBuild } from './published-builds.ts';
import {
  beginDeployment,
  countDeploymentFailure,
  failDeployment,
  findDeploymentOfTurn,
  noteLeftBytes,
  postponeDeployment,
  publishDeployment,
  type StartedDeployment,
} from './queries.ts';
import { workFolder } from './work-folder.ts';

type PublishDeps = Pick<
  Deps,
  | 'database'
  | 'blobs'
  | 'clock'
  | 'config'
  | 'logger'
  | 'liveSites'
  | 'jobs'
  | 'embedder'
  | 'outsideFiles'
  | 'telemetry'
  | 'git'
  | 'secret'
  | 'installationTokens'
  | 'mailer'
  | 'proseLinter'
>;

const MAX_FAILURES = 3;

/**
 * Builds an uploaded source and makes it the live site. May run again from the beginning at any
 * time: files are stored by content, and only the last step changes what readers see.
 * @param turn the deployment that was enqueued, or superseded by the one that is built
 */
export async function publishSite(
  deps: PublishDeps,
  turn: string,
  context: JobContext,
): Promise<void> {
  const { database, clock, logger } = deps;
  const deployment = await database.queries.transaction().execute(async (transaction) => {
    const attempt = await beginDeployment(transaction, turn, clock.now());
    if (attempt?.attempts === 1) await emitDeployment(deps, transaction, 'started', attempt.id);
    return attempt;
  });
  if (!deployment) return;
  logger.info({ ...idsOf(deployment), attempt: deployment.attempts, turn }, 'publishing begins');
  await runAttempt(attemptOf(deps, deployment), context, logger);
}

function attemptOf(deps: PublishDeps, deployment: StartedDeployment): Attempt {
  const { database, clock, logger, blobs } = deps;
  const { id } = deployment;
  const startedAt = performance.now();
  const count = (outcome: string) => {
    addFigure('publishes', outcome);
    addFigure('publish_seconds', outcome, (performance.now() - startedAt) / 1000);
  };
  const followed = followBuild(deps, deployment);
  let storage: BuildStorage | undefined;
  /** Returns the bytes that a failed attempt has written, for whoever counts them first. */
  const takeLeftBytes = () => {
    const bytes = storage?.writtenBytes ?? 0;
    storage = undefined;
    return bytes;
  };
  /**
   * The same, and has the files deleted: a manifest without files does that
   * (`clean-up-builds.ts`), or, if the store is unavailable, the next one.
   */
  const discard = async () => {
    const bytes = takeLeftBytes();
    if (bytes > 0)
      await blobs.put(manifestKeyOf(id), new TextEncoder().encode('{}')).catch(() => {});
    return bytes;
  };
  return {
    async work(signal, beat) {
      await requireWritableForms(database.queries);
      storage = await openBuildStorage(deps, deployment);
      const parts = { storage, followed, beat };
      if (await publishOnce(deps, deployment, parts, signal)) count('success');
    },
    beat: followed.write,
    beatFailure: `the progress of the build ${id} could not be stored`,
    onError(error, waitingFor) {
      followed.log(describeFailure(error, waitingFor).summary);
      followed.end('failed');
    },
    onLost: async () => noteLeftBytes(database.queries, id, await discard()),
    async postpone(waitingFor) {
      count('waiting');
      const postponed = { waitingFor, leftBytes: takeLeftBytes(), now: clock.now() };
      await postponeDeployment(database.queries, deployment, postponed);
    },
    isFinal,
    async countFailure() {
      const counted = { leftBytes: await discard(), now: clock.now() };
      return countDeploymentFailure(database.queries, id, counted);
    },
    maxFailures: MAX_FAILURES,
    onRetry: () => publishSlots.charge(deps, deployment.organizationId, id),
    async fail(error) {
      count('failure');
      logger.warn({ ...idsOf(deployment), error: errorMessage(error) }, 'publishing failed');
      const leftBytes = await discard();
      const failed = { ...describeFailure(error), leftBytes, now: clock.now() };
      await endFailed(deps, deployment, failed);
    },
  };
}

/** @returns false if another attempt holds the deployment, or it has ended */
async function publishOnce(
  deps: PublishDeps,
  deployment: StartedDeployment,
  {
    storage,
    followed,
    beat,
  }: { storage: BuildStorage; followed: FollowedBuild; beat: () => Promise<void> },
  signal: AbortSignal,
): Promise<boolean> {
  const { clock, logger } = deps;
  const pages = await openKeptPages(deps, deployment);
  try {
    const parts = { pages: pages.files, storage, followed };
    const build = await inSpan(deps.telemetry, 'build site', () =>
      buildDeployment(deps, deployment, parts, signal),
    );
    const summary = summarize(build.report);
    followed.log(summary);
    followed.end('done');
    await beat();
    const manifestKey = manifestKeyOf(deployment.id);
    const done = { ...deployment, manifestKey, build, summary, now: clock.now() };
    const isPublished = await publishSlots.within(
      deps,
      deployment.organizationId,
      async (transaction) => {
        if (!(await publishDeployment(transaction, done))) return false;
        await tellOf(deps, transaction, 'succeeded', deployment.id);
        // Readers need not wait for a model that processes the whole site.
        if (deps.embedder && deployment.previewId === null)
          await deps.jobs.enqueue(embedSiteJob, { deploymentId: deployment.id }, transaction);
        if (deps.mailer && deployment.previewId === null && build.report.questions)
          await deps.jobs.enqueue(
            findAnsweredJob,
            { siteId: deployment.siteId, deploymentId: deployment.id },
            transaction,
          );
        return true;
      },
    );
    if (!isPublished) return false;
    deps.liveSites.outdate(deployment.siteId);
    // A preview must not slow down the next build of the site.
    if (deployment.previewId === null) await pages.save();
    logger.info({ ...idsOf(deployment), pages: build.report.pageCount }, 'site published');
    return true;
  } finally {
    await pages.close();
  }
}

/**
 * Returns the fields of every line of the log about a deployment, which lead to the request that
 * caused it.
 */
function idsOf({ id, siteId, requestId }: Pick<StartedDeployment, 'id' | 'siteId' | 'requestId'>) {
  return { deploymentId: id, siteId, requestId };
}

/** Returns whether a retry would fail the same way. */
function isFinal(error: unknown): boolean {
  if (error instanceof BuildKilled) return false;
  return (
    error instanceof DocentError && (error.kind === 'invalid' || error.code === 'quota_exceeded')
  );
}

/**
 * Ends a deployment whose last attempt was killed, so that nobody waits for it. Does nothing if it
 * has ended.
 */
export async function failKilledDeployment(
  deps: Pick<Deps, 'database' | 'clock' | 'logger' | 'jobs' | 'config'>,
  turn: string,
): Promise<void> {
  const { database, clock, logger } = deps;
  const deployment = await findDeploymentOfTurn(database.queries, turn);
  if (!deployment) return;
  const { attempts } = deployment;
  const summary =
    `The server was stopped each of the ${attempts} times it built this site. ` +
    'It probably ran out of memory; give the server more, or publish fewer pages.';
  logger.error({ ...idsOf(deployment), attempts }, 'publishing failed after several attempts');
  await endFailed(deps, deployment, { summary, report: null, now: clock.now() });
}

/** Marks a deployment as failed, and starts the next of its organization. */
async function endFailed(
  deps: SlotDeps,
  { id, organizationId }: { id: string; organizationId: string },
  failed: Omit<Parameters<typeof failDeployment>[1], 'id'>,
): Promise<void> {
  await publishSlots.within(deps, organizationId, async (transaction) => {
    if (await failDeployment(transaction, { id, ...failed }))
      await tellOf(deps, transaction, 'failed', id);
  });
}

/** Tells webhooks how a deployment ended, and the pull request that it is built for. */
async function tellOf(
  deps: Pick<Deps, 'jobs' | 'clock' | 'config'>,
  transaction: Transaction,
  outcome: 'succeeded' | 'failed',
  deploymentId: string,
): Promise<void> {
  await emitDeployment(deps, transaction, outcome, deploymentId);
  await noteEndOfBuild(deps, transaction, deploymentId);
}

/** The compiled pages of the site's last build, and those of this one. */
interface KeptPages {
  files: PagePackFiles;
  /** Stores those of this build for the next one. */
  save(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Only an optimization: if the pages cannot be read or written, publishing continues without them.
 */
async function openKeptPages(
  { blobs, logger, config }: PublishDeps,
  { id, siteId }: StartedDeployment,
): Promise<KeptPages> {
  const key = pagePackKeyOf(siteId);
  const failed = (error: unknown) =>
    logger.warn({ key, error: errorMessage(error) }, 'the page cache is unavailable');
  await mkdir(workFolder(config), { recursive: true });
  const folder = await mkdtemp(join(workFolder(config), `${id}-pages-`));
  const files = { from: join(folder, 'last'), to: join(folder, 'new') };
  const fetchLast = async () => {
    const info = await blobs.stat(key);
    const chunks = info && info.sizeBytes <= MAX_PACK_BYTES ? await blobs.get(key) : undefined;
    if (chunks) await pipeline(chunks, createWriteStream(files.from));
  };
  const storeNew = async () => {
    const packInfo = await stat(files.to).catch(() => undefined);
    if (packInfo) await blobs.put(key, createReadStream(files.to), { sizeBytes: packInfo.size });
  };
  await fetchLast().catch(failed);
  return {
    files,
    save: () => storeNew().catch(failed),
    close: () => rm(folder, { recursive: true, force: true }).catch(failed),
  };
}

async function buildDeployment(
  deps: PublishDeps,
  deployment: StartedDeployment,
  {
    pages,
    storage,
    followed,
  }: { pages: PagePackFiles; storage: BuildStorage; followed: FollowedBuild },
  signal: AbortSignal,
): Promise<BuildSummary> {
  const { blobs, config, database, outsideFiles, logger, clock } = deps;
  const hasFile = async (file: FileEntry) => (await blobs.stat(fileKey(file))) !== undefined;
  await mkdir(workFolder(config), { recursive: true });
  const folder = await mkdtemp(join(workFolder(config), `${deployment.id}-`));
  const store = async (body: Uint8Array | AsyncIterable<Uint8Array>, file: FileEntry) => {
    if (await hasFile(file)) return;
    storage.add(file);
    await blobs.put(fileKey(file), body, { contentType: file.type, sizeBytes: file.sizeBytes });
  };
  const packed = join(folder, 'source.tar.gz');
  // The process of the build starts meanwhile.
  const fetched = fetchSource(deps, deployment, { packed, followed }, signal);
  fetched.catch(() => {});
  try {
    // The last contents of fetched URLs are stored with the site.
    const prefix = outsideFolderOf(deployment.siteId);
    const outside = config.fetchRemote
      ? createOutsideFetcher({ outsideFiles, blobs, logger, clock, signal, prefix })
      : undefined;
    const site = await findSite(database.queries, deployment.siteId);
    const proseFiles = { archive: packed, folder: join(folder, 'prose') };
    const prose = fetched.then(() => checkProse(deps, deployment, proseFiles, signal));
    prose.catch(() => {});
    const build = await buildToFile(join(folder, 'source'), store, {
      manifest: join(folder, 'manifest.json'),
      hasIntegrations: config.integrations,
      formerBuilds: () => {
        followed.enter('publishing');
        return fetchFormerBuilds(deps, deployment.siteId, folder);
      },
      large: { folder, store: (path, file) => store(chunksOf(path), file) },
      searchScripts: {
        folder,
        has: async (searchIndex) => (await blobs.stat(searchScriptsKey(searchIndex))) !== undefined,
        store: async (path, searchIndex) => {
          const { size: sizeBytes } = await stat(path);
          await blobs.put(searchScriptsKey(searchIndex), chunksOf(path), {
            contentType: 'application/octet-stream',
            sizeBytes,
          });
        },
      },
      archive: () => fetched.then(() => packed),
      threads: config.publishing.threads,
      signal,
      onStage: followed.enter,
      onProgress: followed.count,
      pagePack: pages,
      asksQuestions: true,
      canSignIn: site?.access.canSignIn ?? false,
      hasFile,
      fetchOutside: outside?.fetch,
      budget: config.publishing.budget,
    });
    if (deployment.previewId === null) await outside?.deleteUnused();
    storage.requireRoom(build.buildBytes);
    build.report.diagnostics.push(...(await prose));
    const { path, sizeBytes } = build.manifest;
    const contentType = 'application/json';
    await blobs.put(manifestKeyOf(deployment.id), chunksOf(path), { contentType, sizeBytes });
    return build;
  } finally {
    await fetched.catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

/** Leaves the source of a deployment in a file. */
async function fetchSource(
  deps: PublishDeps,
  deployment: StartedDeployment,
  { packed, followed }: { packed: string; followed: FollowedBuild },
  signal: AbortSignal,
): Promise<void> {
  const { gitRef, sourceKey } = deployment;
  if (gitRef !== null) {
    followed.enter('fetching the source from Git');
    await fetchGitSource(deps, { ...deployment, gitRef }, signal);
  }
  followed.enter('fetching the uploaded source');
  const archive = await deps.blobs.get(sourceKey);
  if (!archive)
    throw new DocentError('build_failed', 'The uploaded source no longer exists; upload it again.');
  await pipeline(archive, createWriteStream(packed));
}

/** Fetches the manifests of the builds that a new one is compared with into a folder. */
async function fetchFormerBuilds(
  { database, blobs }: PublishDeps,
  siteId: string,
  folder: string,
): Promise<FormerBuilds> {
  const fetchManifest = async (key: string) => {
    const chunks = await blobs.get(key);
    if (!chunks) return undefined;
    const path = join(folder, `former-${basename(key)}`);
    await pipeline(chunks, createWriteStream(path));
    return path;
  };
  const newestKey = await findNewestManifest(database.queries, siteId);
  const newest = newestKey && (await fetchManifest(newestKey));
  const live = await findLiveBuild(database.queries, siteId);
  if (!live) return { newest, live: undefined };
  const { deploymentId, manifestKey } = live;
  const manifest = manifestKey === newestKey ? newest : await fetchManifest(manifestKey);
  return { newest, live: { deploymentId, manifest } };
}

function summarize(report: BuildReport): string {
  const hasErrors = report.diagnostics.some(({ severity }) => severity === 'error');
  const errors = hasErrors ? `, ${countText(report.diagnostics, 'error')}` : '';
  return `${report.pageCount} ${report.pageCount === 1 ? 'page' : 'pages'}${errors}, ${countText(report.diagnostics, 'warning')}`;
}

/**
 * Returns the message of a failed deployment. Errors that the author did not cause are not shown in
 * detail.
 */
function describeFailure(
  error: unknown,
  waitingFor?: Dependency,
): { summary: string; report: BuildReport | null } {
  if (waitingFor !== undefined)
    return { summary: `Waiting for ${DEPENDENCIES[waitingFor]} …`, report: null };
  const outage = outageOf(error);
  if (outage) {
    return {
      summary: `Waited for ${DEPENDENCIES[outage]} for too long; publish again when that is over.`,
      report: null,
    };
  }
  if (!(error instanceof DocentError))
    return { summary: 'The server failed while building the site; try again.', report: null };
  const diagnostics = (error.errors ?? []).map(({ path, message }) => ({
    severity: 'error' as const,
    code: error.code,
    message,
    remedy: 'Fix this and publish again; the live site is unchanged.',
    file: path,
  }));
  return {
    summary: error.message,
    report: { pageCount: 0, failedPageCount: 0, fileCount: 0, durationMs: 0, diagnostics },
  };
}

/** Opens the file when it is read. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Uint8Array>;
}

type BuildStorage = Awaited<ReturnType<typeof openBuildStorage>>;

/** Checks the storage of one build against the quota of its organization. */
async function openBuildStorage(
  { database, config }: Pick<Deps, 'database' | 'config'>,
  { organizationId, siteId }: { organizationId: string; siteId: string },
) {
  const room = await roomOf(database.queries, config, organizationId, siteId);
  let writtenBytes = 0;
  const requireRoom = (bytes: number) => {
    if (bytes > room) throw pastStorageQuota(config, 'This build');
  };
  return {
    /** Bytes written for it so far. */
    get writtenBytes() {
      return writtenBytes;
    },
    /** @throws DocentError `quota_exceeded` if the file no longer fits */
    add({ sizeBytes }: FileEntry): void {
      writtenBytes += sizeBytes;
      requireRoom(writtenBytes);
    },
    /** @throws DocentError `quota_exceeded` if a build of this size does not fit */
    requireRoom,
  };
}
