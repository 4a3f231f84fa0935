import { concatenate } from '@docent/format/bytes.ts';
import { bestFirst } from './best-first.ts';
import type { AddMeaning, ScoredSection } from './search-index.ts';

/**
 * The embedding vectors of an index's sections. A number takes one byte, a vector's scale four: a
 * thirtieth of decimal text, with the same nearest sections for a question.
 */
export interface SectionVectors {
  /** Dimensions of each vector. */
  dimensions: number;
  /** Whether every section has its vector; if a provider failed midway, some have none. */
  isComplete: boolean;
  /** Identifies the text of each vector: `KEY_BYTES` per section. */
  keys: Uint8Array;
  /** The factor of each vector's numbers; 0 if the section has no vector. */
  scales: Float32Array;
  /** The numbers of all vectors, concatenated. */
  values: Int8Array;
}

export const KEY_BYTES = 16;
const HEADER_BYTES = 16;
const MAGIC = 0x44_43_56_31;
const MAX_DIMENSIONS = 16_384;

/** Quantizes a unit vector to bytes. @returns its scale; 0 for a zero vector */
export function quantise(vector: ArrayLike<number>, into: Int8Array): number {
  let squares = 0;
  let largest = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] as number;
    squares += value * value;
    largest = Math.max(largest, Math.abs(value));
  }
  if (largest === 0) return 0;
  const step = largest / 127;
  for (let i = 0; i < vector.length; i++) into[i] = Math.round((vector[i] as number) / step);
  return step / Math.sqrt(squares);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/**
 * Serializes the vectors: a header, then keys, scales and values; little-endian, as every platform
 * that can search them.
 */
export function encodeVectors({
  dimensions,
  isComplete,
  keys,
  scales,
  values,
}: SectionVectors): Uint8Array {
  const header = Uint32Array.of(MAGIC, scales.length, dimensions, isComplete ? 1 : 0);
  return concatenate([header, keys, scales, values].map(bytesOf));
}

/** @throws Error if the bytes are not a complete file of this format */
export function decodeVectors(bytes: Uint8Array): SectionVectors {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC)
    throw new Error('These are no vectors of sections.');
  const count = view.getUint32(4, true);
  const dimensions = view.getUint32(8, true);
  const scalesAt = HEADER_BYTES + count * KEY_BYTES;
  const valuesAt = scalesAt + count * 4;
  if (dimensions > MAX_DIMENSIONS || bytes.length !== valuesAt + count * dimensions) {
    throw new Error('The file of vectors is cut off.');
  }
  return {
    dimensions,
    isComplete: view.getUint32(12, true) === 1,
    keys: bytes.subarray(HEADER_BYTES, scalesAt),
    // Copied, because numbers of four bytes may not start anywhere.
    scales: new Float32Array(new Uint8Array(bytes.subarray(scalesAt, valuesAt)).buffer),
    values: new Int8Array(bytes.buffer, bytes.byteOffset + valuesAt, count * dimensions),
  };
}

/** A ranking of sections, best first, and the factor of each page's rank in it. */
interface RankedSections {
  sections: readonly number[];
  /** 1 for a plain page. */
  pageFactor: (page: number) => number;
}

/** The usual constant of reciprocal rank fusion: how flat the top ranks are. */
const FLATNESS = 60;

/**
 * Fuses rankings by different measures: each gives a section 1 / (60 + its rank), and the sums
 * decide. A section's rank is that of its page, then its own inside the page, so that a page with
 * many sections does not push others down.
 * @returns the sections of all rankings with their sums, best first
 */
function fuseRanks(
  orders: readonly RankedSections[],
  pageOfSection: Uint32Array,
): { section: number; sum: number }[] {
  const sums = new Map<number, number>();
  for (const { sections, pageFactor } of orders) {
    const pages = new Map<number, { place: number; taken: number }>();
    for (const section of sections) {
      const number = pageOfSection[section] as number;
      const page = pages.get(number) ?? { place: pages.size, taken: 0 };
      pages.set(number, page);
      const worth = pageFactor(number) / (FLATNESS + 1 + page.place + page.taken);
      page.taken++;
      if (worth > 0) sums.set(section, (sums.get(section) ?? 0) + worth);
    }
  }
  return [...sums]
    .map(([section, sum]) => ({ section, sum }))
    .sort((a, b) => b.sum - a.sum || a.section - b.section);
}

/**
 * Fuses the hits of the keyword search with the sections that are semantically nearest to the
 * query. The best hit gets the higher of both scores, which indicates whether anything fits at all;
 * the scores of the others decrease with their rank.
 * @param similarities similarity of each section of the index to the query, −1 to 1
 */
export function addSimilar(similarities: Float32Array): AddMeaning {
  return (byWord, { pageOfSection, isIncluded, pageFactor, limit }) => {
    // Vectors of another index would refer to other sections.
    if (similarities.length !== pageOfSection.length) return [...byWord];
    const candidates: number[] = [];
    for (let section = 0; section < pageOfSection.length; section++) {
      if (isIncluded(pageOfSection[section] as number) && (similarities[section] as number) > 0)
        candidates.push(section);
    }
    const near = bestFirst(candidates, similarities, limit);
    // Keyword ranks already include the factors of the pages.
    const words = { sections: byWord.map(({ section }) => section), pageFactor: () => 1 };
    const fused = fuseRanks([words, { sections: near, pageFactor }], pageOfSection).slice(0, limit);
    const nearest = near[0] === undefined ? 0 : (similarities[near[0]] as number);
    const best = Math.min(1, Math.max(byWord[0]?.score ?? 0, nearest));
    const shares = new Map(byWord.map(({ section, share }) => [section, share]));
    return fused.map(({ section, sum }): ScoredSection => {
      const share = shares.get(section);
      return {
        section,
        score: (best * sum) / (fused[0]?.sum ?? 1),
        ...(share !== undefined && { share }),
      };
    });
  };
}
