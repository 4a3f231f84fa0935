import { isSymbolWord } from '@docent/format/content/page/words.ts';
import { describe, expect, it } from 'vitest';
import { fill } from './fill.ts';
import { localeOf, TRANSLATIONS } from './translations.ts';

/** The codes that the format allows for a language of the navigation. */
const CODES =
  'ar ca cn cs da de en es fi fr fr-CA he hi hu id it ja ja-JP jp ko lv nl no pl pt pt-BR ro ru sv tr uk uz vi zh zh-CN zh-Hans zh-Hant zh-TW';

describe('localeOf', () => {
  it.each(CODES.split(' ').filter((code) => code !== 'en'))(
    'has separate texts for %s, and a tag that browsers recognize',
    (code) => {
      const { tag, messages } = localeOf(code);
      expect(messages.skipToContent).not.toBe(localeOf('en').messages.skipToContent);
      expect(new Intl.Locale(tag).language).toMatch(/^[a-z]{2}$/);
    },
  );

  it('finds the nearest translation of a tag, or else English', () => {
    const found = ['fr-CA', 'zh-TW', 'zh-CN', 'zh-Hans', 'cn', 'jp', 'pt-BR', 'pt', 'nb', 'nn'].map(
      (tag) => localeOf(tag).code,
    );
    expect(found).toEqual(['fr', 'zh-hant', 'zh', 'zh', 'zh', 'ja', 'pt-br', 'pt', 'no', 'no']);
    expect(['xx', '', 'en-GB', '"><b>', 'constructor'].map((tag) => localeOf(tag).code)).toEqual(
      Array(5).fill('en'),
    );
    expect(localeOf('fr-CA').tag).toBe('fr-CA');
    expect(localeOf(undefined)).toMatchObject({ tag: 'en', direction: 'ltr' });
    expect(localeOf('"><b>')).toMatchObject({ tag: 'en' });
  });

  it('uses right-to-left direction exactly for Arabic and Hebrew', () => {
    const right = CODES.split(' ').filter((code) => localeOf(code).direction === 'rtl');
    expect(right).toEqual(['ar', 'he']);
  });
});

/** The texts of a translation by `group.name`. */
function textsOf(translation: object): Map<string, string> {
  return new Map(
    Object.entries(translation).flatMap(([group, texts]) =>
      Object.entries(texts as Record<string, string>).map(
        ([name, text]) => [`${group}.${name}`, text] as const,
      ),
    ),
  );
}

describe('the translation', () => {
  const placeholders = (text: string): string[] =>
    [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  const all = Object.entries(TRANSLATIONS).map(
    ([code, translation]) => [code, textsOf(translation)] as const,
  );
  const english = textsOf(TRANSLATIONS.en);

  it.each(all)(
    '%s has the English texts in order, with the same placeholders and no empty text',
    (_, texts) => {
      expect([...texts.keys()]).toEqual([...english.keys()]);
      for (const [name, text] of texts) {
        expect(placeholders(text), name).toEqual(placeholders(english.get(name)!));
        expect(text.trim(), name).not.toBe('');
      }
    },
  );

  it.each(all)('%s is not a copy of another language', (code, texts) => {
    for (const [otherCode, other] of all) {
      if (otherCode === code) continue;
      const same = [...texts].filter(([name, text]) => other.get(name) === text);
      // Closely related languages share some texts.
      expect(same.length, otherCode).toBeLessThan(english.size * 0.8);
    }
  });

  it('covers every term of GraphQL and SDK pages', () => {
    for (const word of Object.keys(TRANSLATIONS.en.symbols))
      expect(isSymbolWord(word as 'type'), word).toBe(true);
    expect(TRANSLATIONS.de.symbols.returns).toBe('Rückgabe');
  });
});

describe('fill', () => {
  it('replaces known placeholders, and keeps other names unchanged', () => {
    expect(fill('{a} of {b} {toString}', { a: 1 })).toBe('1 of {b} {toString}');
  });
});
