import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange, Encoding } from '../../../ports/site-content.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Pages may be cached, but must be revalidated on each use, which costs one `ETag` comparison. */
const REVALIDATED = 'public, max-age=0, must-revalidate';

/** @param immutable the content of the URL never changes */
export function cacheControl(immutable: boolean): string {
  return immutable ? IMMUTABLE : REVALIDATED;
}

/** Returns the `ETag` of a body from its identity; each encoding has other bytes (RFC 9110 §8.8.3). */
export function bodyEtag(version: string, encoding: Encoding): string {
  return `"${version}${encoding === 'identity' ? '' : `-${encoding}`}"`;
}

/** Returns whether the client already has these bytes (RFC 9110 §13.1.2). */
export function isUnchanged({ 'if-none-match': known }: IncomingHttpHeaders, etag: string): boolean {
  if (known === undefined || known === etag) return known !== undefined;
  return known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

/**
 * Parses a `Range` header (RFC 9110 §14.2). Only a single range is served; several, or a malformed header, count as none.
 * @returns `unsatisfiable` if the range is outside the file
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
 * Returns the requested range of a file. A range is only useful with the rest of the same bytes, so `If-Range` must match them
 * (RFC 9110 §13.1.5).
 * @returns undefined if the whole file is requested, `unsatisfiable` if the range is outside of it
 */
export function requestedRange(
  headers: IncomingHttpHeaders,
  etag: string,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const ifRange = headers['if-range'];
  return ifRange === undefined || ifRange === etag ? parseRange(headers.range, sizeBytes) : undefined;
}
