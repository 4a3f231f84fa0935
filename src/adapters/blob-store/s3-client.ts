import { S3Client } from '@aws-sdk/client-s3';

/** A bucket and how to reach it. */
export interface S3Settings {
  bucket: string;
  /** Prefix of every key; empty, or ends with a slash. */
  prefix: string;
  /** Address of a store other than AWS. */
  endpoint?: string;
  /** URL of the store in links for readers, if theirs differs. */
  publicEndpoint?: string;
  region?: string;
  /** Use `host/bucket/key` instead of `bucket.host/key`. */
  forcePathStyle: boolean;
  /** If absent, the AWS credential chain applies: environment, shared files, web identity, machine role. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

/** Client settings that tests lower. */
export interface S3Patience {
  connectionTimeoutMs: number;
  /** An idle connection is closed after this time. */
  idleTimeoutMs: number;
  /** Maximum attempts per request, including the first. */
  attempts: number;
}

export const usualPatience: S3Patience = { connectionTimeoutMs: 5_000, idleTimeoutMs: 30_000, attempts: 5 };

/** Each body that a slow reader keeps open holds a connection, and page requests must not wait for those. */
const maxConnections = 256;
/** Default region: stores other than AWS accept any value. */
const anyRegion = 'us-east-1';

/**
 * Creates a client for the store at `endpoint`. Omits checksums other than the signed SHA-256 of the payload, because many stores
 * do not support them.
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
      // The limit above exists to make requests wait for a connection, so no warning is needed.
      socketAcquisitionWarningTimeout: 10 * 60 * 1000,
      httpAgent: { keepAlive: true, maxSockets: maxConnections },
      httpsAgent: { keepAlive: true, maxSockets: maxConnections },
    },
  });
}
