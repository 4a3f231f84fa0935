import { commonWords, stopWords } from '../search/words/stop-words.ts';
import { tokenize } from '../search/words/tokenize.ts';
import type { AssistantQuestion } from './assistant-question.ts';

const MAX_QUERY_LENGTH = 600;
const MAX_CONTEXT_LENGTH = 160;
/** A question with fewer content words depends on the previous messages. */
const MIN_CONTENT_WORDS = 3;
const REFERS_BACK =
  /^(?:and|but|so|then|ok|okay|also|what about|how about|why|what if)\b|\b(?:it|that|this|these|those|them|they|there|one|ones)\b/i;

/**
 * Returns the search query: the question; before it, if it is too short to stand alone (“and then?”), the previous question; and
 * the beginning of the reader's selection.
 */
export function searchQuery(question: AssistantQuestion): string {
  const pieces = [question.question];
  const words = contentWords(question.question);
  if (words < MIN_CONTENT_WORDS || (words < 2 * MIN_CONTENT_WORDS && REFERS_BACK.test(question.question.trim()))) {
    const previous = previousQuestion(question);
    if (previous !== undefined) pieces.push(previous);
  }
  for (const { value } of question.context.slice(0, 2)) pieces.push(value.slice(0, MAX_CONTEXT_LENGTH));
  return pieces.join(' ').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_QUERY_LENGTH);
}

function contentWords(text: string): number {
  return tokenize(text.slice(0, MAX_QUERY_LENGTH)).filter((word) => !stopWords.has(word) && !commonWords.has(word)).length;
}

function previousQuestion({ turns }: AssistantQuestion): string | undefined {
  const asked = turns.filter((turn) => turn.role === 'user');
  return asked.at(-2)?.text;
}
