import { stem } from '@docent/search/words/stem.ts';
import { commonWords, scanWords, stopWords } from '@docent/search/words/tokenize.ts';
import type { CountedAnswer } from './conversation-queries.ts';

/** Shorter words carry little meaning; those of scripts without spaces are whole. */
const MIN_LETTERS = 3;
/** Of other wordings, each once. */
const MAX_WORDINGS = 3;

/** Returns the stems of a question's meaningful words, each with a word of it. */
export function distinctiveWords(question: string): Map<string, string> {
  const words = new Map<string, string>();
  scanWords(question, (raw) => {
    const word = raw.toLowerCase();
    const isShort = word.length < MIN_LETTERS && /^[a-z0-9]*$/.test(word);
    if (!isShort && !stopWords.has(word) && !commonWords.has(word)) words.set(stem(word), word);
  });
  return words;
}

/** What questions have in common that are the same, in any order and form of their words. */
export function questionKey(question: string): string {
  return [...distinctiveWords(question).keys()].sort().join(' ') || question.trim().toLowerCase();
}

/**
 * Groups answers whose questions have the same meaningful words, in any order and form.
 * @param answers newest first
 * @returns the most frequent first
 */
export function groupQuestions(answers: readonly CountedAnswer[]) {
  const withQuestion = answers.filter(
    ({ question }) => question !== null && question.trim() !== '',
  );
  return [...Map.groupBy(withQuestion, ({ question }) => questionKey(question as string)).values()]
    .map((group) => {
      const [newest] = group as [CountedAnswer];
      const question = newest.question as string;
      const wordings = [...new Set(group.map((answer) => answer.question as string))];
      const countOf = (test: (answer: CountedAnswer) => boolean) => group.filter(test).length;
      return {
        question,
        otherWordings: wordings.slice(1, 1 + MAX_WORDINGS),
        count: group.length,
        answered: countOf(({ outcome }) => outcome === 'answered'),
        notInDocs: countOf(({ outcome }) => outcome === 'not_in_docs'),
        notHelpful: countOf(({ helpful }) => helpful === false),
        waiting: countOf(({ isWaiting }) => isWaiting),
        newest,
      };
    })
    .sort((a, b) => b.count - a.count);
}
