/** The destination of a stream of analytics events. */
export type StreamTarget = { kind: 'webhook'; url: string } | BucketTarget;

/** A storage location with the S3 API. */
export interface BucketTarget {
  kind: 's3';
  bucket: string;
  /** Prefix of the name of every object. */
  prefix: string;
  /** Address of a store other than AWS. */
  endpoint?: string | undefined;
  region: string;
  /** `host/bucket/key` rather than `bucket.host/key`. */
  forcePathStyle: boolean;
  accessKeyId: string;
}

const FIRST_DELAY_SECONDS = 10;
const MAX_DELAY_SECONDS = 3600;

/**
 * Returns the seconds until a failed delivery is retried: doubles each time, up to an hour, and at
 * least what the receiver asks for.
 * @param failures number of consecutive failures
 * @param askedSeconds `Retry-After` of the receiver
 */
export function retryDelaySeconds(failures: number, askedSeconds = 0): number {
  const backoffSeconds = FIRST_DELAY_SECONDS * 2 ** Math.min(failures - 1, 20);
  return Math.min(MAX_DELAY_SECONDS, Math.max(backoffSeconds, askedSeconds));
}
