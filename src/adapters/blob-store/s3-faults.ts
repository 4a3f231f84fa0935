import { S3ServiceException } from '@aws-sdk/client-s3';
import { DocentError } from '../../core/errors.ts';
import type { S3Settings } from './s3-client.ts';

/** Whether the store answered with one of these codes of its own. */
export function isFault(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes(error.name);
}

/** Whether the store says that there is no such object. A missing bucket is another matter. */
export function isMissing(error: unknown): boolean {
  if (isFault(error, 'NoSuchBucket')) return false;
  return isFault(error, 'NoSuchKey', 'NotFound') || statusOf(error) === 404;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

const retryAfterSeconds = 5;

/**
 * What to throw for a fault of a request: a store that does not answer, or cannot now, is said to be away; the rest stays as it is,
 * such as the fault of a body that was being stored.
 */
export function faultOfRequest(error: unknown): unknown {
  // Every fault of a request has this, also where there was no answer.
  const isOfRequest = error instanceof Error && '$metadata' in error && error.name !== 'AbortError';
  if (!isOfRequest || (statusOf(error) ?? 500) < 500) return error;
  const detail = 'The store of the files does not answer; try again.';
  return new DocentError('dependency_unavailable', detail, { retryAfterSeconds, cause: error });
}

/** What a store or the way to it has against us, by its code, as one line with the remedy. */
const remedies: [codes: string[], line: (settings: S3Settings, place: string) => string][] = [
  [
    ['NoSuchBucket', 'NotFound'],
    ({ bucket }, place) => `DOCENT_S3_BUCKET: there is no bucket "${bucket}" at ${place}; make it, or correct the name.`,
  ],
  [
    ['InvalidAccessKeyId', 'InvalidAccessKey'],
    (_, place) => `DOCENT_S3_ACCESS_KEY_ID: ${place} does not know this key; correct it.`,
  ],
  [
    ['SignatureDoesNotMatch'],
    (_, place) =>
      `DOCENT_S3_SECRET_ACCESS_KEY: ${place} refuses the signature; correct the secret, or let no proxy change the Host on the way.`,
  ],
  [
    ['ExpiredToken', 'ExpiredTokenException', 'InvalidToken', 'TokenRefreshRequired'],
    () => 'DOCENT_S3_ACCESS_KEY_ID: the temporary credentials have expired; renew them.',
  ],
  [
    ['CredentialsProviderError'],
    () =>
      'DOCENT_S3_ACCESS_KEY_ID: there are no credentials; set it and DOCENT_S3_SECRET_ACCESS_KEY, or give this machine a role.',
  ],
  [
    ['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException', '301', '307'],
    ({ bucket }, place) => `DOCENT_S3_REGION: the bucket "${bucket}" at ${place} is in another region; set that one.`,
  ],
  [['RequestTimeTooSkewed'], (settings) => describeClockFault(settings)],
  [
    ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'TimeoutError'],
    (_, place) => `DOCENT_S3_ENDPOINT: ${place} cannot be reached; correct the address, or start the store.`,
  ],
];

/** What to say where the clocks differ by minutes. */
export function describeClockFault({ endpoint }: S3Settings): string {
  return `The clock of this machine is not that of the store at ${endpoint ?? 'AWS'}; set it, for example with NTP.`;
}

/**
 * Why the store cannot be used, in one line: which setting, what is wrong, what to do.
 * @param action what was tried, as in "may not …"
 */
export function describeStoreFault(error: unknown, settings: S3Settings, action: string): string {
  const place = settings.endpoint ?? 'AWS';
  const codes = codesOf(error);
  const known = remedies.find(([names]) => names.some((name) => codes.includes(name)));
  if (known) return known[1](settings, place);
  if (codes.includes('AccessDenied') || statusOf(error) === 403)
    return `DOCENT_S3_BUCKET: the credentials may not ${action} the bucket "${settings.bucket}" at ${place}; allow it in their policy.`;
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return `DOCENT_S3_ENDPOINT: the bucket "${settings.bucket}" at ${place} cannot be used: ${reason}`;
}

/** Its name, the code of the operating system, and the status where there is no more. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const code = (error as NodeJS.ErrnoException).code;
  return [error.name, ...(code ? [code] : []), String(statusOf(error) ?? ''), ...(inner ? codesOf(inner) : [])];
}
