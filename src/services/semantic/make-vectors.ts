import type { SectionVectors } from '../../core/search/section-vectors.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import { embedTexts } from './embed-texts.ts';
import type { EmbeddedTexts } from './embedded-texts.ts';
import { GrowingVectors, OtherLength } from './growing-vectors.ts';
import { writeLatest, writeVectors } from './vector-files.ts';

/** Vectors are stored after this many new ones, so that a killed process has not paid for nothing. */
const SAVED_EVERY = 2000;

/** Source, model and destination of vectors. */
export interface Making {
  embedder: Embedder;
  sections: EmbeddedTexts;
  /** From `vectorsKey`. */
  key: string;
  siteId: string;
  deploymentId: string;
  signal: AbortSignal;
}

export interface VectorsResult {
  /** Number of embedded texts, excluding unchanged ones. */
  embedded: number;
  /** Number of sections without a vector. */
  missing: number;
  /** Why there are any. */
  fault?: ProviderFault;
}

/** Computes the vectors that `earlier` does not have, and stores the result, even if the provider fails midway. */
export async function makeVectors(
  blobs: Pick<BlobStore, 'put'>,
  making: Making,
  earlier: SectionVectors | undefined,
): Promise<VectorsResult> {
  const { embedder, sections, key, siteId, deploymentId, signal } = making;
  const vectors = new GrowingVectors(sections.keys);
  vectors.reuse(earlier);
  const missing = vectors.missing();
  const save = async () => {
    const packed = vectors.packed();
    await writeVectors(blobs, key, packed);
    await writeLatest(blobs, siteId, embedder.name, { key, deploymentId: packed.isComplete ? deploymentId : '' });
  };
  let embedded = 0;
  const take = async (at: number, vector: Float32Array) => {
    vectors.add(missing[at] as number, vector);
    if (++embedded % SAVED_EVERY === 0) await save();
  };
  try {
    const wanted = missing.map((section) => sections.texts[section] as string);
    await embedTexts(embedder, wanted, { signal, take });
  } catch (error) {
    if (earlier !== undefined && error instanceof OtherLength) return makeVectors(blobs, making, undefined);
    if (embedded > 0) await save();
    if (!(error instanceof ProviderFault)) throw error;
    return { embedded, missing: vectors.missing().length, fault: error };
  }
  await save();
  return { embedded, missing: 0 };
}
