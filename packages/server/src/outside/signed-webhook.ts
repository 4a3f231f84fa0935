import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

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
      secrets.map((secret) => signatureOf(secret, id, timestamp, body)).join(' '),
    ],
  ];
}

function signatureOf(secret: string, id: string, timestamp: string, body: Uint8Array): string {
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
