import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSignature, createSignatureHash, signBundle } from './bundle-signature.ts';
import {
  createSigningKey,
  publicKeyText,
  readSigningKey,
  readVerifyingKey,
} from './signing-key.ts';

const archive = Buffer.from('the bytes of an archive');
const digest = createSignatureHash().update(archive).digest();
const pair = createSigningKey();
const key = readSigningKey(pair.secret);
const text = signBundle(digest, key, 'file:bundle.tar.gz');

describe('the signature of a bundle', () => {
  it('is deterministic, and verifies with its key and returns its comment', () => {
    expect(checkSignature(digest, text, readVerifyingKey(pair.public))).toBe('file:bundle.tar.gz');
    expect(signBundle(digest, key, 'file:bundle.tar.gz')).toBe(text);
    expect(publicKeyText(key)).toBe(pair.public);
  });

  it('is rejected for other bytes, another key, a changed comment, or a wrong format', () => {
    const verifying = readVerifyingKey(pair.public);
    const other = createSignatureHash().update('other').digest();
    expect(() => checkSignature(other, text, verifying)).toThrow('does not belong');
    expect(() => checkSignature(digest, text, readVerifyingKey(createSigningKey().public))).toThrow(
      'made with the key',
    );
    expect(() =>
      checkSignature(digest, text.replace('file:bundle', 'file:other'), verifying),
    ).toThrow('comment was changed');
    expect(() => checkSignature(digest, text.replace(/\nRUQ?/, '\nRWQ'), verifying)).toThrow(
      'refused',
    );
    for (const wrong of ['', '\n\n\n\n', 'x'.repeat(100_000), text.slice(0, 120)]) {
      expect(() => checkSignature(digest, wrong, verifying)).toThrow('not in the minisign format');
    }
  });

  it('never contains line breaks of its comment', () => {
    const signed = signBundle(digest, key, 'a\nb\r\nc');
    expect(checkSignature(digest, signed, readVerifyingKey(pair.public))).toBe('a b c');
  });

  it('requires a valid key without a password', () => {
    expect(() => readSigningKey('hello')).toThrow('not an Ed25519 key');
    expect(() =>
      readSigningKey('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'),
    ).toThrow('not an Ed25519 key');
    expect(() => readVerifyingKey('RWQ')).toThrow('not a public key');
    const withPassword = Buffer.concat([Buffer.from('EdScB2'), Buffer.alloc(152)]).toString(
      'base64',
    );
    expect(() => readSigningKey(`untrusted comment: x\n${withPassword}\n`)).toThrow(
      'has a password',
    );
  });
});

const hasMinisign = (() => {
  try {
    execFileSync('minisign', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
if (!hasMinisign)
  process.stdout.write(
    'skipped: minisign is not installed, so signatures are not compared with minisign\n',
  );

describe.skipIf(!hasMinisign)('minisign and Docent', () => {
  it('verify the signatures of each other', () => {
    const folder = mkdtempSync(join(tmpdir(), 'docent-minisign-'));
    try {
      const file = join(folder, 'bundle.tar.gz');
      writeFileSync(file, archive);
      writeFileSync(join(folder, 'ours.pub'), pair.public);
      writeFileSync(`${file}.minisig`, text);
      const run = (...args: string[]) =>
        execFileSync('minisign', args, { cwd: folder, encoding: 'utf8' });
      expect(run('-Vm', file, '-p', 'ours.pub')).toContain('file:bundle.tar.gz');

      run('-G', '-W', '-p', 'theirs.pub', '-s', 'theirs.key');
      run('-S', '-W', '-s', 'theirs.key', '-m', file, '-t', 'made by minisign');
      const theirs = readVerifyingKey(readFileSync(join(folder, 'theirs.pub'), 'utf8'));
      expect(checkSignature(digest, readFileSync(`${file}.minisig`, 'utf8'), theirs)).toBe(
        'made by minisign',
      );
      const secret = readSigningKey(readFileSync(join(folder, 'theirs.key'), 'utf8'));
      expect(checkSignature(digest, signBundle(digest, secret, 'x'), theirs)).toBe('x');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
