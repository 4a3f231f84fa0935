import type { SearchHit } from '@docent/search/search-index.ts';
import { scanWords } from '@docent/search/words/tokenize.ts';
import type { ForeignWords } from './foreign-words.ts';
import { questionLanguage } from './question-words.ts';

/** Scripts without spaces: a word may begin anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const LATIN = /^[\p{Script=Latin}\p{N}._-]+$/u;
const MAX_READ = 600;
const MAX_SAMPLE = 1000;

/** Whether a question is in another language than English, so that `inEnglish` needs its words. */
export function isForeign(question: string): boolean {
  const language = questionLanguage(question.slice(0, MAX_READ));
  return language !== undefined && language !== 'en';
}

/**
 * Returns a question in another language than the documentation as English search words: its names
 * and code, which are the same in all languages, and what a small dictionary of the subject has.
 * Words that languages share find themselves.
 * @param hits what the words of the question find
 * @param words the dictionary
 * @returns undefined if the documentation has the language of the question, or no word of it is
 *   known
 */
export function inEnglish(
  question: string,
  hits: readonly SearchHit[],
  siteLanguage: string | undefined,
  words: ForeignWords,
): string | undefined {
  const text = question.slice(0, MAX_READ);
  const documented = siteLanguage ?? languageOfTexts(hits) ?? 'en';
  if (!isForeign(text) || !/^en\b/i.test(documented)) return undefined;
  const lower = text.toLowerCase();
  const translations = Object.entries(words)
    .filter(([, beginnings]) =>
      beginnings.split(' ').some((beginning) => startsWord(lower, beginning.replaceAll('_', ' '))),
    )
    .map(([meaning]) => meaning);
  const names = namesIn(text);
  const lowerNames = new Set(names.map((name) => name.toLowerCase()));
  const others = translations
    .flatMap((meaning) => meaning.split(' '))
    .filter((word) => !lowerNames.has(word));
  const query = [...new Set([...names, ...others])].join(' ');
  return query === '' ? undefined : query;
}

function languageOfTexts(hits: readonly SearchHit[]): string | undefined {
  return questionLanguage(
    hits
      .slice(0, 3)
      .map(({ document }) => document.text.slice(0, MAX_SAMPLE))
      .join(' '),
  );
}

function startsWord(text: string, beginning: string): boolean {
  const at = text.indexOf(beginning);
  if (at < 0) return false;
  if (UNSPACED.test(beginning)) return true;
  for (let from = at; from >= 0; from = text.indexOf(beginning, from + 1))
    if (from === 0 || !/[\p{L}\p{N}]/u.test(text[from - 1] as string)) return true;
  return false;
}

/**
 * Latin words in another script; in Latin script those with a capital, a digit or a sign inside a
 * sentence.
 */
function namesIn(text: string): string[] {
  const isLatin = questionLanguage(text.replaceAll(/[\p{Script=Latin}]+/gu, '')) === undefined;
  const names: string[] = [];
  scanWords(text, (word, start) => {
    const isName =
      /\p{Ll}\p{Lu}|\p{L}[\d._]\p{L}|^\p{Lu}{2,}$/u.test(word) ||
      (/^\p{Lu}/u.test(word) && /[\p{L}\p{N},'’-] $/u.test(text.slice(0, start)));
    if (LATIN.test(word) && (!isLatin || isName)) names.push(word);
  });
  return names;
}
