import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Bodies below this do not gain from compression. */
export const SMALLEST_COMPRESSED_BYTES = 512;
/** Fast enough for the first reader of a page to wait for, and smaller than gzip at its best. */
const BROTLI_QUALITY = 5;

/** Encoded bodies, kept up to a number of bytes; the least recently asked for goes first. */
export interface BodyCache {
  /** The body in that encoding, made once however many ask at the same time. */
  get(version: string, encoding: Encoding, body: () => Promise<string | Uint8Array>): Promise<Buffer>;
}

/** @param mostBytes how much memory the bodies may hold */
export function createBodyCache(mostBytes: number): BodyCache {
  const held = new Map<string, Buffer>();
  const making = new Map<string, Promise<Buffer>>();
  let heldBytes = 0;

  function keep(key: string, bytes: Buffer): void {
    if (bytes.byteLength > mostBytes / 8) return;
    held.set(key, bytes);
    heldBytes += bytes.byteLength;
    for (const [oldest, old] of held) {
      if (heldBytes <= mostBytes) break;
      held.delete(oldest);
      heldBytes -= old.byteLength;
    }
  }

  async function make(key: string, encoding: Encoding, body: () => Promise<string | Uint8Array>): Promise<Buffer> {
    const bytes = await encodeBody(await body(), encoding);
    keep(key, bytes);
    return bytes;
  }

  return {
    get(version, encoding, body) {
      const key = `${encoding} ${version}`;
      const known = held.get(key);
      if (known) {
        held.delete(key);
        held.set(key, known);
        return Promise.resolve(known);
      }
      const pending = making.get(key) ?? make(key, encoding, body).finally(() => making.delete(key));
      making.set(key, pending);
      return pending;
    },
  };
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
  if (!acceptEncoding || sizeBytes < SMALLEST_COMPRESSED_BYTES) return 'identity';
  const accepted = new Set<string>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name);
  }
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : 'identity';
}
