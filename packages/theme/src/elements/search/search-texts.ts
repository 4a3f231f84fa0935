import type { SearchMessages } from '../../translations/translations.ts';
import { pageData } from '../page-data.ts';

/** Replaced when the script is bundled. */
declare const SEARCH_TEXTS: SearchMessages;

/** The strings of the dialog in the language of the page, in English if its file did not load. */
export function searchTexts(): SearchMessages {
  return globalThis.__docentSearchTexts?.[pageData().search.texts?.code ?? ''] ?? SEARCH_TEXTS;
}
