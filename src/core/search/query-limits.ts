import { stopWords } from './words/stop-words.ts';

/**
 * The rest of a longer query is ignored: work must be bounded, and the important part is at the beginning. A time limit would
 * return other results on a busy machine or a slow phone; with these limits the most expensive query takes about six times as
 * long as an ordinary one.
 */
export const MAX_QUERY_LENGTH = 400;
/** Maximum words to look up. Function words are dropped first. */
export const MAX_WORDS = 32;

/** Returns the words of a query to look up. */
export function wordsToLookUp<Word>(words: readonly Word[], nameOf: (word: Word) => string): Word[] {
  if (words.length <= MAX_WORDS) return [...words];
  const content = words.filter((word) => !stopWords.has(nameOf(word)));
  return (content.length > 0 ? content : words).slice(0, MAX_WORDS);
}
