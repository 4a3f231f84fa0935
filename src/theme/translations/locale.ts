import { ar } from './ar.ts';
import { ca } from './ca.ts';
import { cs } from './cs.ts';
import { da } from './da.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fi } from './fi.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { hi } from './hi.ts';
import { hu } from './hu.ts';
import { id } from './id.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { lv } from './lv.ts';
import type { Messages } from './messages.ts';
import { nl } from './nl.ts';
import { no } from './no.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ptBr } from './pt-br.ts';
import { ro } from './ro.ts';
import { ru } from './ru.ts';
import { sv } from './sv.ts';
import { tr } from './tr.ts';
import { uk } from './uk.ts';
import { uz } from './uz.ts';
import { vi } from './vi.ts';
import { zh } from './zh.ts';
import { zhHant } from './zh-hant.ts';

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
  ['zh-hk', 'zh-Hant'],
  ['jp', 'ja'],
  ['ja-jp', 'ja'],
  ['iw', 'he'],
]);
/** Texts by the tag in lower case, whole or its language alone. */
const CATALOGUES: ReadonlyMap<string, Messages> = new Map(
  Object.entries({
    ...{ ar, ca, cs, da, de, en, es, fi, fr, he, hi, hu, id, it, ja, ko, lv, nl, no, nb: no, nn: no, pl, pt, 'pt-br': ptBr },
    ...{ ro, ru, sv, tr, uk, uz, vi, zh, 'zh-hant': zhHant },
  }),
);
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur']);
const TAG = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** The locale of a language as docs.json names it. No language or an unknown one: English texts, and the tag if it is one. */
export function localeOf(language: string | undefined): Locale {
  const wanted = language ?? 'en';
  const tag = TAGS.get(wanted.toLowerCase()) ?? (TAG.test(wanted) ? wanted : 'en');
  const base = tag.split('-')[0]?.toLowerCase() ?? 'en';
  const messages = CATALOGUES.get(tag.toLowerCase()) ?? CATALOGUES.get(base) ?? en;
  return { tag, direction: RIGHT_TO_LEFT.has(base) ? 'rtl' : 'ltr', messages };
}

/** Every catalogue by its code, for the check that none lacks or invents a value. */
export function catalogues(): ReadonlyMap<string, Messages> {
  return CATALOGUES;
}
