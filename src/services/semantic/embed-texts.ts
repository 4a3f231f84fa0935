import { setTimeout as pause } from 'node:timers/promises';
import type { Embedder } from '../../ports/embedder.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';

const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 500;
/** If a provider asks for a longer pause, the next attempt of the job calls it again. */
const MAX_PAUSE_MS = 60_000;
/** If a text this short is still too long, its length is not the provider's problem. */
const MIN_CUT_LENGTH = 500;

/**
 * Computes the vectors of many texts in batches, several concurrently. Waits and retries if the provider is busy, and sends fewer
 * and shorter texts if it accepts no more.
 * @param take receives the vector of each text as soon as there is one, in no particular order
 * @throws ProviderFault for the first batch that fails; vectors received before are valid
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  { signal, take }: { signal: AbortSignal; take: (index: number, vector: Float32Array) => void | Promise<void> },
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
  const workers = Array.from({ length: Math.min(embedder.maxCalls, Math.ceil(texts.length / embedder.maxTexts)) }, work);
  try {
    await Promise.all(workers);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(workers);
    signal.throwIfAborted();
    throw error;
  }
}

async function embedBatch(embedder: Embedder, texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
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
    return embedBatch(embedder, [text.slice(0, Math.max(MIN_CUT_LENGTH, text.length >> 1))], signal);
  }
}

async function embedPatiently(embedder: Embedder, texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
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
