import type { IncomingHttpHeaders } from 'node:http';
import type { Encoding } from './body-cache.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Pages may be kept, but each use asks whether they are still the newest; that is an `ETag` away. */
const REVALIDATED = 'public, max-age=0, must-revalidate';

/** @param immutable nothing else will ever be at the address */
export function cacheControl(immutable: boolean): string {
  return immutable ? IMMUTABLE : REVALIDATED;
}

/** The `ETag` of a body by what names it; each encoding of it is other bytes (RFC 9110 §8.8.3). */
export function bodyEtag(version: string, encoding: Encoding): string {
  return `"${version}${encoding === 'identity' ? '' : `-${encoding}`}"`;
}

/** Names a file by its content. */
export function fileVersion({ sha256 }: { sha256: string }): string {
  return sha256.slice(0, 16);
}

/** Whether the client has these bytes already (RFC 9110 §13.1.2). */
export function isUnchanged({ 'if-none-match': known }: IncomingHttpHeaders, etag: string): boolean {
  if (known === undefined || known === etag) return known !== undefined;
  return known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

export interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}

/**
 * Reads a `Range` header (RFC 9110 §14.2). Only a single range is served; several, or a malformed header, count as none.
 * @returns `unsatisfiable` where the range lies outside the file
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
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
 * The part of a file that a client asks for. A part is of use only to who has the rest of the same bytes, so `If-Range` has to name
 * them (RFC 9110 §13.1.5).
 * @returns undefined where the whole file is wanted, `unsatisfiable` where the range lies outside of it
 */
export function wantedRange(
  headers: IncomingHttpHeaders,
  etag: string,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const ifRange = headers['if-range'];
  return ifRange === undefined || ifRange === etag ? parseRange(headers.range, sizeBytes) : undefined;
}
