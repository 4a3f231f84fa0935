import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
/** How long the previous secret also signs. */
const OVERLAP_MS = 24 * 3600 * 1000;

/** The stored secret of a webhook, and the previous one, which signs too until a time. */
interface StoredSecrets {
  secret: string;
  formerSecret: string | null;
  formerUntil: Date | null;
}

/** Returns what is stored of a secret that is replaced now. */
export function formerOf(
  { secret }: Pick<StoredSecrets, 'secret'>,
  now: Date,
): Omit<StoredSecrets, 'secret'> {
  return { formerSecret: secret, formerUntil: new Date(now.getTime() + OVERLAP_MS) };
}

/** Returns the previous secret as it is stored; undefined if it signs no longer. */
export function formerSecretAt(
  { formerSecret, formerUntil }: Omit<StoredSecrets, 'secret'>,
  now: Date,
): string | undefined {
  return formerSecret !== null && formerUntil !== null && formerUntil > now
    ? formerSecret
    : undefined;
}

/** Makes a secret in the format of Standard Webhooks. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Returns the headers of a delivery by Standard Webhooks 1.0.
 * @param id the same in each attempt
 * @param secrets each signs: that of now, and the former one for a while
 */
export function signedHeaders(
  { id, body, now }: { id: string; body: Uint8Array; now: Date },
  secrets: readonly string[],
): [string, string][] {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  return [
    ['webhook-id', id],
    ['webhook-timestamp', timestamp],
    [
      'webhook-signature',
      secrets.map((secret) => signatureOf(secret, { id, timestamp, body })).join(' '),
    ],
  ];
}

/** Returns the signature of a delivery by Standard Webhooks 1.0. @param delivery `timestamp` is in seconds */
export function signatureOf(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: Uint8Array },
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/**
 * Returns what a person does about a status that a receiver of webhooks must not answer with; empty
 * for most.
 */
export function receiverRemedy(status: number): string {
  return status >= 300 && status < 400
    ? '; redirects are not followed, so set the URL of the destination.'
    : '.';
}
