import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  checkSignature,
  createSignatureHash,
  SIGNATURE_ENDING,
} from '@docent/compiler/bundle/bundle-signature.ts';
import { createSigningKey, readVerifyingKey } from '@docent/compiler/bundle/signing-key.ts';
import { verifyBundle } from '@docent/compiler/bundle/verify-bundle.ts';
import { hashed } from '@docent/compiler/files/bundle-file.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Output } from '../kernel/output.ts';

export interface VerifyCommandOptions {
  key?: string;
  links?: boolean;
}

/**
 * `docent verify <archive>`: checks that a bundle is complete and unchanged, by its own manifest, by the hash beside it if there
 * is one, and by its signature if a key is given.
 * @returns 0, or 1 if links are broken
 * @throws DocentError `invalid_archive` if the bundle must not be used
 */
export async function runVerify(
  archive: string,
  options: VerifyCommandOptions,
  output: Output,
): Promise<number> {
  const path = resolve(archive);
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isFile()) throw new DocentError('invalid_request', `There is no file ${archive}.`);
  const sha256 = createHash('sha256');
  const signed = createSignatureHash();
  const checked = await verifyBundle(hashed(createReadStream(path), sha256, signed), {
    links: options.links === true,
  });
  const digest = sha256.digest('hex');
  await checkSum(path, digest);
  const comment = await signature(path, signed.digest(), options.key);
  const { manifest, fileCount, brokenLinks } = checked;
  for (const { file, address, reason } of brokenLinks)
    output.print(`${file}: ${address}: ${reason}`);
  const by =
    comment === undefined
      ? options.key === undefined
        ? 'signature not checked'
        : ''
      : `signed: ${comment}`;
  output.print(
    `${manifest.name}, export ${manifest.exportVersion} of ${manifest.createdAt}: ${fileCount} files as in the manifest, ${by}`,
  );
  output.json({
    sha256: digest,
    exportVersion: manifest.exportVersion,
    fileCount,
    pageCount: manifest.pages.length,
    signed: comment !== undefined,
    brokenLinks,
  });
  return brokenLinks.length > 0 ? 1 : 0;
}

/**
 * Returns the hash from the file that `docent export` writes beside the archive, in `sha256sum`
 * format.
 */
async function checkSum(path: string, sha256: string): Promise<void> {
  const text = await readFile(`${path}.sha256`, 'utf8').catch(() => undefined);
  if (text === undefined || text.slice(0, 64).toLowerCase() === sha256) return;
  throw new DocentError(
    'invalid_archive',
    `The archive has the SHA-256 ${sha256}, but ${path}.sha256 names another.`,
  );
}

/** @returns the signed comment, or undefined without a key */
async function signature(
  path: string,
  digest: Buffer,
  key: string | undefined,
): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const verifying = readVerifyingKey((await readFile(key, 'utf8').catch(() => undefined)) ?? key);
  const text = await readFile(path + SIGNATURE_ENDING, 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new DocentError('invalid_archive', `There is no signature ${path}${SIGNATURE_ENDING}.`);
  return checkSignature(digest, text, verifying);
}

/** `docent signing-key <file>`: writes a new key. Never overwrites an existing one. */
export async function runSigningKey(file: string, output: Output): Promise<void> {
  const secretFile = resolve(file);
  const publicFile = `${secretFile}.pub`;
  const key = createSigningKey();
  try {
    await writeFile(secretFile, key.secret, { mode: 0o600, flag: 'wx' });
    await writeFile(publicFile, key.public, { flag: 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw cause;
    throw new DocentError(
      'invalid_request',
      `A key exists at ${file} already; choose another file.`,
      { cause },
    );
  }
  const line = key.public.trim().split('\n').at(-1) ?? '';
  const text = `Secret key: ${secretFile} (keep it)\nPublic key: ${publicFile}\n${line}`;
  output.result(text, { secretFile, publicFile, publicKey: line });
}
