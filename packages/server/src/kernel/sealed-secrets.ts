import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What secrets are for: each use has its own key. */
type SecretUse =
  | 'analytics streams'
  | 'clients of agents'
  | 'codes of agents'
  | 'tokens of agents'
  | 'Git sources'
  | 'GitHub Apps'
  | 'mail links of readers'
  | 'members who read'
  | 'views as a reader'
  | 'providers of readers'
  | 'sign-ins of people'
  | 'sign-ins of readers'
  | 'sessions of readers of bundles'
  | 'waiting readers'
  | 'webhooks';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts credentials of other services, so that a copy of the database alone gives no access to
 * them (AES-256-GCM).
 */
export function sealSecret(serverSecret: string, use: SecretUse, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(serverSecret, use), nonce);
  return Buffer.concat([
    nonce,
    cipher.update(text, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('base64');
}

/**
 * @returns the decrypted value; `undefined` if it was encrypted with another secret of the server
 */
export function openSecret(
  serverSecret: string,
  use: SecretUse,
  sealed: string,
): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keyOf(serverSecret, use),
      bytes.subarray(0, NONCE_BYTES),
      {
        // A shorter tag could be guessed.
        authTagLength: TAG_BYTES,
      },
    );
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return (
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') +
      decipher.final('utf8')
    );
  } catch {
    return undefined;
  }
}

function keyOf(serverSecret: string, use: SecretUse): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', serverSecret, '', `docent: secrets of ${use}`, 32));
}
