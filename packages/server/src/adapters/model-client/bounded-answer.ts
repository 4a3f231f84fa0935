import { ProviderFault } from '../../ports/provider-fault.ts';

/**
 * A streamed event with one token has a few hundred bytes; some models think in more tokens than
 * they are allowed to answer with.
 */
const BYTES_PER_TOKEN = 2048;
const MIN_BYTES = 256 * 1024;

/** Returns the maximum bytes of the answer of a language model on the wire. */
export function maxBytesOfAnswer(maxOutputTokens: number): number {
  return MIN_BYTES + maxOutputTokens * BYTES_PER_TOKEN;
}

/**
 * Maximum bytes of an answer with vectors or scores: a hundred long vectors as decimal text are a
 * few megabytes.
 */
export const MAX_JSON_ANSWER_BYTES = 64 * 1024 * 1024;

/** A model sent more than an answer can have; it is not read any further. */
export class EndlessAnswer extends ProviderFault {
  constructor(what: string) {
    super('too-much', `${what} returned a response that is too large.`);
  }
}

/**
 * Returns a `fetch` whose responses end with an `EndlessAnswer` after a number of bytes, and are
 * not read any further.
 * @param what start of the message: `The embedding model`
 */
export function fetchWithin(send: typeof fetch, maxBytes: number, what: string): typeof fetch {
  return async (...request) => {
    const { body, status, statusText, headers } = await send(...request);
    let bytes = 0;
    const bounded = body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength;
          if (bytes > maxBytes) throw new EndlessAnswer(what);
          controller.enqueue(chunk);
        },
      }),
    );
    return new Response(bounded ?? null, { status, statusText, headers });
  };
}
