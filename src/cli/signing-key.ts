import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createSigningKey } from '../compiler/bundle/signing-key.ts';
import { DocentError } from '../core/errors.ts';
import type { Output } from './output.ts';

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
    throw new DocentError('invalid_request', `A key exists at ${file} already; choose another file.`, { cause });
  }
  const line = key.public.trim().split('\n').at(-1) ?? '';
  output.print(`Secret key: ${secretFile} (keep it)\nPublic key: ${publicFile}\n${line}`);
  output.json({ secretFile, publicFile, publicKey: line });
}
