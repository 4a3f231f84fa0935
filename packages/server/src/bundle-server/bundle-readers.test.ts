import { expect, test } from 'vitest';
import { openBundleReaders } from './bundle-readers.ts';

const password = { password: 'correct horse battery' };

test.each([
  ['no way to sign in', '{}', 'names no way to sign in'],
  ['a text that is no JSON', '{', 'it is not JSON'],
  ['a short password', '{"password":{"password":"short"}}', '"password.password"'],
  ['a misspelled way to sign in', '{"passwords":{}}', 'passwords'],
  [
    'groups, which a password cannot give',
    JSON.stringify({ groups: ['a'], password }),
    'a password gives no groups',
  ],
  ['a key that is none', '{"jwt":{"publicKey":"none"}}', '"jwt.publicKey": Must be a public key'],
  ['tokens without a key', '{"jwt":{}}', 'Tokens need a key'],
])(
  'a bundle is not served with %s, which would let nobody or everybody in',
  async (_, settings, message) => {
    // It reads the settings before it uses anything else.
    const options = { clock: { now: () => new Date() } } as Parameters<typeof openBundleReaders>[1];
    await expect(openBundleReaders(settings, options)).rejects.toThrow(message);
  },
);
