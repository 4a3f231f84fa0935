import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { DocentError } from '@docent/format/errors.ts';

/** Prefix of public and secret keys in minisign's files: the algorithm, Ed25519. */
const ED25519 = Buffer.from('Ed');
export const KEY_ID_BYTES = 8;
const KEY_BYTES = 32;
/**
 * Of minisign's secret keys: algorithm, derivation, checksum, salt and limits come before the key
 * id.
 */
const SECRET_HEAD_BYTES = 2 + 2 + 2 + 32 + 8 + 8;

/** A key that signs bundles. */
export interface SigningKey {
  privateKey: KeyObject;
  /** Identifies the key in signatures. */
  id: Buffer;
}

export interface VerifyingKey {
  publicKey: KeyObject;
  id: Buffer;
}

function rawPublic(key: KeyObject): Buffer {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
}

/** Derives the id of our own keys from the key, so that it need not be stored beside it. */
function idOf(publicKey: KeyObject): Buffer {
  return createHash('sha256').update(rawPublic(publicKey)).digest().subarray(0, KEY_ID_BYTES);
}

/** Formats the key id like minisign: last byte first. */
export function writtenId(id: Buffer): string {
  return Buffer.from(id).reverse().toString('hex').toUpperCase();
}

/** Creates a key pair: the secret key as PEM (PKCS #8), the public key in minisign format. */
export function createSigningKey(): { secret: string; public: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    secret: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    public: publicKeyText({ privateKey, id: idOf(publicKey) }),
  };
}

/** Returns the public key of a signing key, in the format of minisign's `.pub` files. */
export function publicKeyText({ privateKey, id }: SigningKey): string {
  const bytes = Buffer.concat([ED25519, id, rawPublic(createPublicKey(privateKey))]);
  return `untrusted comment: minisign public key ${writtenId(id)}\n${bytes.toString('base64')}\n`;
}

/**
 * Reads a secret key: Ed25519 as PEM, or a minisign key without a password.
 * @throws DocentError `invalid_setting`
 */
export function readSigningKey(text: string): SigningKey {
  try {
    const privateKey = text.includes('-----BEGIN') ? createPrivateKey(text) : undefined;
    if (privateKey?.asymmetricKeyType === 'ed25519')
      return { privateKey, id: idOf(createPublicKey(privateKey)) };
    if (!privateKey) return readMinisignSecret(text);
  } catch (cause) {
    if (cause instanceof DocentError) throw cause;
  }
  throw new DocentError(
    'invalid_setting',
    'The signing key is not an Ed25519 key; create one with "docent signing-key <file>", or with "minisign -G -W".',
  );
}

function readMinisignSecret(text: string): SigningKey {
  const bytes = Buffer.from(text.trim().split('\n').at(-1) ?? '', 'base64');
  if (bytes.subarray(2, 4).toString() === 'Sc')
    throw new DocentError(
      'invalid_setting',
      'The signing key has a password; remove it with "minisign -C -W -s <file>".',
    );
  const id = bytes.subarray(SECRET_HEAD_BYTES, SECRET_HEAD_BYTES + KEY_ID_BYTES);
  const seed = bytes.subarray(SECRET_HEAD_BYTES + KEY_ID_BYTES).subarray(0, KEY_BYTES);
  const point = bytes.subarray(SECRET_HEAD_BYTES + KEY_ID_BYTES + KEY_BYTES).subarray(0, KEY_BYTES);
  if (!bytes.subarray(0, 2).equals(ED25519) || point.byteLength < KEY_BYTES)
    throw new Error('The key is incomplete.');
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: seed.toString('base64url'),
    x: point.toString('base64url'),
  };
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  if (!rawPublic(createPublicKey(privateKey)).equals(point)) throw new Error('The key is damaged.');
  return { privateKey, id };
}

/**
 * Reads a minisign public key: its file, or the line in it that is the key.
 * @throws DocentError `invalid_request`
 */
export function readVerifyingKey(text: string): VerifyingKey {
  const bytes = Buffer.from(text.trim().split('\n').at(-1) ?? '', 'base64');
  if (
    bytes.byteLength !== ED25519.byteLength + KEY_ID_BYTES + KEY_BYTES ||
    !bytes.subarray(0, 2).equals(ED25519)
  ) {
    throw new DocentError(
      'invalid_request',
      'This is not a public key; use the 56-character text in the .pub file of the key.',
    );
  }
  const x = bytes.subarray(2 + KEY_ID_BYTES).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return { publicKey, id: bytes.subarray(2, 2 + KEY_ID_BYTES) };
}
