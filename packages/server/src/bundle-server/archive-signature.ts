import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SIGNATURE_ENDING } from '@docent/compiler/bundle/bundle-signature.ts';
import { readVerifyingKey, type VerifyingKey } from '@docent/compiler/bundle/signing-key.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { BundleSource } from '../kernel/config/bundle-config.ts';
import { addressOf, besideOf, readSmallText } from './request-archive.ts';

/** The start of a signature that is given directly rather than by location. */
const SIGNATURE_TEXT = /^untrusted comment:/;

/** The key that archives must be signed with, and a name that identifies it. */
export interface RequiredKey {
  key: VerifyingKey;
  fingerprint: string;
}

/**
 * Reads the public key from the settings: its text, or a file that contains it.
 * @throws DocentError `invalid_setting`
 */
export function readRequiredKey(setting: string): RequiredKey {
  try {
    const key = readVerifyingKey(fileText(setting) ?? setting);
    const { x = '' } = key.publicKey.export({ format: 'jwk' });
    return { key, fingerprint: createHash('sha256').update(x).digest('hex') };
  } catch (cause) {
    const message =
      'DOCENT_BUNDLE_PUBLIC_KEY: it is neither a minisign public key nor a file that contains one.';
    throw new DocentError('invalid_setting', message, {
      cause,
      errors: [{ path: '/DOCENT_BUNDLE_PUBLIC_KEY', message }],
    });
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
 * Returns the signature of an archive: from the settings, from the configured location, or from
 * beside the archive.
 * @returns undefined if there is none
 * @throws DocentError `dependency_unavailable` if this is unknown now
 */
export async function readSignature(
  { location, signature }: BundleSource,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signature !== undefined && SIGNATURE_TEXT.test(signature)) return signature;
  const configuredPlace =
    signature === undefined ? undefined : (addressOf(signature) ?? resolve(signature));
  const place = configuredPlace ?? besideOf(location, SIGNATURE_ENDING);
  return place === undefined ? undefined : readSmallText(place, signal);
}

/** Explains why an archive without a signature is refused, and the remedy. */
export function unsigned({ location, signature }: BundleSource): DocentError {
  const canStandBeside =
    signature === undefined && besideOf(location, SIGNATURE_ENDING) !== undefined;
  const where = canStandBeside
    ? `there is no ${SIGNATURE_ENDING} file beside it; sign the bundle, or set DOCENT_BUNDLE_SIGNATURE`
    : signature === undefined
      ? 'a link with a query string leads to one file only; set DOCENT_BUNDLE_SIGNATURE'
      : 'there is none at the location in DOCENT_BUNDLE_SIGNATURE';
  return new DocentError(
    'invalid_archive',
    `The archive must be signed (DOCENT_BUNDLE_PUBLIC_KEY), and ${where}.`,
  );
}
