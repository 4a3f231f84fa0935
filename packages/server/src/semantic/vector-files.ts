import { createHash } from 'node:crypto';
import { BoundedCache } from '@docent/format/bounded-cache.ts';
import { EMBEDDING_TEXT_VERSION } from '@docent/search/embedding-text.ts';
import {
  decodeVectors,
  encodeVectors,
  type SectionVectors,
} from '@docent/search/section-vectors.ts';
import type { Deps } from '../kernel/deps.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import { openVectorScan, type VectorScan } from './vector-scan.ts';

/*
 * Vectors are stored beside a build, not in it: the same source produces the same build with any
 * model. Their key contains the search index, whose sections they belong to, and the model, so any
 * process finds them.
 */

/** Identifies a model in blob keys. */
function modelKey(model: string): string {
  return createHash('sha256')
    .update(`${EMBEDDING_TEXT_VERSION}\n${model}`)
    .digest('hex')
    .slice(0, 16);
}

/** Returns the key of the vectors of an index. */
export function vectorsKey(indexSha256: string, model: string): string {
  return `vectors/${indexSha256}/${modelKey(model)}`;
}

function latestKey(siteId: string, model: string): string {
  return `cache/vectors/${siteId}/${modelKey(model)}`;
}

/**
 * Returns the vectors under a key; undefined if there are none or they are unreadable: they can be
 * recomputed.
 */
export async function readVectors(
  blobs: Pick<BlobStore, 'read'>,
  key: string,
): Promise<SectionVectors | undefined> {
  const bytes = await blobs.read(key);
  if (!bytes) return undefined;
  try {
    return decodeVectors(bytes);
  } catch {
    return undefined;
  }
}

export async function writeVectors(
  blobs: Pick<BlobStore, 'put'>,
  key: string,
  vectors: SectionVectors,
): Promise<void> {
  const bytes = encodeVectors(vectors);
  await blobs.put(key, bytes, { contentType: 'application/octet-stream', sizeBytes: bytes.length });
}

/** The last result for a site with a model. */
interface LatestVectors {
  key: string;
  /** The deployment with complete vectors; empty if some are missing. */
  deploymentId: string;
}

export async function readLatest(
  blobs: Pick<BlobStore, 'read'>,
  siteId: string,
  model: string,
): Promise<LatestVectors | undefined> {
  const bytes = await blobs.read(latestKey(siteId, model));
  if (!bytes) return undefined;
  const [key = '', deploymentId = ''] = new TextDecoder().decode(bytes).split('\n');
  return { key, deploymentId };
}

export async function writeLatest(
  blobs: Pick<BlobStore, 'put'>,
  siteId: string,
  model: string,
  { key, deploymentId }: LatestVectors,
): Promise<void> {
  await blobs.put(latestKey(siteId, model), new TextEncoder().encode(`${key}\n${deploymentId}`), {
    contentType: 'text/plain',
  });
}

/** How soon new vectors are noticed, from this process or another. */
const LOOK_AGAIN_MS = 5000;

interface Held {
  organizationId: string;
  scan: VectorScan | undefined;
  bytes: number;
  lookAgainAt: number;
}

/**
 * @param maxBytes memory of the vectors of all sites; those of the latest question stay, however
 *   many there are
 * @returns a function that opens the vectors of a search index; undefined if there are none yet, or
 *   not all
 */
export function openSiteVectors(
  { blobs, clock }: Pick<Deps, 'blobs' | 'clock'>,
  model: string,
  maxBytes: number,
) {
  const cache = new BoundedCache<Held>('site_vectors', {
    maxBytes,
    sizeOf: ({ bytes }) => bytes,
    ownerOf: ({ organizationId }) => organizationId,
  });

  async function open(indexSha256: string, organizationId: string): Promise<Held> {
    const sectionVectors = await readVectors(blobs, vectorsKey(indexSha256, model));
    const vectors = sectionVectors?.isComplete ? sectionVectors : undefined;
    const lookAgainAt = vectors ? Number.POSITIVE_INFINITY : clock.now().getTime() + LOOK_AGAIN_MS;
    return {
      organizationId,
      scan: vectors && openVectorScan(vectors),
      bytes: vectors?.values.byteLength ?? 0,
      lookAgainAt,
    };
  }

  return async (indexSha256: string, organizationId: string): Promise<VectorScan | undefined> => {
    const key = `${organizationId} ${indexSha256}`;
    const cacheEntry = cache.peek(key);
    if (cacheEntry && clock.now().getTime() >= cacheEntry.lookAgainAt) cache.delete(key);
    return (await cache.load(key, () => open(indexSha256, organizationId))).scan;
  };
}
