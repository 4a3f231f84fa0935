import { describe, expect, it, test } from 'vitest';
import { isHostname, isSiteName, isSlug, previewNameOf, readPreviewLabel } from './site-name.ts';

describe('site names', () => {
  it.each(['docs', 'a', 'my-docs-2', 'x'.repeat(63)])('accept the identifier %j', (text) =>
    expect(isSlug(text)).toBe(true),
  );
  it.each([
    '',
    'Docs',
    '-docs',
    'docs-',
    'my_docs',
    'a.b',
    'x'.repeat(64),
    'docs\u0000',
    '../x',
    'dócs',
  ])('reject the identifier %j', (text) => expect(isSlug(text)).toBe(false));
  it.each(['docs.example.com', 'localhost', 'xn--bcher-kva.example'])(
    'accept the hostname %j',
    (text) => expect(isHostname(text)).toBe(true),
  );
  it.each([
    'https://docs.example.com',
    'docs.example.com/',
    'docs.example.com:80',
    'docs..com',
    '.com',
    '127.0.0.1',
    '[::1]',
    'a b.com',
  ])('reject the hostname %j', (text) => expect(isHostname(text)).toBe(false));
  it('include project ids, and hostnames in any case', () => {
    expect(isSiteName('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe(true);
    expect(isSiteName('Docs.Example.com')).toBe(true);
    expect(isSiteName('docs\u0000')).toBe(false);
  });
});

test.each([
  ['main', 'main'],
  ['feature/New start', 'feature-new-start'],
  ['--x--y--', 'x-y'],
  ['renovate/all_minor-patch', 'renovate-all-minor-p'],
  ['ümläut', 'ml-ut'],
  ['日本', undefined],
  ['///', undefined],
  [`${'a'.repeat(19)}-bc`, 'a'.repeat(19)],
])('the preview of the branch %j is named %j', (branch, name) => {
  expect(previewNameOf(branch, 20)).toBe(name);
});

test.each([
  ['new-start--acme', { name: 'new-start', slug: 'acme' }],
  ['a--b--c', { name: 'a', slug: 'b--c' }],
  ['acme', undefined],
  ['--acme', undefined],
  ['a--', undefined],
  ['a---b', undefined],
])('the label %j is parsed as %j', (label, meaning) => {
  expect(readPreviewLabel(label)).toEqual(meaning);
});
