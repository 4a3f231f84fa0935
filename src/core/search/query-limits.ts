import { stopWords } from './words/stop-words.ts';

/** Of a longer query the rest is not searched: the work must have a bound, and what matters stands at the beginning. */
export const MAX_QUERY_LENGTH = 400;
/** Words that are looked up. Of a query with more, those of grammar are left out first. */
export const MAX_WORDS = 32;
/** A search that took so long goes on with what it has. An ordinary one takes a few milliseconds. */
const MAX_MILLISECONDS = 250;

/** The words of a query that are looked up. */
export function wordsToLookUp<Word>(words: readonly Word[], nameOf: (word: Word) => string): Word[] {
  if (words.length <= MAX_WORDS) return [...words];
  const content = words.filter((word) => !stopWords.has(nameOf(word)));
  return (content.length > 0 ? content : words).slice(0, MAX_WORDS);
}

/** Starts the time of a search. @returns whether there is none left */
export function startTime(now: () => number = Date.now): () => boolean {
  const end = now() + MAX_MILLISECONDS;
  return () => now() > end;
}
