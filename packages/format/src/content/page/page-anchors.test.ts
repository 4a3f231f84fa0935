import { describe, expect, it } from 'vitest';
import { IdRegister, idsIn, PlainSlugs, plainSlugOf, slugOf } from './page-anchors.ts';

describe('a slug', () => {
  it.each([
    ['Getting started', 'getting-started'],
    ['Config.json options', 'config-json-options'],
    ["What's new", 'what’s-new'],
    ['Rate limits (per minute)', 'rate-limits-per-minute'],
    ['Read/write access', 'read/write-access'],
    ['Fees & billing', 'fees-&-billing'],
    ['快速开始', '快速开始'],
    ['()', 'section'],
  ])('for "%s" is %s', (text, id) => expect(slugOf(text)).toBe(id));

  it('in its plain form matches the slug of code hosting sites', () =>
    expect(plainSlugOf('Fees & billing, (now)')).toBe('fees--billing-now'));
});

describe('PlainSlugs', () => {
  it('gives repeated headings numbered aliases and merges hyphens, as code hosting sites do', () => {
    const slugs = new PlainSlugs();
    expect(slugs.aliases('Fees & billing')).toEqual(['fees--billing', 'fees-billing']);
    expect([slugs.aliases('Install'), slugs.aliases('Install'), slugs.aliases('Install')]).toEqual([
      ['install'],
      ['install-1'],
      ['install-2'],
    ]);
    expect(slugs.aliases('()')).toEqual([]);
    expect(slugs.aliases('The max_tokens_ field')).toEqual([
      'the-max_tokens_-field',
      'the-max-tokens-field',
    ]);
    expect(slugs.aliases('The max_tokens_ field')).toEqual([
      'the-max_tokens_-field-1',
      'the-max-tokens-field-1',
    ]);
    expect(slugs.aliases('client.initialize(options?)')).toContain('client-initializeoptions');
  });
});

describe('IdRegister', () => {
  it('numbers repeated ids and never returns an id twice', () => {
    const ids = new IdRegister();
    ids.add('own');
    expect(['a', 'a', 'a-2', 'a', 'own'].map((wanted) => ids.claim(wanted))).toEqual([
      'a',
      'a-2',
      'a-2-2',
      'a-3',
      'own-2',
    ]);
  });
});

it('the link targets of a page are its ids and the names of its anchors, but not other names', () => {
  const html =
    '<h2 id="a&amp;b">A</h2><a class="x" name="old"></a><input name="field" data-id="no"><a href="?name=">x</a><p>name="text"';
  expect([...idsIn(html)]).toEqual(['a&b', 'old']);
});
