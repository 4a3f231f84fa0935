import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A strong `ETag` of what can be changed of a thing (RFC 9110 §8.8.3). */
export function etagOf(state: object): string {
  return `"${createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16)}"`;
}

/** The header that makes a change depend on what the caller knows. */
export const ifMatchHeader = z.object({
  'if-match': z
    .string()
    .max(500)
    .optional()
    .describe('The `ETag` of the thing as you know it: the change is refused with 412 where somebody has changed it since.'),
});

/** Whether a change may go ahead (RFC 9110 §13.1.1). Without the header it always may. */
export function meetsIfMatch(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return ifMatch.split(',').some((one) => one.trim() === etag);
}
