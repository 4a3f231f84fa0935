import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { DocentError } from '@docent/format/errors.ts';

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
  /**
   * If absent, the AWS credential chain applies: environment, shared files, web identity, machine
   * role.
   */
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

export const usualPatience: S3Patience = {
  connectionTimeoutMs: 5_000,
  idleTimeoutMs: 30_000,
  attempts: 5,
};

/**
 * Each body that a slow reader keeps open holds a connection, and page requests must not wait for
 * those.
 */
const maxConnections = 256;
/** Default region: stores other than AWS accept any value. */
const anyRegion = 'us-east-1';

/**
 * Creates a client for the store at `endpoint`. Omits checksums other than the signed SHA-256 of
 * the payload, because many stores do not support them.
 */
export function createS3Client(
  settings: S3Settings,
  endpoint: string | undefined,
  patience: S3Patience,
): S3Client {
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

/** Returns whether the store answered with one of these error codes. */
export function isFault(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes(error.name);
}

/**
 * Returns whether the store reports that the object does not exist. A missing bucket is a different
 * error.
 */
export function isMissing(error: unknown): boolean {
  if (isFault(error, 'NoSuchBucket')) return false;
  return isFault(error, 'NoSuchKey', 'NotFound') || statusOf(error) === 404;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

const retryAfterSeconds = 5;

/**
 * Converts an error of a request: a store that does not answer, or is temporarily unable to,
 * becomes `dependency_unavailable`; other errors stay as they are, such as an error of the body
 * that was being stored.
 */
export function faultOfRequest(error: unknown): unknown {
  // Every request error has this property, even if there was no answer.
  const isOfRequest = error instanceof Error && '$metadata' in error && error.name !== 'AbortError';
  if (!isOfRequest || (statusOf(error) ?? 500) < 500) return error;
  return storeSilent(error);
}

/** The store does not answer, or not to the end. */
export function storeSilent(error: unknown): DocentError {
  const detail = 'The file store is not responding; try again.';
  return new DocentError('dependency_unavailable', detail, {
    retryAfterSeconds,
    dependency: 'fileStore',
    cause: error,
  });
}

/**
 * Explains why the store or the network rejected a request, by error code, as one line with the
 * remedy.
 */
const remedies: [codes: string[], line: (settings: S3Settings, place: string) => string][] = [
  [
    ['NoSuchBucket', 'NotFound'],
    ({ bucket }, place) =>
      `DOCENT_S3_BUCKET: there is no bucket "${bucket}" at ${place}; create it, or correct the name.`,
  ],
  [
    ['InvalidAccessKeyId', 'InvalidAccessKey'],
    (_, place) => `DOCENT_S3_ACCESS_KEY_ID: ${place} does not know this key; correct it.`,
  ],
  [
    ['SignatureDoesNotMatch'],
    (_, place) =>
      `DOCENT_S3_SECRET_ACCESS_KEY: ${place} rejects the signature; correct the secret, or make sure that no proxy changes the Host header.`,
  ],
  [
    ['ExpiredToken', 'ExpiredTokenException', 'InvalidToken', 'TokenRefreshRequired'],
    () => 'DOCENT_S3_ACCESS_KEY_ID: the temporary credentials have expired; renew them.',
  ],
  [
    ['CredentialsProviderError'],
    () =>
      'DOCENT_S3_ACCESS_KEY_ID: there are no credentials; set it and DOCENT_S3_SECRET_ACCESS_KEY, or assign a role to this machine.',
  ],
  [
    [
      'PermanentRedirect',
      'AuthorizationHeaderMalformed',
      'IllegalLocationConstraintException',
      '301',
      '307',
    ],
    ({ bucket }, place) =>
      `DOCENT_S3_REGION: the bucket "${bucket}" at ${place} is in another region; set that region.`,
  ],
  [['RequestTimeTooSkewed'], (settings) => describeClockFault(settings)],
  [
    [
      'ENOTFOUND',
      'EAI_AGAIN',
      'ECONNREFUSED',
      'ECONNRESET',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'TimeoutError',
    ],
    (_, place) =>
      `DOCENT_S3_ENDPOINT: ${place} cannot be reached; correct the address, or start the store.`,
  ],
];

/** Message for clocks that differ by minutes. */
export function describeClockFault({ endpoint }: S3Settings): string {
  return `The clock of this machine differs from that of the store at ${endpoint ?? 'AWS'}; synchronize it, for example with NTP.`;
}

/**
 * Explains in one line why the store cannot be used: the setting, the problem and the remedy.
 * @param action what was attempted, as in "may not …"
 */
export function describeStoreFault(error: unknown, settings: S3Settings, action: string): string {
  const place = settings.endpoint ?? 'AWS';
  const codes = codesOf(error);
  const remedy = remedies.find(([names]) => names.some((name) => codes.includes(name)));
  if (remedy) return remedy[1](settings, place);
  if (codes.includes('AccessDenied') || statusOf(error) === 403)
    return `DOCENT_S3_BUCKET: the credentials may not ${action} the bucket "${settings.bucket}" at ${place}; allow it in their policy.`;
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return `DOCENT_S3_ENDPOINT: the bucket "${settings.bucket}" at ${place} cannot be used: ${reason}`;
}

/**
 * Returns the error's name, the operating system's code, and the status if nothing else is known.
 */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const code = (error as NodeJS.ErrnoException).code;
  return [
    error.name,
    ...(code ? [code] : []),
    String(statusOf(error) ?? ''),
    ...(inner ? codesOf(inner) : []),
  ];
}
