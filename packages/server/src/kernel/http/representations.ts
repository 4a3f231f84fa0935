import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompress,
  constants,
  gunzip,
  gzip,
  gzipSync,
} from 'node:zlib';
import { BoundedCache } from '@docent/format/bounded-cache.ts';
import { isCompressible } from '@docent/format/media-types.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange, Encoding, SiteBody } from '../../ports/site-content.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Pages may be cached, but must be revalidated on each use, which costs one `ETag` comparison. */
const REVALIDATED = 'public, max-age=0, must-revalidate';

/** @param immutable the content of the URL never changes */
export function cacheControl(immutable: boolean): string {
  return immutable ? IMMUTABLE : REVALIDATED;
}

/**
 * Returns the `ETag` of a body from its identity; each encoding and effort has other bytes (RFC
 * 9110 §8.8.3).
 */
export function bodyEtag(version: string, encoding: Encoding, effort: Effort = 'full'): string {
  const suffix = encoding === 'identity' ? '' : `-${encoding}${effort === 'full' ? '' : '1'}`;
  return `"${version}${suffix}"`;
}

/**
 * Returns the `ETag` of the body that the client already has, however well it was compressed.
 * @returns undefined if it has none of them
 */
export function unchangedEtag(
  headers: IncomingHttpHeaders,
  version: string,
  encoding: Encoding,
): string | undefined {
  const etags = [bodyEtag(version, encoding)];
  if (encoding !== 'identity') etags.push(bodyEtag(version, encoding, 'quick'));
  return etags.find((etag) => isUnchanged(headers, etag));
}

/** Returns whether the client already has these bytes (RFC 9110 §13.1.2). */
export function isUnchanged(
  { 'if-none-match': knownEtags }: IncomingHttpHeaders,
  etag: string,
): boolean {
  if (knownEtags === undefined || knownEtags === etag) return knownEtags !== undefined;
  return (
    knownEtags.trim() === '*' ||
    knownEtags.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
  );
}

/**
 * Parses a `Range` header (RFC 9110 §14.2). Only a single range is served; several, or a malformed
 * header, count as none.
 * @returns `unsatisfiable` if the range is outside the file
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = header === undefined ? null : /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (start >= sizeBytes || end < start) return 'unsatisfiable';
  return { start, end };
}

/**
 * Returns the requested range of a file. A range is only useful with the rest of the same bytes, so
 * `If-Range` must match them (RFC 9110 §13.1.5).
 * @returns undefined if the whole file is requested, `unsatisfiable` if the range is outside of it
 */
export function requestedRange(
  headers: IncomingHttpHeaders,
  etag: string,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const ifRange = headers['if-range'];
  return ifRange === undefined || ifRange === etag
    ? parseRange(headers.range, sizeBytes)
    : undefined;
}

/**
 * Streams a file, or a range of it (RFC 9110 §14).
 * @param file.open opens the file or the range; throws if there is none
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { sizeBytes, range, open }: FileToSend,
): Promise<FastifyReply> {
  if (range === 'unsatisfiable')
    return reply.code(416).header('content-range', `bytes */${sizeBytes}`).send();
  reply.header('content-length', range ? range.end - range.start + 1 : sizeBytes);
  if (range)
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`);
  if (request.method === 'HEAD') return reply.send();
  const bytes = await open(range);
  return reply.send(bytes instanceof Readable ? bytes : Readable.from(bytes));
}

interface FileToSend {
  sizeBytes: number;
  range: ReturnType<typeof parseRange>;
  open: (range?: ByteRange) => Promise<AsyncIterable<Uint8Array>>;
}

const compressors = {
  atOnce: { br: brotliCompressSync, gzip: gzipSync },
  inThread: { br: promisify(brotliCompress), gzip: promisify(gzip) },
};
const decompressors = { br: promisify(brotliDecompress), gzip: promisify(gunzip) };

/**
 * How well a body is compressed: at once for its first reader, a quarter larger and in a tenth of
 * the time, and then fully for all who follow.
 */
export type Effort = 'quick' | 'full';

