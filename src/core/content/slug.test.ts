import { describe, expect, it } from 'vitest';
import { IdRegister, PlainSlugs, plainSlugOf, slugOf } from './slug.ts';

describe('slugOf', () => {
  it.each([
    ['Getting started', 'getting-started'],
    ['Config.json options', 'config-json-options'],
    ["What's new", 'what’s-new'],
    ['Rate limits (per minute)', 'rate-limits-per-minute'],
    ['Read/write access', 'read/write-access'],
    ['Fees & billing', 'fees-&-billing'],
    ['快速开始', '快速开始'],
    ['()', 'section'],
  ])('gives "%s" the id %s', (text, id) => expect(slugOf(text)).toBe(id));

  it('knows the slug that code hosting sites give', () => expect(plainSlugOf('Fees & billing, (now)')).toBe('fees--billing-now'));
});

describe('PlainSlugs', () => {
  it('gives a second heading the number that code hosting sites give it, and one hyphen for several', () => {
    const slugs = new PlainSlugs();
    expect(slugs.aliases('Fees & billing')).toEqual(['fees--billing', 'fees-billing']);
    expect([slugs.aliases('Install'), slugs.aliases('Install'), slugs.aliases('Install')]).toEqual([
      ['install'],
      ['install-1'],
      ['install-2'],
    ]);
    expect(slugs.aliases('()')).toEqual([]);
    expect(slugs.aliases('client.initialize(options?)')).toContain('client-initializeoptions');
  });
});

describe('IdRegister', () => {
  it('numbers repeated ids and never gives one twice', () => {
    const ids = new IdRegister();
    ids.add('own');
    expect(['a', 'a', 'a-2', 'a', 'own'].map((wanted) => ids.claim(wanted))).toEqual(['a', 'a-2', 'a-2-2', 'a-3', 'own-2']);
  });
});
