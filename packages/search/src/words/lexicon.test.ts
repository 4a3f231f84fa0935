import { expect, test } from 'vitest';
import entries from './lexicon.json' with { type: 'json' };
import { lexicon } from './lexicon.ts';
import { MAX_PHRASE_WORDS } from './synonyms.ts';
import { stopWords } from './tokenize.ts';

test('the lexicon maps words of readers to words of documentation, and not back', () => {
  expect(lexicon().get('cut off')).toContain('trunc');
  expect(lexicon().get('trunc')).toBeUndefined();
});

test('every entry of the lexicon can be matched by a query and maps to other words', () => {
  for (const [phrase, meant] of Object.entries(entries)) {
    const words = phrase.split(' ');
    expect(words.length, phrase).toBeLessThanOrEqual(MAX_PHRASE_WORDS);
    expect(phrase, phrase).toMatch(/^[a-z0-9]+(?: [a-z0-9]+)*$/);
    expect(
      words.every((word) => stopWords.has(word)),
      phrase,
    ).toBe(false);
    expect(meant, phrase).toMatch(/^[a-z0-9]+(?:_[a-z0-9]+)*(?: [a-z0-9]+(?:_[a-z0-9]+)*)*$/);
    expect(meant.split(' '), phrase).not.toContain(phrase);
  }
});

test('the lexicon has each entry once in any inflected form', () => {
  expect(lexicon().size).toBe(Object.keys(entries).length);
});
