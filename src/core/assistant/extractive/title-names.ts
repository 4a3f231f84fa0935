import { scanWords } from '../../search/words/tokenize.ts';
import type { QuestionWords } from './question-words.ts';

/** With a larger share of capitals than this, a title is in title case and its capitals mean nothing. */
const MAX_CAPITALS = 0.6;
const MIN_WORDS_TO_JUDGE = 4;

/**
 * Returns whether a page is named after something that the question does not name: “Migrate from Acme” for a question without
 * Acme.
 */
export function namesOther(words: QuestionWords, title: string): boolean {
  const all: string[] = [];
  scanWords(title, (word) => {
    all.push(word);
  });
  const capital = all.slice(1).filter((word) => /^\p{Lu}/u.test(word));
  const isAllCapital = all.length >= MIN_WORDS_TO_JUDGE && capital.length > all.length * MAX_CAPITALS;
  const names = isAllCapital ? all.filter(hasInnerCapital) : [...capital, ...all.slice(0, 1).filter(hasInnerCapital)];
  // Words in capitals are acronyms of common things: `API`, `SDK`.
  return names.some((name) => name !== name.toUpperCase() && words.found(name).every((found) => found === 0));
}

function hasInnerCapital(word: string): boolean {
  return /\p{Ll}\p{Lu}/u.test(word);
}
