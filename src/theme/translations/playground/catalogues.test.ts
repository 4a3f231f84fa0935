import { describe, expect, it } from 'vitest';
import { catalogues } from '../locale.ts';
import { playgroundCatalogues, playgroundMessages, playgroundTextsCode } from './catalogues.ts';
import type { PlaygroundMessages } from './messages.ts';

const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe('the texts of the form that calls an API', () => {
  it.each([...playgroundCatalogues().keys()])('%s fills the same places as English, and leaves no text empty', (code) => {
    const english = playgroundMessages('en');
    const messages = playgroundMessages(code);
    for (const name of Object.keys(english) as (keyof PlaygroundMessages)[]) {
      expect(placeholders(messages[name]), name).toEqual(placeholders(english[name]));
      expect(messages[name].trim(), name).not.toBe('');
    }
  });

  it.each([...catalogues().keys()])('are there in every language that the interface has: %s', (tag) => {
    const code = playgroundTextsCode(tag);
    expect(code === 'en').toBe(tag === 'en');
  });

  it('are found by tags with a region, and English for what is no language', () => {
    expect(['fr-CA', 'pt-BR', 'zh-Hant', 'zh-Hans', 'nb', 'xx'].map(playgroundTextsCode)).toEqual([
      'fr',
      'pt-br',
      'zh-hant',
      'zh',
      'no',
      'en',
    ]);
  });
});
