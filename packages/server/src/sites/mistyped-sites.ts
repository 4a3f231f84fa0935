import { onlyNearestNames } from '@docent/format/nearest-name.ts';
import { listSiteTexts, type SiteWord } from '../kernel/sites/site-list.ts';
import type { QueryRunner } from '../ports/database.ts';

const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Reads what a search for sites that finds nothing may have meant: for each word that no site of
 * the organization has, the words that are nearest to it, also as the beginning of longer ones.
 * Words with digits are taken as they are written.
 * @param words the words of the search
 * @returns for each word, those of which one must occur; `undefined` if the search has no mistyped
 *   word, or one without a near word
 */
export async function correctSiteWords(
  queries: QueryRunner,
  organizationId: string,
  words: readonly string[],
): Promise<SiteWord[] | undefined> {
  const texts = (await listSiteTexts(queries, organizationId)).map((text) => text.toLowerCase());
  const existing = new Set(texts.flatMap((text) => text.match(WORD) ?? []));
  const corrected = words.map((typed): SiteWord => {
    const word = typed.toLowerCase();
    if (texts.some((text) => text.includes(word))) return [word];
    if (/\d/.test(word)) return [];
    const beginnings = [...existing]
      .filter(({ length }) => length > word.length)
      .map((longer) => longer.slice(0, word.length));
    return onlyNearestNames(word, new Set([...existing, ...beginnings]));
  });
  const isMistyped = corrected.some(
    (meanings, index) => meanings[0] !== words[index]?.toLowerCase(),
  );
  return isMistyped && corrected.every(({ length }) => length > 0) ? corrected : undefined;
}
