import { describe, expect, it } from 'vitest';
import { catalogues, localeOf } from './locale.ts';
import { fill, type Messages } from './messages.ts';

/** The codes that the format allows for a language of the navigation. */
const CODES =
  'ar ca cn cs da de en es fi fr fr-CA he hi hu id it ja ja-JP jp ko lv nl no pl pt pt-BR ro ru sv tr uk uz vi zh zh-CN zh-Hans zh-Hant zh-TW';

describe('localeOf', () => {
  it.each(CODES.split(' ').filter((code) => code !== 'en'))(
    'has texts of its own for %s, and a tag that browsers know',
    (code) => {
      const { tag, messages } = localeOf(code);
      expect(messages.skipToContent).not.toBe(localeOf('en').messages.skipToContent);
      expect(new Intl.Locale(tag).language).toMatch(/^[a-z]{2}$/);
    },
  );

  it('knows the spellings that mean the same language', () => {
    expect(localeOf('cn').messages).toBe(localeOf('zh-Hans').messages);
    expect(localeOf('zh-TW').messages).toBe(localeOf('zh-Hant').messages);
    expect(localeOf('jp').messages).toBe(localeOf('ja').messages);
    expect(localeOf('fr-CA')).toMatchObject({ tag: 'fr-CA', messages: localeOf('fr').messages });
    expect(localeOf('pt-BR').messages).not.toBe(localeOf('pt').messages);
  });

  it('writes Arabic and Hebrew from right to left, and nothing else', () => {
    const right = CODES.split(' ').filter((code) => localeOf(code).direction === 'rtl');
    expect(right).toEqual(['ar', 'he']);
  });

  it('falls back to English for what is no language', () => {
    expect(localeOf(undefined)).toMatchObject({ tag: 'en', direction: 'ltr' });
    expect(localeOf('"><b>')).toMatchObject({ tag: 'en' });
    expect(localeOf('xx').messages).toBe(localeOf('en').messages);
  });
});

describe('the catalogues', () => {
  const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

  it.each([...catalogues().keys()])('%s fills the same places as English, and leaves no text empty', (code) => {
    const english = localeOf('en').messages;
    const messages = catalogues().get(code) as Messages;
    for (const name of Object.keys(english) as (keyof Messages)[]) {
      expect(placeholders(messages[name]), name).toEqual(placeholders(english[name]));
      expect(messages[name].trim(), name).not.toBe('');
    }
  });
});

describe('fill', () => {
  it('fills what it is given, and leaves other names as they are', () => {
    expect(fill('{a} of {b} {toString}', { a: 1 })).toBe('1 of {b} {toString}');
  });
});
