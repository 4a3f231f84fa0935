import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Returns a strong `ETag` of the changeable properties of a resource (RFC 9110 §8.8.3). */
export function etagOf(state: object): string {
  return `"${createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16)}"`;
}

/** The header that makes a change conditional on the state that the caller knows. */
export const ifMatchHeader = z.object({
  'if-match': z
    .string()
    .max(500)
    .optional()
    .describe('The `ETag` of the last state you read: the change is refused with 412 if the resource has changed since.'),
});

/** Returns whether a change may proceed (RFC 9110 §13.1.1). Without the header it always may. */
export function meetsIfMatch(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return ifMatch.split(',').some((one) => one.trim() === etag);
}
