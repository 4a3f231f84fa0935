import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import type { Messages } from './messages.ts';
import { zh } from './zh.ts';

/** How a page says its language, and the texts of the interface around it. */
export interface Locale {
  /** BCP 47 tag for `<html lang>`. */
  tag: string;
  direction: 'ltr' | 'rtl';
  messages: Messages;
}

/** Codes that the format allows and BCP 47 does not know, or knows as something else. */
const TAGS: ReadonlyMap<string, string> = new Map([
  ['cn', 'zh-Hans'],
  ['zh-cn', 'zh-Hans'],
  ['zh-tw', 'zh-Hant'],
  ['jp', 'ja'],
  ['ja-jp', 'ja'],
]);
const CATALOGUES: ReadonlyMap<string, Messages> = new Map(Object.entries({ en, de, es, fr, ja, zh }));
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur']);
const TAG = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** The locale of a language as docs.json names it. No language or an unknown one: English texts, and the tag if it is one. */
export function localeOf(language: string | undefined): Locale {
  const wanted = language ?? 'en';
  const tag = TAGS.get(wanted.toLowerCase()) ?? (TAG.test(wanted) ? wanted : 'en');
  const base = tag.split('-')[0]?.toLowerCase() ?? 'en';
  const messages = tag === 'zh-Hant' ? en : (CATALOGUES.get(base) ?? en);
  return { tag, direction: RIGHT_TO_LEFT.has(base) ? 'rtl' : 'ltr', messages };
}
