import type { SearchIndex } from '@docent/search/search-index.ts';
import type { AnswerExtras } from './chat/answer-event.ts';
import type { AssistantQuestion, ChatTurn } from './chat/chat-request.ts';
import { type ExtractiveAnswer, extractiveAnswer } from './extractive/extractive-answer.ts';
import { nextQuestions } from './next-questions.ts';
import { type Retrieval, type RetrieveOptions, retrieve } from './retrieve/retrieve.ts';

/** An answer without a language model, complete. */
export interface QuotedAnswer
  extends Pick<ExtractiveAnswer, 'quotes'>,
    Pick<AnswerExtras, 'nextQuestions'> {
  /** Markdown. */
  text: string;
  /** The quoted pages, best first. */
  sources: { url: string; title: string }[];
}

/**
 * Answers a question by quoting, as the platform does without a language model. Pure: browsers run
 * it without a server.
 */
export async function quotedAnswer(
  index: SearchIndex,
  question: AssistantQuestion,
  options: Omit<RetrieveOptions, 'search'>,
): Promise<QuotedAnswer> {
  const retrieval = await retrieve(index, question, options);
  const { passages, pointsAt, note, pages, english, synonyms } = retrieval;
  const { pieces, sources, quotes, answered } = extractiveAnswer({
    ...{ instructions: '', steps: [], mayUseTools: false, turns: withContext(question) },
    ...{
      passages,
      pointsAt,
      note,
      english,
      synonyms,
      language: languageOf(question, retrieval, options.defaults?.language),
    },
    hasUnseenImages: question.images.length > 0,
  });
  const text = pieces.join('');
  const search = { filter: question.filter, defaults: options.defaults };
  const hasNext = answered && pointsAt === undefined && passages.length > 0;
  return {
    text,
    quotes,
    sources: pages
      .filter(({ path }) => sources.includes(path))
      .map(({ url, metadata }) => ({ url, title: metadata.title })),
    ...(hasNext && {
      nextQuestions: nextQuestions(question.question, { index, search, passages, answer: text }),
    }),
  };
}

/**
 * Returns the language of the searched pages, in which the sentences of an answer are if that of
 * the question is unclear.
 */
export function languageOf(
  { filter }: Pick<AssistantQuestion, 'filter'>,
  { passages }: Pick<Retrieval, 'passages'>,
  defaultLanguage: string | undefined,
): string | undefined {
  return filter?.language ?? passages[0]?.metadata.language ?? defaultLanguage;
}

const MAX_CONTEXT_LENGTH = 4000;

/** The reader's current context is part of the question, as their words, not as ours. */
export function withContext({
  turns,
  context,
}: Pick<AssistantQuestion, 'turns' | 'context'>): ChatTurn[] {
  const questionIndex = turns.findLastIndex((turn) => turn.role === 'user');
  if (context.length === 0) return turns;
  const contextTexts = context.map(({ type, value, path }) => {
    return `${type === 'code' ? 'Code' : 'Selected text'}${path ? ` on ${path}` : ''}:\n${value.slice(0, MAX_CONTEXT_LENGTH)}`;
  });
  return turns.map((turn, index) =>
    index === questionIndex ? { ...turn, text: [turn.text, ...contextTexts].join('\n\n') } : turn,
  );
}
