import { commonWords, stopWords, tokenize } from '@docent/search/words/tokenize.ts';
import type { ChatTurn } from '../chat/chat-request.ts';

const MAX_READ = 600;
/** A question with fewer content words depends on the previous messages. */
const MIN_CONTENT_WORDS = 3;
const REFERS_BACK =
  /^(?:and|but|so|then|ok|okay|also|what about|how about|why|what if)\b|\b(?:it|that|this|these|those|them|they|there|one|ones)\b/i;

/** Messages before that the subject of a follow-up is looked for in. */
export const MAX_EARLIER = 4;
/** Returns the questions that this one depends on, newest first; none if it stands alone. */
export function earlierQuestions({
  question,
  turns,
}: {
  question: string;
  turns: readonly ChatTurn[];
}): string[] {
  const earlier: string[] = [];
  let text = question;
  for (const turn of turns
    .filter(({ role }) => role === 'user')
    .slice(0, -1)
    .reverse()) {
    if (!isFollowUp(text) || earlier.length === MAX_EARLIER) break;
    text = turn.text;
    earlier.push(text);
  }
  return earlier;
}

/** Whether a question cannot stand alone: “and then?” */
export function isFollowUp(text: string): boolean {
  const words = contentWords(text);
  return (
    words < MIN_CONTENT_WORDS || (words < 2 * MIN_CONTENT_WORDS && REFERS_BACK.test(text.trim()))
  );
}

/** The number of words that say what a text is about. */
export function contentWords(text: string): number {
  return tokenize(text.slice(0, MAX_READ)).filter(
    (word) => !stopWords.has(word) && !commonWords.has(word),
  ).length;
}
