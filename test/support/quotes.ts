import type { Passage } from '../../packages/assistant/src/chat/chat-request.ts';
import { answerFrames } from '../../packages/assistant/src/extractive/answer-frames.ts';
import {
  answerQuotes,
  chooseQuotes,
  rankPassages,
} from '../../packages/assistant/src/extractive/choose-quotes.ts';
import { QuestionWords } from '../../packages/assistant/src/retrieve/question-words.ts';

/** A section of a page that a search found. */
export const passage = (
  path: string,
  headings: string[],
  content: string,
  score: number,
): Passage => ({
  path,
  content,
  url: `https://docs.example.com/${path}#${headings.join('-')}`,
  headings,
  metadata: { title: `Page ${path}`, score: score + 0.35 },
  share: score,
});

/** What is quoted for a question, and how surely. */
export const choose = (question: string, passages: Passage[]) =>
  chooseQuotes(question, new QuestionWords(question), passages, answerFrames('en'));

/** What is quoted for a question that is answered. */
export const quotesFor = (question: string, passages: Passage[]) => {
  const words = new QuestionWords(question);
  return answerQuotes(
    question,
    words,
    rankPassages(question, words, passages),
    passages,
    answerFrames('en'),
  );
};

/** The first of these quotes. */
export const first = (question: string, passages: Passage[]) =>
  quotesFor(question, passages)[0]?.markdown ?? '';

/** Words that answer nothing. */
export const FILLER = 'Some words that say little about anything in particular stand here. ';
