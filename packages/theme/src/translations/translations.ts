import ar from './ar.json' with { type: 'json' };
import ca from './ca.json' with { type: 'json' };
import cs from './cs.json' with { type: 'json' };
import da from './da.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fi from './fi.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import he from './he.json' with { type: 'json' };
import hi from './hi.json' with { type: 'json' };
import hu from './hu.json' with { type: 'json' };
import id from './id.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import ko from './ko.json' with { type: 'json' };
import lv from './lv.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import no from './no.json' with { type: 'json' };
import pl from './pl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import ptBr from './pt-br.json' with { type: 'json' };
import ro from './ro.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import sv from './sv.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };
import uk from './uk.json' with { type: 'json' };
import uz from './uz.json' with { type: 'json' };
import vi from './vi.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };
import zhHant from './zh-hant.json' with { type: 'json' };

/**
 * All UI strings of Docent in one language. `en.json` is the schema: the others have exactly its
 * keys.
 */
export type Translation = typeof en;
/** Strings of pages. `fill` replaces `{name}`. */
export type Messages = Translation['page'];
export type AssistantMessages = ReturnType<typeof assistantMessages>;
export type SearchMessages = ReturnType<typeof searchMessages>;
export type PlaygroundMessages = ReturnType<typeof playgroundMessages>;
export type DiagramMessages = ReturnType<typeof diagramMessages>;

/** The translations by language tag in lower case, full or language only. */
export const TRANSLATIONS = {
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
} as const satisfies Record<string, Translation>;

type TranslationCode = keyof typeof TRANSLATIONS;

/** Returns whether there are strings for a lower-case tag. */
function hasTranslation(tag: string): tag is TranslationCode {
  return Object.hasOwn(TRANSLATIONS, tag);
}

/** Returns the strings of the search dialog. */
export function searchMessages({ page }: Translation) {
  return {
    label: page.search,
    loading: page.searchLoading,
    nothing: page.searchNothing,
    failed: page.searchFailed,
    hint: page.searchHint,
    recent: page.searchRecent,
    visited: page.searchVisited,
    ask: page.searchAsk,
    clear: page.searchClear,
    resultCount: page.searchResultCount,
    suggestions: page.searchSuggestions,
    select: page.searchSelect,
    move: page.searchMove,
    close: page.searchClose,
  };
}

/**
 * Returns the strings of the assistant's panel: its own, and those that it has in common with
 * pages.
 */
export function assistantMessages({
  page: { close, copy, copied, copyFailed, send },
  assistant,
}: Translation) {
  return { ...assistant, close, copy, copied, copyFailed, send };
}

/**
 * Returns the strings of the API form: its own, and those that it has in common with pages and the
 * assistant.
 */
export function playgroundMessages({
  page: { send },
  assistant: { stop },
  playground,
}: Translation) {
  return { ...playground, send, stop };
}

/**
 * Returns the strings of a diagram's controls: its own, and one that it has in common with pages.
 */
export function diagramMessages({ page: { close }, diagrams }: Translation) {
  return { ...diagrams, close };
}

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

/**
 * Returns the locale of a language in docs.json. No language or an unknown one: English strings,
 * and the tag if it is valid.
 */
export function localeOf(language: string | undefined): Locale {
  const languageTag = language ?? 'en';
  const tag = TAGS.get(languageTag.toLowerCase()) ?? (TAG.test(languageTag) ? languageTag : 'en');
  const base = tag.split('-')[0]?.toLowerCase() ?? 'en';
  const code = [tag.toLowerCase(), base].find(hasTranslation) ?? ALIASES.get(base) ?? 'en';
  return {
    tag,
    direction: RIGHT_TO_LEFT.has(base) ? 'rtl' : 'ltr',
    code,
    messages: TRANSLATIONS[code].page,
  };
}
