import { generateKeyPairSync } from 'node:crypto';
import { formatKey, KEY_RANDOM_BYTES } from '@docent/format/access/keys.ts';
import { expect, it } from 'vitest';
import { envFiles, keyFiles, refuseSecret } from './refuse-secrets.ts';

const refused = (text: string, type = 'application/json; charset=utf-8') =>
  refuseSecret('a.json', new TextEncoder().encode(text), type)?.severity === 'error';
const keyAs = (type: 'pkcs8' | 'sec1') =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ format: 'pem', type })
    .toString();
const ownKey = formatKey(
  'admin',
  new Uint8Array(KEY_RANDOM_BYTES).map((_, index) => index * 7),
);

it.each([
  ['a private key', keyAs('pkcs8')],
  [
    'a private key in another format, with Windows line endings',
    keyAs('sec1').replaceAll('\n', '\r\n'),
  ],
  ['a service account', JSON.stringify({ type: 'service_account', private_key: keyAs('pkcs8') })],
  [
    'an encrypted key with headers',
    `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB\n\n${'aB3/'.repeat(16)}\n`,
  ],
  ['an AWS access key', 'aws_access_key_id: AKIAQ2MZ7RTCW5GNB3VJ'],
  ['a GitHub token', `token=ghp_${'aB3dE5gH7jK9'.repeat(3)}`],
  [
    'a private key encoded for Kubernetes',
    `client-key-data: ${Buffer.from(keyAs('sec1')).toString('base64')}`,
  ],
  ['a private key in nested JSON', JSON.stringify(JSON.stringify({ key: keyAs('pkcs8') }))],
  ['a GitLab token', 'token: glpat-aB3dE5gH7jK9mN1pQ4rS'],
  ['a Docent API key', `DOCENT_API_KEY=${ownKey}`],
])('a file with %s is rejected', (_, text) => {
  expect(refused(text)).toBe(true);
  expect(refused(`${'x'.repeat(100_000)}\n${text}\nrest`, 'text/plain; charset=utf-8')).toBe(true);
});

it.each([
  ['a public key', keyAs('pkcs8').replaceAll('PRIVATE', 'PUBLIC')],
  ['only the header of a key', '"description": "begins with -----BEGIN PRIVATE KEY-----"'],
  [
    'a shortened key',
    '-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkq...\\n-----END PRIVATE KEY-----',
  ],
  ['the example key of AWS', 'AKIAIOSFODNN7EXAMPLE'],
  [
    'a certificate encoded for Kubernetes',
    Buffer.from(keyAs('pkcs8').replaceAll('PRIVATE KEY', 'CERTIFICATE')).toString('base64'),
  ],
  ['a placeholder', `ghp_${'x'.repeat(36)} sk_live_${'0'.repeat(24)}`],
  ['a text that only resembles a Docent API key', `svc_${'a'.repeat(39)} ${ownKey.slice(0, -1)}`],
])('%s is not a secret', (_, text) => {
  expect(refused(text)).toBe(false);
});

it('the check terminates for megabytes of incomplete secrets', () => {
  for (const hostile of [
    '-----BEGIN PRIVATE KEY-----\n',
    '-----BEGIN A: ',
    'AKIA',
    'svc_',
    '-----BEGIN PRIVATE KEY-----a: ',
  ])
    expect(refused(hostile.repeat(Math.floor((2 << 20) / hostile.length)))).toBe(false);
});

it('a private key is found in UTF-16, and in files with an image type', () => {
  const key = keyAs('pkcs8');
  const refuses = (bytes: Uint8Array, type: string) => refuseSecret('a', bytes, type) !== undefined;
  expect(refuses(Buffer.from(`\ufeff${key}`, 'utf16le'), 'text/plain; charset=utf-8')).toBe(true);
  expect(refuses(Buffer.from(key, 'utf16le').swap16(), 'text/plain; charset=utf-8')).toBe(true);
  expect(refuses(Buffer.from(key), 'image/png')).toBe(true);
  expect(refuses(Buffer.from(key, 'utf16le'), 'application/pdf')).toBe(true);
});

const sourceOf = (files: Record<string, string>) => ({
  paths: () => Object.keys(files),
  readBytes: (path: string) => Buffer.from(files[path] as string),
});
const envOf = (files: Record<string, string>) => envFiles(sourceOf(files)).map((one) => one.file);

it('environment files are rejected by their names, but their templates are not', () => {
  const names = [
    '.env',
    'api/.env.production',
    '.ENV.local',
    '.env.example',
    'x/.env.sample',
    'env.mdx',
    'guide/.environment',
  ];
  expect(envOf(Object.fromEntries(names.map((name) => [name, 'A=b'])))).toEqual([
    '.env',
    'api/.env.production',
    '.ENV.local',
  ]);
});

it.each([
  '.envrc',
  'prod.env',
  'api/env.production',
  'env',
  'staging-env.txt',
  '.env_prod',
  'ENV.local',
])('an environment file named %s is rejected if it contains a secret', (name) => {
  expect(envOf({ [name]: 'NODE_ENV=production\nexport DB_PASSWORD="hunter2-and-more"\n' })).toEqual(
    [name],
  );
  expect(
    envOf({
      [name]:
        'use flake\nNODE_ENV=production\nAPI_KEY=$OTHER\nTOKEN=<your token>\nSECRET=your-secret\nPASS=\n',
    }),
  ).toEqual([]);
});

it.each([
  'guides/env.mdx',
  'env.md',
  'env-variables.mdx',
  'example.env',
  'env.example',
  'environment.txt',
  'guides/setup.mdx',
])('%s may show the contents of an environment file', (name) =>
  expect(envOf({ [name]: 'DB_PASSWORD=hunter2-and-more\n' })).toEqual([]),
);

it('a private key in a key file is reported, even though such a file is never served', () => {
  const files: Record<string, string> = {
    'tls/server.pem': keyAs('pkcs8'),
    'tls/TLS.KEY': keyAs('sec1'),
    '.ssh/id_ed25519': keyAs('pkcs8'),
    'tls/certificate.pem': '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    '.ssh/id_ed25519.pub': 'ssh-ed25519 AAAA',
    'guides/index.key': 'a text',
  };
  const source = {
    paths: () => Object.keys(files),
    readBytes: (path: string) => new TextEncoder().encode(files[path]),
  };
  expect(keyFiles(source).map(({ file, code, severity }) => `${severity} ${code} ${file}`)).toEqual(
    [
      'error secret-file tls/server.pem',
      'error secret-file tls/TLS.KEY',
      'error secret-file .ssh/id_ed25519',
    ],
  );
});
