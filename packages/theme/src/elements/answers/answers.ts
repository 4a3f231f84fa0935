import type { AssistantQuestion } from '@docent/assistant/chat-request.ts';
import { type QuotedAnswer, quotedAnswer } from '@docent/assistant/quoted-answer.ts';
import type { AskBody } from '../assistant/assistant-client.ts';
import { pageData } from '../page-data.ts';
import { searchIndex } from '../search/search-index.ts';

declare global {
  /** The global API of `answers.js`. */
  var __docentAnswer: ((body: AskBody) => Promise<QuotedAnswer>) | undefined;
}

/** As many pages as a server answers from. */
const PAGES = 5;

/**
 * Answers from the search index of the site's pages, in this browser: what a server without a
 * language model answers.
 */
async function answer({
  messages,
  context,
  currentPath,
  filter,
  fp,
}: AskBody): Promise<QuotedAnswer> {
  const turns = messages.map(({ role, parts }) => ({
    role,
    text: parts.map(({ text }) => text).join('\n\n'),
  }));
  const question: AssistantQuestion = {
    ...{ fp, turns, context, images: [], continuesAssistant: false, pageSize: PAGES },
    ...{ wire: 'full', searchForm: 'object', onlyNewest: false },
    question: turns.at(-1)?.text ?? '',
    ...(filter && { filter }),
    ...(currentPath !== undefined && { currentPath }),
  };
  const { defaultVersion, version, language } = pageData();
  const label = defaultVersion ?? version;
  const defaults = { ...(label && { version: label }), ...(language && { language }) };
  const index = await searchIndex();
  const options = { publicUrl: '', defaults, rules: index.rules };
  return index.compute((whole) => quotedAnswer(whole, question, options));
}

globalThis.__docentAnswer = answer;
