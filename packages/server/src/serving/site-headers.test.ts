import { expect, it } from 'vitest';
import { siteHeaders } from './site-headers.ts';

const rules = { scriptSources: [], frameAncestors: "'self'" };
const policyOf = (type?: string) => siteHeaders(type, rules)['content-security-policy'];

it.each([
  'image/svg+xml',
  'application/xml; charset=utf-8',
  'text/xml',
  'application/xhtml+xml',
  'application/rss+xml; charset=utf-8',
  'IMAGE/SVG+XML',
])('a document of the type %s cannot run scripts when it is opened directly', (type) => {
  expect(policyOf(type)).toMatch(/default-src 'none'.*sandbox$/);
});

it('a page can be framed only by the origins of the setting', () => {
  expect(policyOf('text/html; charset=utf-8')).toMatch(/; frame-ancestors 'self'$/);
  expect(
    siteHeaders('text/html', { ...rules, frameAncestors: 'https://a.example' })[
      'content-security-policy'
    ],
  ).toMatch(/; frame-ancestors https:\/\/a\.example$/);
  expect(siteHeaders('text/html', rules)['x-frame-options']).toBe('SAMEORIGIN');
  expect(
    siteHeaders('text/html', { ...rules, frameAncestors: 'https://a.example' }),
  ).not.toHaveProperty('x-frame-options');
});

it('a file can be framed by pages of its site, and a PDF is not sandboxed because its viewer needs that', () => {
  const policyFor = (frameAncestors: string) =>
    siteHeaders('application/pdf', { ...rules, frameAncestors })['content-security-policy'];
  expect(policyFor("'self'")).toBe("frame-ancestors 'self'");
  expect(policyFor("'none'")).toBe("frame-ancestors 'self'");
  expect(policyFor('https://a.example')).toBe("frame-ancestors 'self' https://a.example");
});

it('every response denies the camera to pages, and keeps them apart from other origins of the same site', () => {
  for (const type of [undefined, 'text/html', 'application/pdf']) {
    expect(siteHeaders(type, rules)['permissions-policy']).toContain('camera=()');
    expect(siteHeaders(type, rules)['origin-agent-cluster']).toBe('?1');
  }
});
