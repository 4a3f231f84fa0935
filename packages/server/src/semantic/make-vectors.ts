import { createHash } from 'node:crypto';
import { setImmediate as letOthersRun, setTimeout as pause } from 'node:timers/promises';
import { embeddingText } from '@docent/search/embedding-text.ts';
import { IndexData } from '@docent/search/load/index-data.ts';
import { KEY_BYTES, quantise, type SectionVectors } from '@docent/search/section-vectors.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Embedder } from '../ports/embedder.ts';
import { ProviderFault } from '../ports/provider-fault.ts';
import { writeLatest, writeVectors } from './vector-files.ts';

/**
 * Vectors are stored after this many new ones, so that a killed process has not paid for nothing.
 */
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

/**
 * Computes the vectors that `earlier` does not have, and stores the result, even if the provider
 * fails midway.
 * @returns the number of embedded texts, excluding unchanged ones; the number of sections without a
 *   vector, and why there are any
 */
export async function makeVectors(
  blobs: Pick<BlobStore, 'put'>,
  making: Making,
  earlier: SectionVectors | undefined,
): Promise<{ embedded: number; missing: number; fault?: ProviderFault }> {
  const { embedder, sections, key, siteId, deploymentId, signal } = making;
  const vectors = new GrowingVectors(sections.keys);
  vectors.reuse(earlier);
  const missing = vectors.missing();
  const save = async () => {
    const packed = vectors.packed();
    await writeVectors(blobs, key, packed);
    await writeLatest(blobs, siteId, embedder.name, {
      key,
      deploymentId: packed.isComplete ? deploymentId : '',
    });
  };
  let embedded = 0;
  const take = async (at: number, vector: Float32Array) => {
    vectors.add(missing[at] as number, vector);
    if (++embedded % SAVED_EVERY === 0) await save();
  };
  try {
    const texts = missing.map((section) => sections.texts[section] as string);
    await embedTexts(embedder, texts, { signal, take });
  } catch (error) {
    if (earlier !== undefined && error instanceof OtherLength)
      return makeVectors(blobs, making, undefined);
    if (embedded > 0) await save();
    if (!(error instanceof ProviderFault)) throw error;
    return { embedded, missing: vectors.missing().length, fault: error };
  }
  await save();
  return { embedded, missing: 0 };
}

/**
 * A vector has another length than earlier ones: the provider now has another model under the same
 * name.
 */
class OtherLength extends ProviderFault {}

/**
 * The vectors of an index while they are computed: those of an earlier build are reused, the rest
 * is added.
 */
class GrowingVectors {
  readonly #keys: Uint8Array;
  readonly #scales: Float32Array;
  /** The sections with each text; the same text is embedded once. */
  readonly #sectionsOf = new Map<string, number[]>();
  #values: Int8Array | undefined;
  #dimensions = 0;

  constructor(keys: Uint8Array) {
    this.#keys = keys;
    this.#scales = new Float32Array(keys.length / KEY_BYTES);
    for (let section = 0; section < this.#scales.length; section++) {
      const name = keyName(keys, section);
      const sections = this.#sectionsOf.get(name);
      if (sections) sections.push(section);
      else this.#sectionsOf.set(name, [section]);
    }
  }

  /** Copies the vectors of unchanged texts. */
  reuse(earlier: SectionVectors | undefined): void {
    if (!earlier || earlier.dimensions === 0) return;
    const { dimensions, keys, scales, values } = earlier;
    for (let from = 0; from < scales.length; from++) {
      const sections = this.#sectionsOf.get(keyName(keys, from));
      const scale = scales[from] as number;
      if (sections === undefined || scale === 0 || !this.#fits(dimensions)) continue;
      const vector = values.subarray(from * dimensions, (from + 1) * dimensions);
      for (const section of sections) {
        this.#scales[section] = scale;
        this.#values?.set(vector, section * dimensions);
      }
    }
  }

  /** Returns one section for each text without a vector. */
  missing(): number[] {
    return [...this.#sectionsOf.values()].flatMap(([first = 0]) =>
      this.#scales[first] === 0 ? [first] : [],
    );
  }

  /** @throws OtherLength */
  add(section: number, vector: Float32Array): void {
    if (!this.#fits(vector.length)) {
      throw new OtherLength(
        'refused',
        'The embedding model returned vectors of another length than before.',
      );
    }
    const bytes = new Int8Array(vector.length);
    const scale = quantise(vector, bytes);
    for (const same of this.#sectionsOf.get(keyName(this.#keys, section)) ?? []) {
      this.#scales[same] = scale;
      this.#values?.set(bytes, same * this.#dimensions);
    }
  }

  /** Returns the vectors so far. */
  packed(): SectionVectors {
    return {
      dimensions: this.#dimensions,
      isComplete: this.missing().length === 0,
      keys: this.#keys,
      scales: this.#scales,
      values: this.#values ?? new Int8Array(),
    };
  }

  #fits(dimensions: number): boolean {
    if (this.#values === undefined) {
      this.#dimensions = dimensions;
      this.#values = new Int8Array(this.#scales.length * dimensions);
    }
    return this.#dimensions === dimensions;
  }
}

