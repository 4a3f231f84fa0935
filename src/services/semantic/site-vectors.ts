import type { Deps } from '../deps.ts';
import { readVectors, vectorsKey } from './vector-files.ts';
import { openVectorScan, type VectorScan } from './vector-scan.ts';

/** Vectors held in memory, of all sites together; those of the newest question stay however many they are. */
const MAX_BYTES = 512 * 1024 * 1024;
/** How soon vectors are found that were made meanwhile, by this process or another. */
const LOOK_AGAIN_MS = 5000;

/** Opened vectors by the search index that they belong to. */
export interface SiteVectors {
  /** Undefined where there are none yet, or not all. */
  of(indexSha256: string): Promise<VectorScan | undefined>;
}

interface Held {
  scan: Promise<VectorScan | undefined>;
  bytes: number;
  lookAgainAt: number;
}

export function openSiteVectors({ blobs, clock }: Pick<Deps, 'blobs' | 'clock'>, model: string): SiteVectors {
  const held = new Map<string, Held>();

  function forgetSome(): void {
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
    forgetSome();
    return openVectorScan(vectors);
  }

  return {
    of(indexSha256) {
      const known = held.get(indexSha256);
      if (known && clock.now().getTime() < known.lookAgainAt) {
        // The most recently used stand last.
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
