import { expect, test } from 'vitest';
import { nameTerm, otherNumber } from './page-names.ts';

test('names that differ in case, accents, spaces, and punctuation are equal', () => {
  const same = ['Custom domain', 'custom-domain', 'CustomDomain', '“Custom  domain”', '`custom_domain`', 'CUSTOM DOMÁIN?'];
  expect(new Set(same.map(nameTerm)).size).toBe(1);
  expect(nameTerm('搜索 文档')).toBe(nameTerm('搜索文档'));
});

test('names of languages that differ only in symbols are different', () => {
  expect(new Set(['C', 'C++', 'C#'].map(nameTerm)).size).toBe(3);
});

test('text without letters and digits is not a name', () => {
  for (const text of ['', '   ', '?!', '—']) expect(nameTerm(text)).toBe('');
});

test('singular and plural names match each other', () => {
  const pairs = ['Webhook Webhooks', 'Policy Policies', 'Proxy Proxies', 'Switch Switches', 'Search Searches', 'Box Boxes'];
  for (const [one, many] of pairs.map((pair) => pair.split(' ').map(nameTerm) as [string, string])) {
    expect(otherNumber(one), one).toContain(many);
    expect(otherNumber(many), many).toContain(one);
  }
  expect(otherNumber(nameTerm('Access'))).not.toContain(nameTerm('Acces'));
});
