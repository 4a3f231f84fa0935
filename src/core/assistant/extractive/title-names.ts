import { scanWords } from '../../search/words/tokenize.ts';
import type { QuestionWords } from './question-words.ts';

/** With more capitals than this, relatively, all words of a title have one, and they mean nothing. */
const MAX_CAPITALS = 0.6;
const MIN_WORDS_TO_JUDGE = 4;

/** Whether a page is named after something that the question does not name: “Migrate from Acme”, where nobody spoke of Acme. */
export function namesOther(words: QuestionWords, title: string): boolean {
  const all: string[] = [];
  scanWords(title, (word) => {
    all.push(word);
  });
  const capital = all.slice(1).filter((word) => /^\p{Lu}/u.test(word));
  const isAllCapital = all.length >= MIN_WORDS_TO_JUDGE && capital.length > all.length * MAX_CAPITALS;
  const names = isAllCapital ? all.filter(hasInnerCapital) : [...capital, ...all.slice(0, 1).filter(hasInnerCapital)];
  // What is all in capitals is short for something that everybody has: `API`, `SDK`.
  return names.some((name) => name !== name.toUpperCase() && words.found(name).every((found) => found === 0));
}

function hasInnerCapital(word: string): boolean {
  return /\p{Ll}\p{Lu}/u.test(word);
}
