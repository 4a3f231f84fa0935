import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { TokenAlgorithm, TokenKeys } from '../../ports/readers/reader-tables.ts';

const MIN_RSA_BITS = 2048;

/**
 * Reads a public key, as PEM or as a JSON Web Key. The kind of the key alone decides the algorithm,
 * so that no token can choose another.
 * @returns what is wrong with it
 */
export function readTokenKey(text: string): TokenKeys | string {
  if (/PRIVATE KEY/.test(text))
    return 'This is a private key: keep it on your server, and send the public one.';
  const key = parseKey(text);
  if (typeof key === 'string') return key;
  const alg = algorithmOf(key);
  if (!alg) return `Must be an Ed25519, P-256 or RSA key; RSA of at least ${MIN_RSA_BITS} bits.`;
  return { kind: 'key', alg, jwk: { ...key.export({ format: 'jwk' }) } };
}

function parseKey(text: string): KeyObject | string {
  try {
    if (!text.trimStart().startsWith('{')) return createPublicKey(text);
    const jwk = JSON.parse(text) as Record<string, unknown>;
    if ('d' in jwk || jwk.kty === 'oct')
      return 'This key is secret: keep it on your server, and send the public one.';
    return createPublicKey({ key: jwk as never, format: 'jwk' });
  } catch {
    return 'Must be a public key, as PEM (-----BEGIN PUBLIC KEY-----) or as a JSON Web Key.';
  }
}

function algorithmOf({
  asymmetricKeyType,
  asymmetricKeyDetails,
}: KeyObject): TokenAlgorithm | undefined {
  if (asymmetricKeyType === 'ed25519') return 'EdDSA';
  if (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1')
    return 'ES256';
  if (asymmetricKeyType === 'rsa' && Number(asymmetricKeyDetails?.modulusLength) >= MIN_RSA_BITS)
    return 'RS256';
  return undefined;
}

/** Creates a key pair for tokens. @returns the private half as PEM, which is not stored */
export function createTokenKey(): { keys: TokenKeys; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    keys: { kind: 'key', alg: 'EdDSA', jwk: { ...publicKey.export({ format: 'jwk' }) } },
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

/** Returns the public key as PEM, for the owner. */
export function publicKeyText(keys: TokenKeys): string | null {
  if (keys.kind === 'set') return null;
  const key = createPublicKey({ key: keys.jwk as never, format: 'jwk' });
  return key.export({ format: 'pem', type: 'spki' }).toString();
}
