import { createHash, type Hash, sign, verify } from 'node:crypto';
import { DocentError } from '@docent/format/errors.ts';
import { KEY_ID_BYTES, type SigningKey, type VerifyingKey, writtenId } from './signing-key.ts';

/**
 * Signatures in minisign format: Ed25519 over the BLAKE2b-512 of the file. The older form without a
 * hash is not accepted.
 */
const HASHED = Buffer.from('ED');
const SIGNATURE_BYTES = 64;
const MAX_SIGNATURE_CHARS = 16 * 1024;
const TRUSTED = 'trusted comment: ';

/** Suffix of the signature file beside an archive. */
export const SIGNATURE_ENDING = '.minisig';

/**
 * Creates the hash to sign: feed it every byte of the archive, then pass its digest to
 * `signBundle`.
 */
export function createSignatureHash(): Hash {
  return createHash('blake2b512');
}

/**
 * Signs an archive.
 * @param digest result of `createSignatureHash`
 * @param comment one line that is signed too: what the archive is
 * @returns the text of a `.minisig` file; identical for identical archives
 */
export function signBundle(digest: Uint8Array, key: SigningKey, comment: string): string {
  const line = comment.replace(/[\r\n]+/g, ' ');
  const signature = sign(null, digest, key.privateKey);
  const whole = sign(null, Buffer.concat([signature, Buffer.from(line)]), key.privateKey);
  const head = Buffer.concat([HASHED, key.id, signature]);
  return `untrusted comment: signature of a documentation bundle by key ${writtenId(key.id)}\n${head.toString('base64')}\n${TRUSTED}${line}\n${whole.toString('base64')}\n`;
}

/**
 * Verifies a signature.
 * @param text content of a `.minisig` file
 * @returns the signed comment
 * @throws DocentError `invalid_archive` with the reason
 */
export function checkSignature(digest: Uint8Array, text: string, key: VerifyingKey): string {
  const [, first = '', comment = '', last = ''] = text.slice(0, MAX_SIGNATURE_CHARS).split(/\r?\n/);
  const head = Buffer.from(first, 'base64');
  const whole = Buffer.from(last, 'base64');
  if (
    head.byteLength !== 2 + KEY_ID_BYTES + SIGNATURE_BYTES ||
    !comment.startsWith(TRUSTED) ||
    whole.byteLength !== SIGNATURE_BYTES
  ) {
    throw refused('it is not in the minisign format');
  }
  if (!head.subarray(0, 2).equals(HASHED))
    throw refused('it uses the old format without a hash; sign the bundle again');
  const id = head.subarray(2, 2 + KEY_ID_BYTES);
  if (!id.equals(key.id))
    throw refused(`it was made with the key ${writtenId(id)}, not with ${writtenId(key.id)}`);
  const signature = head.subarray(2 + KEY_ID_BYTES);
  if (!verify(null, digest, key.publicKey, signature))
    throw refused('it does not belong to this archive and key');
  const line = comment.slice(TRUSTED.length);
  if (!verify(null, Buffer.concat([signature, Buffer.from(line)]), key.publicKey, whole))
    throw refused('its comment was changed');
  return line;
}

function refused(reason: string): DocentError {
  return new DocentError('invalid_archive', `The signature was refused: ${reason}.`);
}
