import { buildSearchIndex } from '@docent/search/load/build-search-index.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import type { SearchDocument } from '@docent/search/search-index.ts';
import { expect, it } from 'vitest';
import type { AssistantQuestion } from './chat/chat-request.ts';
import { nextQuestions } from './next-questions.ts';
import { foreignWords } from './retrieve/foreign-words.ts';
import { retrieve } from './retrieve/retrieve.ts';

const section = (
  path: string,
  pageTitle: string,
  heading: string,
  text: string,
): SearchDocument => ({
  ...{
    path,
    href: `/${path}`,
    pageTitle,
    description: '',
    keywords: [],
    boost: 1,
    code: '',
    text,
    markdown: text,
  },
  anchor: heading.toLowerCase().replaceAll(' ', '-'),
  headings: heading === '' ? [] : [heading],
});
const LONG =
  'It is done on the page of the site, once for everybody who reads it, and can be undone there later on.';
const index = loadSearchIndex(
  buildSearchIndex([
    section('keys', 'API keys', '', `API keys let programs in. ${LONG}`),
    section('keys', 'API keys', 'Rotate a key', `A key that is rotated works for a day. ${LONG}`),
    section('keys', 'API keys', 'Scopes', `What an API key may do is its scope. ${LONG}`),
    section(
      'keys',
      'API keys',
      'What happens to a lost key?',
      `A lost API key cannot be shown again. ${LONG}`,
    ),
    section('keys', 'API keys', 'Limiting Your API Keys', `How your API keys are limited. ${LONG}`),
    section('keys', 'API keys', 'Soon', 'Short.'),
    section('webhooks/stripe', 'Stripe', 'Webhooks', `Webhooks of Stripe come signed. ${LONG}`),
    section('webhooks/github', 'GitHub', 'Webhooks', `Webhooks of GitHub come signed. ${LONG}`),
    section('colors', 'Colors', '', `A theme has colors. ${LONG}`),
  ]),
);

async function next(question: string, quotes = 1) {
  const assistantQuestion = {
    question,
    turns: [{ role: 'user', text: question }],
    context: [],
    pageSize: 5,
  } as unknown as AssistantQuestion;
  const { passages } = await retrieve(index, assistantQuestion, {
    publicUrl: 'https://docs.example.com',
    foreignWords,
  });
  const answer = passages.slice(0, quotes).map(({ url }) => `[Page](${url})`);
  return nextQuestions(question, { index, search: {}, passages, answer: answer.join('\n') });
}

it('follow-up questions come from headings of other sections and find those sections', async () => {
  expect(await next('what do API keys let programs do?')).toEqual({
    kind: 'follow-ups',
    questions: [
      'How do I rotate a key?',
      'What happens to a lost key?',
      'How does limiting my API Keys work?',
    ],
  });
  const [first] = index.search('How do I rotate a key?', { limit: 1, completeLastWord: false });
  expect(first?.document.anchor).toBe('rotate-a-key');
});

it('an ambiguous question is offered once for each of its meanings', async () => {
  const given = await next('webhooks?');
  expect(given?.kind).toBe('choices');
  expect(given?.questions.toSorted()).toEqual(['webhooks (GitHub)?', 'webhooks (Stripe)?']);
});

it('a question that names its meaning has no choices', async () => {
  expect((await next('how are webhooks of Stripe signed?'))?.kind).not.toBe('choices');
});

it('an answer without links to the found pages has no follow-up questions', async () => {
  expect(await next('what do API keys let programs do?', 0)).toBeUndefined();
});
