import { hasTranslation, type Messages, TRANSLATIONS, type TranslationCode } from './translations.ts';

/** The language tag of a page, and its UI strings. */
export interface Locale {
  /** BCP 47 tag for `<html lang>`. */
  tag: string;
  direction: 'ltr' | 'rtl';
  /** The closest translation (`fr` for `fr-CA`). */
  code: TranslationCode;
  messages: Messages;
}

/** Codes that the format allows and BCP 47 does not know, or defines differently. */
const TAGS: ReadonlyMap<string, string> = new Map([
  ['cn', 'zh-Hans'],
  ['zh-cn', 'zh-Hans'],
  ['zh-tw', 'zh-Hant'],
  ['zh-hk', 'zh-Hant'],
  ['jp', 'ja'],
  ['ja-jp', 'ja'],
  ['iw', 'he'],
]);
/** Both written forms of Norwegian use the same strings. */
const ALIASES: ReadonlyMap<string, TranslationCode> = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
]);
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur']);
const TAG = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** Returns the locale of a language in docs.json. No language or an unknown one: English strings, and the tag if it is valid. */
export function localeOf(language: string | undefined): Locale {
  const wanted = language ?? 'en';
  const tag = TAGS.get(wanted.toLowerCase()) ?? (TAG.test(wanted) ? wanted : 'en');
  const base = tag.split('-')[0]?.toLowerCase() ?? 'en';
  const code = [tag.toLowerCase(), base].find(hasTranslation) ?? ALIASES.get(base) ?? 'en';
  return { tag, direction: RIGHT_TO_LEFT.has(base) ? 'rtl' : 'ltr', code, messages: TRANSLATIONS[code].page };
}
