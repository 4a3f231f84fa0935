import { expect, it } from 'vitest';
import { playgroundCatalogues } from './playground/catalogues.ts';
import { symbolWord, symbolWordLanguages } from './symbol-words.ts';

it('pages of symbols have their words in every language of API pages', () => {
  const languages = [...playgroundCatalogues().keys()].filter((code) => code !== 'en');
  expect([...symbolWordLanguages].sort()).toEqual(languages.sort());
  for (const code of languages) {
    for (const word of ['arguments', 'callSignatures', 'doNotUse'] as const) expect(symbolWord(code, word)).toMatch(/\S/);
  }
  expect(symbolWord('de', 'returns')).toBe('Rückgabe');
  expect(symbolWord('en', 'returns')).toBeUndefined();
});
