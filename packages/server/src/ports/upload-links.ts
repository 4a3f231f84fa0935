import type { BucketTarget } from '@docent/format/analytics/stream-target.ts';

/** A new object in someone else's bucket. */
export interface Upload {
  bucket: Omit<BucketTarget, 'kind' | 'prefix'>;
  secretAccessKey: string;
  key: string;
}

/**
 * Signs URLs that accept one upload by `PUT` for a few minutes. Sends nothing: the caller uploads
 * through the guard of
 * `OutsideCalls`.
 */
export type UploadLinks = (upload: Upload) => Promise<string>;