/** Smaller bodies do not benefit from compression. */
const MIN_COMPRESSED_BYTES = 512;
/**
 * Larger files are sent uncompressed: they would take memory and time, and documentation has hardly
 * any large text files.
 */
const MAX_COMPRESSED_BYTES = 8 * 1024 * 1024;
/**
 * A quick compression of a body up to this size takes less time than handing it to a thread: 0.1
 * instead of 0.17 ms for 30 KB.
 */
const MAX_AT_ONCE_BYTES = 64 * 1024;
/** The better one is smaller than gzip at its best. */
const BROTLI_QUALITY = { quick: 1, full: 5 };
const GZIP_LEVEL = { quick: 1, full: 6 };

export interface EncodedBody {
  bytes: Buffer;
  effort: Effort;
}

/** Caches encoded bodies up to a number of bytes; the least recently used are evicted first. */
export interface BodyCache {
  /**
   * Returns the body in that encoding, encoded once for concurrent requests: quickly for the first
   * request, while a second one has it encoded fully for the next. Bodies without a version are
   * encoded each time.
   * @param owner whose body it is, of several who share the cache
   */
  get(
    body: Pick<SiteBody, 'version' | 'read' | 'readEncoded'>,
    encoding: Encoding,
    owner?: string,
  ): Promise<EncodedBody>;
}

/** @param maxBytes maximum memory of the bodies */
export function createBodyCache(maxBytes: number): BodyCache {
  const bodies = new BoundedCache<EncodedBody & { owner: string }>('page_bodies', {
    maxBytes,
    sizeOf: ({ bytes }) => bytes.byteLength,
    ownerOf: ({ owner }) => owner,
  });
  let isImproving = false;

  /** One at a time, and what comes meanwhile at its next request: readers come first. */
  async function improve(key: string, encoding: 'br' | 'gzip', bytes: Buffer): Promise<void> {
    if (isImproving) return;
    isImproving = true;
    try {
      const body = await encodeBody(await decompressors[encoding](bytes), encoding);
      const former = bodies.peek(key);
      if (former) bodies.set(key, { ...former, bytes: body, effort: 'full' });
    } catch {
      // The quick form stays, and its next request tries again.
    } finally {
      isImproving = false;
    }
  }

  return {
    async get({ version, read, readEncoded }, encoding, owner = '') {
      const make = async (): Promise<EncodedBody & { owner: string }> => {
        const stored = await readEncoded?.(encoding);
        if (stored) return { bytes: stored, effort: 'full', owner };
        const effort = encoding === 'identity' ? 'full' : 'quick';
        return { bytes: await encodeBody(await read(), encoding, effort), effort, owner };
      };
      if (version === undefined) return make();
      const key = `${encoding} ${version}`;
      const former = bodies.peek(key);
      if (former?.effort === 'quick' && encoding !== 'identity')
        void improve(key, encoding, former.bytes);
      return bodies.load(key, make);
    },
  };
}

/** One body as it is sent. */
export async function encodeBody(
  body: string | Uint8Array,
  encoding: Encoding,
  effort: Effort = 'full',
): Promise<Buffer> {
  const bytes = Buffer.from(body as string);
  if (encoding === 'identity') return bytes;
  const isAtOnce = effort === 'quick' && bytes.byteLength <= MAX_AT_ONCE_BYTES;
  const compress = isAtOnce ? compressors.atOnce : compressors.inThread;
  if (encoding === 'gzip') return compress.gzip(bytes, { level: GZIP_LEVEL[effort] });
  return compress.br(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
    },
  });
}

/** Whether a body is also sent compressed. */
export function isServedCompressed({
  type,
  sizeBytes,
}: Pick<SiteBody, 'type' | 'sizeBytes'>): boolean {
  if (!isCompressible(type)) return false;
  return (
    sizeBytes === undefined ||
    (sizeBytes >= MIN_COMPRESSED_BYTES && sizeBytes <= MAX_COMPRESSED_BYTES)
  );
}

/** Returns the best encoding that the client accepts (RFC 9110 §12.5.3). */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (!acceptEncoding) return 'identity';
  const accepted = new Set<string>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name);
  }
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : 'identity';
}
