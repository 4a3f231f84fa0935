import type { IncomingHttpHeaders } from 'node:http';

/** What distinguishes the contents of a URL, according to the server (RFC 9110 §8.8). */
export interface Validator {
  etag?: string;
  lastModified?: string;
}

export function validatorOf({ etag, 'last-modified': lastModified }: IncomingHttpHeaders): Validator {
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}

/** Returns whether two responses had the same content; unknown counts as no. */
export function sameContent(one: Validator, other: Validator): boolean {
  if (one.etag !== undefined || other.etag !== undefined) return one.etag === other.etag;
  return one.lastModified !== undefined && one.lastModified === other.lastModified;
}
