import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

export type Encoding = 'br' | 'gzip' | 'identity';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Bodies below this do not gain from compression. */
export const MIN_COMPRESSED_BYTES = 512;
/** Fast enough for the first reader of a page to wait for, and smaller than gzip at its best. */
const BROTLI_QUALITY = 5;

/** Encoded bodies, kept up to a number of bytes; the least recently used go first. */
export interface BodyCache {
  /** The body in that encoding, made once however many ask at the same time. */
  get(version: string, encoding: Encoding, body: () => Promise<string | Uint8Array>): Promise<Buffer>;
}

/** @param maxBytes how much memory the bodies may hold */
export function createBodyCache(maxBytes: number): BodyCache {
  const bodies = createBufferCache(maxBytes, Math.floor(maxBytes / 8));
  return {
    get: (version, encoding, body) =>
      bodies.fetch(`${encoding} ${version}`, { context: async () => encodeBody(await body(), encoding) }) as Promise<Buffer>,
  };
}

type MakeBuffer = () => Promise<Buffer>;

/** A cache of bytes whose `fetch` takes the function that makes what is missing as its context. Larger entries are made, and not kept. */
export function createBufferCache(maxBytes: number, maxEntryBytes: number): LRUCache<string, Buffer, MakeBuffer> {
  return new LRUCache<string, Buffer, MakeBuffer>({
    maxSize: maxBytes,
    maxEntrySize: maxEntryBytes,
    sizeCalculation: (bytes) => Math.max(1, bytes.byteLength),
    fetchMethod: (_key, _stale, { context }) => context(),
    // Whoever waits gets what is made, also where there is no room for it any more.
    ignoreFetchAbort: true,
  });
}

/** One body as it goes over the wire. */
export async function encodeBody(body: string | Uint8Array, encoding: Encoding): Promise<Buffer> {
  const bytes = Buffer.from(body as string);
  if (encoding === 'br') {
    return compressBrotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength },
    });
  }
  return encoding === 'gzip' ? compressGzip(bytes) : bytes;
}

/** The best encoding that the client takes (RFC 9110 §12.5.3). */
export function chooseEncoding(acceptEncoding: string | undefined, sizeBytes = Number.POSITIVE_INFINITY): Encoding {
  if (!acceptEncoding || sizeBytes < MIN_COMPRESSED_BYTES) return 'identity';
  const accepted = new Set<string>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name);
  }
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : 'identity';
}
