import { expect, test } from 'vitest';
import entries from './lexicon.json' with { type: 'json' };
import { lexicon } from './lexicon.ts';
import { stopWords } from './stop-words.ts';
import { MAX_PHRASE_WORDS } from './synonyms.ts';

test('leads from the words of readers to those of documentation, and not back', () => {
  expect(lexicon().get('cut off')).toContain('trunc');
  expect(lexicon().get('trunc')).toBeUndefined();
});

test('has only entries that a query can find, each with words that are not its own', () => {
  for (const [asked, meant] of Object.entries(entries)) {
    const words = asked.split(' ');
    expect(words.length, asked).toBeLessThanOrEqual(MAX_PHRASE_WORDS);
    expect(asked, asked).toMatch(/^[a-z0-9]+(?: [a-z0-9]+)*$/);
    expect(
      words.every((word) => stopWords.has(word)),
      asked,
    ).toBe(false);
    expect(meant, asked).toMatch(/^[a-z0-9]+(?:_[a-z0-9]+)*(?: [a-z0-9]+(?:_[a-z0-9]+)*)*$/);
    expect(meant.split(' '), asked).not.toContain(asked);
  }
});

test('has each entry once, whatever its form', () => {
  expect(lexicon().size).toBe(Object.keys(entries).length);
});
