import { describe, expect, it } from 'vitest';
import { catalogues, localeOf } from '../locale.ts';
import { assistantCatalogues, assistantMessages, assistantTextsCode } from './catalogues.ts';
import { en } from './en.ts';

const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
const others = [...assistantCatalogues()].filter(([code]) => code !== 'en');

describe('the texts of the panel', () => {
  it.each([...assistantCatalogues()])('in %s fill the same places as English, and none is empty', (_, messages) => {
    expect(Object.keys(messages)).toEqual(Object.keys(en));
    for (const name of Object.keys(en) as (keyof typeof en)[]) {
      expect(placeholders(messages[name]), name).toEqual(placeholders(en[name]));
      expect(messages[name].trim(), name).not.toBe('');
    }
  });

  it.each([...catalogues().keys()])('are there in %s, as those of the pages are', (language) => {
    const isEnglish = localeOf(language).messages === localeOf('en').messages;
    expect(assistantTextsCode(language) === 'en').toBe(isEnglish);
  });

  it.each(others)('in %s are no copy of another language', (code, messages) => {
    for (const [otherCode, other] of assistantCatalogues()) {
      if (otherCode === code) continue;
      const same = (Object.keys(en) as (keyof typeof en)[]).filter((name) => messages[name] === other[name]);
      // Closely related languages say some things in the same words.
      expect(same.length, otherCode).toBeLessThan(Object.keys(en).length * 0.8);
    }
  });

  it('are those of the nearest language, English where it is not known', () => {
    expect(['fr-CA', 'zh-TW', 'zh-CN', 'cn', 'jp', 'pt-BR', 'pt', 'nb'].map(assistantTextsCode)).toEqual([
      'fr',
      'zh-hant',
      'zh',
      'zh',
      'ja',
      'pt-br',
      'pt',
      'no',
    ]);
    expect(['xx', '', 'en-GB', '"><b>', 'constructor'].map(assistantTextsCode)).toEqual(['en', 'en', 'en', 'en', 'en']);
    expect(assistantMessages('constructor')).toBe(en);
  });
});
