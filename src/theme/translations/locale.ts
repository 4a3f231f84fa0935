import { hasTranslation, type Messages, TRANSLATIONS, type TranslationCode } from './translations.ts';

/** How a page names its language, and the texts of the interface around it. */
export interface Locale {
  /** BCP 47 tag for `<html lang>`. */
  tag: string;
  direction: 'ltr' | 'rtl';
  /** The translation that comes closest (`fr` for `fr-CA`). */
  code: TranslationCode;
  messages: Messages;
}

/** Codes that the format allows and BCP 47 does not know, or knows as something else. */
const TAGS: ReadonlyMap<string, string> = new Map([
  ['cn', 'zh-Hans'],
  ['zh-cn', 'zh-Hans'],
  ['zh-tw', 'zh-Hant'],
  ['zh-hk', 'zh-Hant'],
  ['jp', 'ja'],
  ['ja-jp', 'ja'],
  ['iw', 'he'],
]);
/** Both written forms of Norwegian read the same texts. */
const ALIASES: ReadonlyMap<string, TranslationCode> = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
]);
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur']);
const TAG = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** The locale of a language as docs.json names it. No language or an unknown one: English texts, and the tag if it is one. */
export function localeOf(language: string | undefined): Locale {
  const wanted = language ?? 'en';
  const tag = TAGS.get(wanted.toLowerCase()) ?? (TAG.test(wanted) ? wanted : 'en');
  const base = tag.split('-')[0]?.toLowerCase() ?? 'en';
  const code = [tag.toLowerCase(), base].find(hasTranslation) ?? ALIASES.get(base) ?? 'en';
  return { tag, direction: RIGHT_TO_LEFT.has(base) ? 'rtl' : 'ltr', code, messages: TRANSLATIONS[code].page };
}
