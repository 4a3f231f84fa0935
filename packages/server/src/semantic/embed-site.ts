import { fileKey } from '@docent/compiler/files/file-sink.ts';
import { readSiteBuild } from '@docent/format/build/site-build.ts';
import type { Deps } from '../kernel/deps.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { JobContext } from '../ports/job-queue.ts';
import { embedSiteJob } from '../ports/jobs.ts';
import type { ProviderFault } from '../ports/provider-fault.ts';
import {
  findLiveDeployment,
  listLiveBuilds,
  noteOnDeployment,
} from '../publishing/published-builds.ts';
import { embeddedTexts, type Making, makeVectors } from './make-vectors.ts';
import { readLatest, readVectors, vectorsKey } from './vector-files.ts';

const NOTE = 'embeddings-missing';

type EmbedDeps = Pick<Deps, 'database' | 'blobs' | 'clock' | 'logger'>;

/**
 * Computes the vectors of a live deployment's sections. The site is already published and found by
 * words; this adds semantic search. May run again at any time: it only computes missing vectors. If
 * the provider fails, the deployment's report says so until a later run succeeds.
 * @throws ProviderFault if vectors are still missing
 */
export async function embedSite(
  deps: EmbedDeps,
  embedder: Embedder,
  deploymentId: string,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<void> {
  const { database, blobs, clock, logger } = deps;
  const live = await findLiveDeployment(database.queries, deploymentId);
  // A newer deployment has a job of its own.
  if (!live) return;
  const index = await readIndex(deps, live.manifestKey);
  const key = vectorsKey(index.sha256, embedder.name);
  const sections = await embeddedTexts(index.bytes);
  const making: Making = { embedder, sections, key, siteId: live.siteId, deploymentId, signal };
  const earlier =
    (await readVectors(blobs, key)) ?? (await earlierVectors(blobs, live.siteId, embedder.name));
  const { embedded, missing, fault } = await makeVectors(blobs, making, earlier);
  if (fault) {
    const note = missingNote(fault, missing, sections.texts.length);
    await noteOnDeployment(database.queries, deploymentId, NOTE, note, clock.now());
    throw fault;
  }
  await noteOnDeployment(database.queries, deploymentId, NOTE, undefined, clock.now());
  logger.info(
    { deploymentId, sections: sections.texts.length, embedded },
    'vectors of the site are ready',
  );
}

async function readIndex(
  { blobs }: Pick<Deps, 'blobs'>,
  manifestKey: string,
): Promise<{ sha256: string; bytes: Uint8Array }> {
  const manifest = await blobs.read(manifestKey);
  if (!manifest) throw new Error(`The manifest ${manifestKey} is missing.`);
  const { searchIndex } = readSiteBuild(new TextDecoder().decode(manifest));
  const bytes = await blobs.read(fileKey(searchIndex));
  if (!bytes) throw new Error(`The search index ${searchIndex.sha256} is missing.`);
  return { sha256: searchIndex.sha256, bytes };
}

async function earlierVectors(blobs: Deps['blobs'], siteId: string, model: string) {
  const latest = await readLatest(blobs, siteId, model);
  return latest && readVectors(blobs, latest.key);
}

function missingNote(fault: ProviderFault, missing: number, all: number) {
  return {
    severity: 'warning' as const,
    code: NOTE,
    message: `Search uses words only: ${fault.message} ${missing} of ${all} sections have no vector.`,
    remedy:
      'You do not need to publish again: it is retried automatically. Check the DOCENT_EMBEDDINGS settings.',
    file: '',
  };
}

/**
 * Adds a job for every live site without vectors of this model: the model may have been set or
 * changed just now, or a job may have failed while the provider was down.
 * @returns number of added jobs
 */
export async function enqueueMissingVectors(
  { database, blobs, jobs }: Pick<Deps, 'database' | 'blobs' | 'jobs'>,
  embedder: Embedder,
): Promise<number> {
  // Waiting and running jobs come first, in any process; the next check adds what is still missing.
  if (((await jobs.depth())[embedSiteJob.name] ?? 0) > 0) return 0;
  let added = 0;
  for (const { siteId, deploymentId } of await listLiveBuilds(database.queries)) {
    const latest = await readLatest(blobs, siteId, embedder.name);
    if (latest?.deploymentId === deploymentId) continue;
    await jobs.enqueue(embedSiteJob, { deploymentId });
    added++;
  }
  return added;
}
