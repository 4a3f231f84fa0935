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
import type { PlaygroundMessages } from './messages.ts';
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

const CATALOGUES: ReadonlyMap<string, PlaygroundMessages> = new Map(
  Object.entries({
    ar,
    ca,
    cs,
    da,
    de,
    en,
    es,
    fi,
    fr,
    he,
    hi,
    hu,
    id,
    it,
    ja,
    ko,
    lv,
    nl,
    no,
    pl,
    pt,
    'pt-br': ptBr,
    ro,
    ru,
    sv,
    tr,
    uk,
    uz,
    vi,
    zh,
    'zh-hant': zhHant,
  }),
);
/** Both written forms of it read the same texts. */
const NORWEGIAN: ReadonlySet<string> = new Set(['nb', 'nn']);

/** The code of the texts for a language tag (`fr-CA` → `fr`); `en` where there are none. */
export function playgroundTextsCode(tag: string): string {
  const lower = tag.toLowerCase();
  const base = lower.split('-')[0] ?? '';
  return [lower, base, NORWEGIAN.has(base) ? 'no' : ''].find((code) => CATALOGUES.has(code)) ?? 'en';
}

/** The texts of such a code. */
export function playgroundMessages(code: string): PlaygroundMessages {
  return CATALOGUES.get(code) ?? en;
}

/** Every catalogue by its code. */
export function playgroundCatalogues(): ReadonlyMap<string, PlaygroundMessages> {
  return CATALOGUES;
}
