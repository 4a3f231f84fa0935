import type { Deps } from '../deps.ts';
import { readVectors, vectorsKey } from './vector-files.ts';
import { openVectorScan, type VectorScan } from './vector-scan.ts';

/** Maximum vectors in memory across all sites; those of the latest question stay, however many there are. */
const MAX_BYTES = 512 * 1024 * 1024;
/** How soon new vectors are noticed, from this process or another. */
const LOOK_AGAIN_MS = 5000;

/** Opened vectors by their search index. */
export interface SiteVectors {
  /** Undefined if there are none yet, or not all. */
  of(indexSha256: string): Promise<VectorScan | undefined>;
}

interface Held {
  scan: Promise<VectorScan | undefined>;
  bytes: number;
  lookAgainAt: number;
}

export function openSiteVectors({ blobs, clock }: Pick<Deps, 'blobs' | 'clock'>, model: string): SiteVectors {
  const held = new Map<string, Held>();

  function evictOldest(): void {
    let bytes = 0;
    for (const one of held.values()) bytes += one.bytes;
    for (const [key, one] of held) {
      if (bytes <= MAX_BYTES || held.size === 1) return;
      held.delete(key);
      bytes -= one.bytes;
    }
  }

  async function open(indexSha256: string, entry: Held): Promise<VectorScan | undefined> {
    const vectors = await readVectors(blobs, vectorsKey(indexSha256, model));
    if (!vectors?.isComplete) {
      entry.lookAgainAt = clock.now().getTime() + LOOK_AGAIN_MS;
      return undefined;
    }
    entry.bytes = vectors.values.length;
    evictOldest();
    return openVectorScan(vectors);
  }

  return {
    of(indexSha256) {
      const known = held.get(indexSha256);
      if (known && clock.now().getTime() < known.lookAgainAt) {
        // The most recently used are last.
        held.delete(indexSha256);
        held.set(indexSha256, known);
        return known.scan;
      }
      const entry: Held = { scan: Promise.resolve(undefined), bytes: 0, lookAgainAt: Number.POSITIVE_INFINITY };
      held.delete(indexSha256);
      held.set(indexSha256, entry);
      entry.scan = open(indexSha256, entry);
      entry.scan.catch(() => held.get(indexSha256) === entry && held.delete(indexSha256));
      return entry.scan;
    },
  };
}
