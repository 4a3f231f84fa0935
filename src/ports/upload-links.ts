import type { BucketTarget } from '../core/analytics/stream-target.ts';

/** A new object in a bucket of somebody else. */
export interface Upload {
  bucket: Omit<BucketTarget, 'kind' | 'prefix'>;
  secretAccessKey: string;
  key: string;
}

/**
 * Signs addresses that take one upload by `PUT` for a few minutes. Nothing is sent: whoever uploads does so through the guard of
 * `OutsideCalls`.
 */
export type UploadLinks = (upload: Upload) => Promise<string>;
