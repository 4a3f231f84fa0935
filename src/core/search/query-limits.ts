import { stopWords } from './words/stop-words.ts';

/** The rest of a longer query is ignored: work must be bounded, and the important part is at the beginning. */
export const MAX_QUERY_LENGTH = 400;
/** Maximum words to look up. Function words are dropped first. */
export const MAX_WORDS = 32;
/** After this time, a search continues with what it has. An ordinary one takes a few milliseconds. */
const MAX_MILLISECONDS = 250;

/** Returns the words of a query to look up. */
export function wordsToLookUp<Word>(words: readonly Word[], nameOf: (word: Word) => string): Word[] {
  if (words.length <= MAX_WORDS) return [...words];
  const content = words.filter((word) => !stopWords.has(nameOf(word)));
  return (content.length > 0 ? content : words).slice(0, MAX_WORDS);
}

/** Starts the timer of a search. @returns a function that tells whether time is up */
export function startTime(now: () => number = Date.now): () => boolean {
  const end = now() + MAX_MILLISECONDS;
  return () => now() > end;
}
