/** Where a stream of analytics events goes. */
export type StreamTarget = WebhookTarget | BucketTarget;

export interface WebhookTarget {
  kind: 'webhook';
  url: string;
}

/** A place in storage that speaks S3. */
export interface BucketTarget {
  kind: 's3';
  bucket: string;
  /** Stands before the name of every object. */
  prefix: string;
  /** Address of a store that is not AWS. */
  endpoint?: string | undefined;
  region: string;
  /** `host/bucket/key` rather than `bucket.host/key`. */
  forcePathStyle: boolean;
  accessKeyId: string;
}

const FIRST_DELAY_SECONDS = 10;
const MAX_DELAY_SECONDS = 3600;

/**
 * Seconds until a failed delivery is tried again: twice as long each time, up to an hour, and no sooner than the receiver asks for.
 * @param failures deliveries that failed in a row
 * @param askedSeconds `Retry-After` of the receiver
 */
export function retryDelaySeconds(failures: number, askedSeconds = 0): number {
  const own = FIRST_DELAY_SECONDS * 2 ** Math.min(failures - 1, 20);
  return Math.min(MAX_DELAY_SECONDS, Math.max(own, askedSeconds));
}
