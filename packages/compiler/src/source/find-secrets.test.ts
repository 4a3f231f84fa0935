import { formatKey, KEY_RANDOM_BYTES } from '@docent/format/access/keys.ts';
import { expect, it } from 'vitest';
import { findSecrets, maskSecrets } from './find-secrets.ts';

/** Letters and digits without order, so that they are no example. */
const mixed = (length: number, letters = 'aB3dE5gH7jK9mN1pQ4rS8tU2vW6xY0z') =>
  Array.from(
    { length },
    (_, index) => letters[(index * index * 7 + index * 11 + 5) % letters.length],
  ).join('');
const digits = (length: number) => mixed(length, '8305174296');
const hex = (length: number) => mixed(length, '3f9a0c7be2d581');
const letters = (length: number) => mixed(length, 'qWmErTyUpAsDfGhJkL');

// Split, so that no scanner takes this file for a leak.
const CERTAIN: [kind: string, secret: string][] = [
  ['an AWS access key', ['AKIA', 'Q2MZ7RTCW5GNB3VJ'].join('')],
  ['a secret key of AWS', `aws_secret_access_key = ${mixed(40)}`],
  ['a GitHub token', `ghp_${mixed(36)}`],
  ['a GitHub token', `gho_${mixed(36)}`],
  ['a GitHub token', `github_pat_${mixed(82)}`],
  ['a GitLab token', `glpat-${mixed(20)}`],
  ['a live Stripe key', `sk_live_${mixed(40)}`],
  ['a live Stripe key', `rk_live_${mixed(40)}`],
  ['an OpenAI key', `sk-proj-${mixed(120)}`],
  ['an Anthropic key', `sk-ant-api03-${mixed(93)}AA`],
  ['a Slack token', `xoxb-${digits(12)}-${digits(13)}-${mixed(24)}`],
  ['a SendGrid key', `SG.${mixed(22)}.${mixed(43)}`],
  ['an npm token', `npm_${mixed(36)}`],
  ['a PyPI token', `pypi-AgEIcHlwaS5vcmc${mixed(120)}`],
  ['a Hugging Face token', `hf_${letters(34)}`],
  ['a key of an Azure storage account', `AccountName=a;AccountKey=${mixed(86)}==`],
  ['a client secret of Azure', `${mixed(3)}8Q~${mixed(34)}`],
  ['a Docker token', `dckr_pat_${mixed(27)}`],
  ['a Databricks token', `dapi${hex(32)}`],
  ['a Shopify token', `shpat_${hex(32)}`],
  ['a Grafana token', `glsa_${mixed(32)}_${hex(8)}`],
  ['a Linear key', `lin_api_${mixed(40)}`],
  ['a Groq key', `gsk_${mixed(52)}`],
  ['a Vault token', `hvs.${mixed(95)}`],
  ['a Notion token', `ntn_${digits(11)}${mixed(35)}`],
  [
    'a private key',
    `-----BEGIN RSA PRIVATE KEY-----\n${mixed(64)}\n${mixed(64)}\n-----END RSA PRIVATE KEY-----`,
  ],
  [
    'a Docent API key',
    formatKey(
      'admin',
      new Uint8Array(KEY_RANDOM_BYTES).map((_, index) => index * 7),
    ),
  ],
];
const POSSIBLE: [kind: string, secret: string][] = [
  ['a Google API key', `AIza${mixed(35)}`],
  ['a signed token (JWT)', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.${mixed(43)}`],
  [
    'a database address with a password',
    `postgres://billing:${mixed(14)}@db7.acme.io:5432/billing`,
  ],
  ['an address with a password', `redis://:${mixed(14)}@cache.acme.io:6379`],
  ['an address with a password', `https://deploy:${mixed(14)}@git.acme.io/docs`],
];

it.each(CERTAIN)('%s is recognized and masked, and the text around it stays', (kind, secret) => {
  const text = `Send \`${secret}\`.\nThe rest.`;
  expect(findSecrets(text)).toMatchObject([{ kind, isCertain: true }]);
  const masked = maskSecrets(text);
  expect(masked).toHaveLength(text.length);
  expect(masked).toMatch(/^Send `[^`]*x{6}[^`]*`\.\nThe rest\.$/s);
  expect(findSecrets(masked)).toEqual([]);
});

it.each(POSSIBLE)('%s may be an example, so it is reported and stays', (kind, secret) => {
  expect(findSecrets(`a ${secret} b`)).toMatchObject([{ kind, isCertain: false }]);
  expect(maskSecrets(secret)).toBe(secret);
});

it('examples and placeholders are no secrets', () => {
  const examples = [
    'AKIAIOSFODNN7EXAMPLE',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    `ghp_${'x'.repeat(36)}`,
    `sk_test_${mixed(24)}`,
    'sk-proj-...',
    'postgres://user:password@localhost:5432/app',
    'postgres://app:$PASSWORD@db.acme.io/app',
    'redis://:<password>@cache:6379',
    'https://user:pass@example.com',
    '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  ];
  for (const example of examples) expect(findSecrets(example), example).toEqual([]);
});

it('a masked text stays valid JSON, also where a key has line breaks as \\n', () => {
  const key = `-----BEGIN PRIVATE KEY-----\n${mixed(64)}\n${mixed(60)}\n-----END PRIVATE KEY-----\n`;
  const { key: masked } = JSON.parse(maskSecrets(JSON.stringify({ key })));
  expect(masked).toMatch(/^-----BEGIN PRIVATE KEY-----\n[x\n]+-----END/);
});

it('the search ends for a long text of what looks like starts of secrets', () => {
  const starts = [
    'ghs_1_',
    'eyJhbGciOiJIUzI1NiJ9',
    'SG.a.',
    'https://a:b',
    'postgres://a:',
    'AccountKey=',
    'pypi-AgE.',
    'xoxb-',
    '8Q~',
  ];
  for (const start of starts) {
    const text = start.repeat(200_000 / start.length);
    expect(maskSecrets(text)).toHaveLength(text.length);
  }
});