/**
 * Texts built per turn; a large site has tens of thousands, and requests must be answered in
 * between.
 */
const AT_ONCE = 200;

/** What is embedded of an index, and a key that identifies each text. */
interface EmbeddedTexts {
  texts: string[];
  /** `KEY_BYTES` per text. */
  keys: Uint8Array;
}

/**
 * Returns the texts of the sections of an index. @throws Error if the bytes are not an index of
 * this version
 */
export async function embeddedTexts(index: Uint8Array): Promise<EmbeddedTexts> {
  const data = new IndexData(index);
  const count = data.sectionCount;
  const texts: string[] = [];
  const keys = new Uint8Array(count * KEY_BYTES);
  for (let at = 0; at < count; at++) {
    const text = embeddingText(data.document(at));
    texts.push(text);
    keys.set(createHash('sha256').update(text).digest().subarray(0, KEY_BYTES), at * KEY_BYTES);
    if (at % AT_ONCE === AT_ONCE - 1) await letOthersRun();
  }
  return { texts, keys };
}

/** Returns the key of one text, as a map key. */
function keyName(keys: Uint8Array, at: number): string {
  return Buffer.from(keys.buffer, keys.byteOffset + at * KEY_BYTES, KEY_BYTES).toString('base64');
}

const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 500;
/** If a provider asks for a longer pause, the next attempt of the job calls it again. */
const MAX_PAUSE_MS = 60_000;
/** If a text this short is still too long, its length is not the provider's problem. */
const MIN_CUT_LENGTH = 500;

/**
 * Computes the vectors of many texts in batches, several concurrently. Waits and retries if the
 * provider is busy, and sends fewer and shorter texts if it accepts no more.
 * @param take receives the vector of each text as soon as there is one, in no particular order
 * @throws ProviderFault for the first batch that fails; vectors received before are valid
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  {
    signal,
    take,
  }: { signal: AbortSignal; take: (index: number, vector: Float32Array) => void | Promise<void> },
): Promise<void> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  let next = 0;
  const work = async () => {
    while (next < texts.length) {
      const from = next;
      next = Math.min(texts.length, from + embedder.maxTexts);
      const vectors = await embedBatch(embedder, texts.slice(from, next), either);
      for (const [at, vector] of vectors.entries()) await take(from + at, vector);
    }
  };
  const workers = Array.from(
    { length: Math.min(embedder.maxCalls, Math.ceil(texts.length / embedder.maxTexts)) },
    work,
  );
  try {
    await Promise.all(workers);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(workers);
    signal.throwIfAborted();
    throw error;
  }
}

async function embedBatch(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  try {
    return await embedPatiently(embedder, texts, signal);
  } catch (error) {
    if (!(error instanceof ProviderFault) || error.kind !== 'too-much') throw error;
    if (texts.length > 1) {
      const middle = texts.length >> 1;
      const first = await embedBatch(embedder, texts.slice(0, middle), signal);
      return [...first, ...(await embedBatch(embedder, texts.slice(middle), signal))];
    }
    const [text = ''] = texts;
    if (text.length <= MIN_CUT_LENGTH) throw error;
    return embedBatch(
      embedder,
      [text.slice(0, Math.max(MIN_CUT_LENGTH, text.length >> 1))],
      signal,
    );
  }
}

async function embedPatiently(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await embedder.embed(texts, 'document', signal);
    } catch (error) {
      const pauseMs = tries < MAX_TRIES ? pauseAfter(error, tries) : undefined;
      if (pauseMs === undefined) throw error;
      await pause(pauseMs, undefined, { signal });
    }
  }
}

/** Returns how long to wait before a retry; undefined if a retry is useless. */
function pauseAfter(error: unknown, tries: number): number | undefined {
  if (!(error instanceof ProviderFault) || error.kind !== 'busy') return undefined;
  const askedMs = (error.retryAfterSeconds ?? 0) * 1000;
  if (askedMs > MAX_PAUSE_MS) return undefined;
  // Jitter: callers must not retry at the same moment.
  return Math.max(askedMs, FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.75 + Math.random() / 2));
}
