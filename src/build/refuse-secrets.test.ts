import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { formatKey, KEY_RANDOM_BYTES } from '../core/access/keys.ts';
import { envFiles, refuseSecret } from './refuse-secrets.ts';

const refused = (text: string, type = 'application/json; charset=utf-8') =>
  refuseSecret('a.json', new TextEncoder().encode(text), type)?.severity === 'error';
const keyAs = (type: 'pkcs8' | 'sec1') =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type }).toString();
const ownKey = formatKey(
  'admin',
  new Uint8Array(KEY_RANDOM_BYTES).map((_, index) => index * 7),
);

it.each([
  ['a private key as it is', keyAs('pkcs8')],
  ['a private key of another form, with Windows lines', keyAs('sec1').replaceAll('\n', '\r\n')],
  ['a service account', JSON.stringify({ type: 'service_account', private_key: keyAs('pkcs8') })],
  [
    'an encrypted key with headers',
    `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB\n\n${'aB3/'.repeat(16)}\n`,
  ],
  ['an access key of AWS', 'aws_access_key_id: AKIAQ2MZ7RTCW5GNB3VJ'],
  ['a token of GitHub', `token=ghp_${'aB3dE5gH7jK9'.repeat(3)}`],
  ['a key of this platform', `DOCENT_API_KEY=${ownKey}`],
])('a file with %s is refused', (_, text) => {
  expect(refused(text)).toBe(true);
  expect(refused(`${'x'.repeat(100_000)}\n${text}\nrest`, 'text/plain; charset=utf-8')).toBe(true);
});

it.each([
  ['a public key', keyAs('pkcs8').replaceAll('PRIVATE', 'PUBLIC')],
  ['the header of a key alone', '"description": "begins with -----BEGIN PRIVATE KEY-----"'],
  ['a shortened key', '-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkq...\\n-----END PRIVATE KEY-----'],
  ['a key that AWS shows as an example', 'AKIAIOSFODNN7EXAMPLE'],
  ['a placeholder', `ghp_${'x'.repeat(36)} sk_live_${'0'.repeat(24)}`],
  ['what only begins like a key of this platform', `svc_${'a'.repeat(39)} ${ownKey.slice(0, -1)}`],
])('%s is no secret', (_, text) => {
  expect(refused(text)).toBe(false);
});

it('is not searched for in pictures, and 20 MB of beginnings end', () => {
  expect(refused(keyAs('pkcs8'), 'image/png')).toBe(false);
  for (const hostile of ['-----BEGIN PRIVATE KEY-----\n', '-----BEGIN A: ', 'AKIA', 'svc_', '-----BEGIN PRIVATE KEY-----a: '])
    expect(refused(hostile.repeat(Math.floor((2 << 20) / hostile.length)))).toBe(false);
});

it('files of settings are named, templates for them are not', () => {
  const paths = [
    '.env',
    'api/.env.production',
    '.ENV.local',
    '.env.example',
    'x/.env.sample',
    'env.mdx',
    '.envrc',
    'guide/.environment',
  ];
  expect(envFiles(paths).map((one) => one.file)).toEqual(['.env', 'api/.env.production', '.ENV.local']);
});
