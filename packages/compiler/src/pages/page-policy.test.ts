import { FRAME_ANCESTOR, SCRIPT_SOURCE } from '@docent/format/access/site-settings.ts';
import { describe, expect, it } from 'vitest';
import { pagePolicy, policySources } from './page-policy.ts';

const directives = new Map(
  pagePolicy({ scriptSources: ['https://cdn.example.com/lib/'], frameAncestors: "'self'" })
    .split('; ')
    .map(
      (one) =>
        [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1).split(' ')] as const,
    ),
);

it('scripts are limited to files of the site, inline scripts with a hash, and the allowed sources', () => {
  const sources = directives.get('script-src') ?? [];
  expect(sources[0]).toBe("'self'");
  expect(sources.at(-1)).toBe('https://cdn.example.com/lib/');
  for (const hash of sources.slice(1, -1)) expect(hash).toMatch(/^'sha256-[\w+/]{43}='$/);
  expect(directives.get('object-src')).toEqual(["'none'"]);
  expect(directives.get('base-uri')).toEqual(["'none'"]);
});

it('a page can call APIs on any host, over plain HTTP and WebSocket too', () => {
  expect(directives.get('connect-src')).toEqual(expect.arrayContaining(['*', 'ws:', 'wss:']));
});

it.each([
  [null, "https://platform.example 'self'"],
  [[], "'none'"],
  [["'self'", 'https://app.example.com'], "'self' https://app.example.com"],
])('the frame ancestors %j result in the policy %s', (frameAncestors, expected) => {
  const security = { scriptSources: ['https://b.example'], frameAncestors };
  expect(
    policySources(
      { scriptHosts: ['https://a.example'] },
      security,
      "https://platform.example 'self'",
    ),
  ).toEqual({
    scriptSources: ['https://a.example', 'https://b.example'],
    frameAncestors: expected,
  });
});

describe('an allowed source', () => {
  it.each([
    'https://cdn.example.com',
    'https://cdn.example.com:8443/lib/v1.2/app.js',
    'https://cdn.example.com/%7Eacme/',
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  ])('for scripts can be a URL or a hash: %s', (source) => expect(source).toMatch(SCRIPT_SOURCE));

  it.each([
    '*',
    'https:',
    'https://*',
    'https://*.example.com',
    'http://cdn.example.com',
    "'unsafe-inline'",
    "'unsafe-eval'",
    "'unsafe-hashes'",
    "'strict-dynamic'",
    "'nonce-abc'",
    'data:',
    'blob:',
    'https://a.example; script-src *',
    'https://a.example https://b.example',
    'https://a.example,https://b.example',
    'https://a.example/\nx: y',
    'https://a.example\n',
    'https://a.example/?q',
    'https://a@b.example',
    'https://A.example',
    "'sha256-short'",
    '',
  ])('for scripts cannot be broader than a URL or a hash: %j', (source) =>
    expect(source).not.toMatch(SCRIPT_SOURCE),
  );

  it.each(['https://app.example.com', 'http://localhost:3000', "'self'"])(
    'for frames can be an origin: %s',
    (origin) => expect(origin).toMatch(FRAME_ANCESTOR),
  );
  it.each([
    '*',
    'https:',
    'https://*.example.com',
    "'none'",
    'https://a.example/path',
    'https://a.example;',
    'javascript:',
    '',
  ])('for frames cannot be anything else: %j', (origin) =>
    expect(origin).not.toMatch(FRAME_ANCESTOR),
  );
});
