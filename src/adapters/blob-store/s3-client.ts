import { S3Client } from '@aws-sdk/client-s3';

/** A bucket, and how it is reached. */
export interface S3Settings {
  bucket: string;
  /** Stands before every key; empty, or with a slash at its end. */
  prefix: string;
  /** Address of a store that is not AWS. */
  endpoint?: string;
  /** Address of the store in the links that readers get, where theirs is another. */
  publicEndpoint?: string;
  region?: string;
  /** `host/bucket/key` rather than `bucket.host/key`. */
  forcePathStyle: boolean;
  /** Where there are none, the chain of AWS: environment, shared files, web identity, role of the machine. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

/** Settings of one client that tests make smaller. */
export interface S3Patience {
  connectionTimeoutMs: number;
  /** A connection on which nothing moves for so long is given up. */
  idleTimeoutMs: number;
  /** Tries of one request, the first included. */
  attempts: number;
}

export const usualPatience: S3Patience = { connectionTimeoutMs: 5_000, idleTimeoutMs: 30_000, attempts: 5 };

/** Each body that a slow reader has open holds a connection, and pages must not wait for those. */
const maxConnections = 256;
/** What stores other than AWS take, whatever it is, when none is set. */
const anyRegion = 'us-east-1';

/**
 * A client of the store at `endpoint`. Checksums beyond the signed SHA-256 of what is sent are left out, because many stores do not
 * know them.
 */
export function createS3Client(settings: S3Settings, endpoint: string | undefined, patience: S3Patience): S3Client {
  const region = settings.region ?? (endpoint === undefined ? undefined : anyRegion);
  return new S3Client({
    forcePathStyle: settings.forcePathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(settings.credentials && { credentials: settings.credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: patience.attempts,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: patience.connectionTimeoutMs,
      socketTimeout: patience.idleTimeoutMs,
      // Waiting for a connection is what the bound above is for, and nothing to warn of.
      socketAcquisitionWarningTimeout: 10 * 60 * 1000,
      httpAgent: { keepAlive: true, maxSockets: maxConnections },
      httpsAgent: { keepAlive: true, maxSockets: maxConnections },
    },
  });
}
