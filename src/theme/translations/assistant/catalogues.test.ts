import { describe, expect, it } from 'vitest';
import { assistantCatalogues, assistantMessages } from './catalogues.ts';
import { en } from './en.ts';

const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe('the texts of the panel', () => {
  it.each([...assistantCatalogues()])('in %s fill the same places as English, and none is empty', (_, messages) => {
    for (const name of Object.keys(en) as (keyof typeof en)[]) {
      expect(placeholders(messages[name]), name).toEqual(placeholders(en[name]));
      expect(messages[name].trim(), name).not.toBe('');
    }
  });

  it('are English where the language is not known', () => {
    expect(assistantMessages('fr-CA')).toBe(assistantCatalogues().get('fr'));
    expect(assistantMessages('xx')).toBe(en);
    expect(assistantMessages('')).toBe(en);
  });
});
