import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SIGNATURE_ENDING } from '../compiler/bundle/bundle-signature.ts';
import { readVerifyingKey, type VerifyingKey } from '../compiler/bundle/signing-key.ts';
import type { BundleSource } from '../config/bundle-config.ts';
import { DocentError } from '../core/errors.ts';
import { besideOf, readSmallText } from './small-text.ts';

/** Of a signature that is given itself, not where it is. */
const SIGNATURE_TEXT = /^untrusted comment:/;

/** The key that archives have to be signed with, and a name by which it is known again. */
export interface RequiredKey {
  key: VerifyingKey;
  fingerprint: string;
}

/**
 * Reads the public key of the settings: its text, or a file that holds it.
 * @throws DocentError `invalid_setting`
 */
export function readRequiredKey(setting: string): RequiredKey {
  try {
    const key = readVerifyingKey(fileText(setting) ?? setting);
    const { x = '' } = key.publicKey.export({ format: 'jwk' });
    return { key, fingerprint: createHash('sha256').update(x).digest('hex') };
  } catch (cause) {
    const message = 'DOCENT_BUNDLE_PUBLIC_KEY: it is neither a public key of minisign nor a file that holds one.';
    throw new DocentError('invalid_setting', message, { cause, errors: [{ path: '/DOCENT_BUNDLE_PUBLIC_KEY', message }] });
  }
}

function fileText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * The signature of an archive: as the settings give it, from where they say, or from beside the archive.
 * @returns undefined where there is none
 * @throws DocentError `dependency_unavailable` where it cannot be told now
 */
export async function readSignature({ location, signature }: BundleSource, signal: AbortSignal): Promise<string | undefined> {
  if (signature !== undefined && SIGNATURE_TEXT.test(signature)) return signature;
  const place = signature === undefined ? besideOf(location, SIGNATURE_ENDING) : placeOf(signature);
  return place === undefined ? undefined : readSmallText(place, signal);
}

function placeOf(location: string): URL | string {
  const address = URL.parse(location);
  return address !== null && /^https?:$/.test(address.protocol) ? address : resolve(location);
}

/** Why an archive without a signature is refused, and what helps. */
export function unsigned({ location, signature }: BundleSource): DocentError {
  const canStandBeside = signature === undefined && besideOf(location, SIGNATURE_ENDING) !== undefined;
  const where = canStandBeside
    ? `there is no ${SIGNATURE_ENDING} file beside it; sign the bundle, or name its signature by DOCENT_BUNDLE_SIGNATURE`
    : signature === undefined
      ? 'a link with a query leads to one file alone; name the signature by DOCENT_BUNDLE_SIGNATURE'
      : 'there is none where DOCENT_BUNDLE_SIGNATURE says';
  return new DocentError('invalid_archive', `The archive has to be signed (DOCENT_BUNDLE_PUBLIC_KEY), and ${where}.`);
}
