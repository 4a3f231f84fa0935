import { describe, expect, it } from 'vitest';
import { siteNameOf } from './host-name.ts';

describe('a site name', () => {
  const name = (text: string) => siteNameOf(text, { sitesDomain: 'sites.example' });

  it.each([
    'acme',
    'acme.localhost',
    'ACME.LocalHost',
    'acme.localhost.',
    'acme.sites.example:8443',
    'Acme.Sites.Example.:80',
  ])('is recognized in %j, as in a Host header', (text) => expect(name(text)).toBe('acme'));

  it('can be a custom hostname or a project id', () => {
    expect(name('Docs.Example.com.:443')).toBe('docs.example.com');
    expect(name('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe('01ARZ3NDEKTSV4RRFFQ69G5FAV');
  });

  it.each([
    '',
    'acme:80',
    'https://acme.localhost',
    'acme.localhost/',
    'acme.localhost..',
    '[::1]:80',
    '127.0.0.1:80',
    'a b.c',
    'acme.localhost\0',
  ])('is not recognized in %j', (text) => expect(name(text)).toBeUndefined());
});
