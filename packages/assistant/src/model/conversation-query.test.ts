import { expect, it } from 'vitest';
import type { AssistantQuestion, ChatTurn, Passage } from '../chat/chat-request.ts';
import { joinSearches, needsQuery, queryOf, queryRequest } from './conversation-query.ts';

const turns: ChatTurn[] = [
  { role: 'user', text: 'How do I set up Apple login?' },
  { role: 'assistant', text: 'Like this.' },
  { role: 'user', text: 'and why does it stop working?' },
];
const questionOf = (more: Partial<AssistantQuestion>): AssistantQuestion =>
  ({ question: turns.at(-1)?.text ?? '', turns, context: [], ...more }) as AssistantQuestion;

it('a model writes the search of a question that depends on the conversation, and of no other', () => {
  expect(needsQuery(questionOf({}))).toBe(true);
  const complete = 'How do I rotate the signing secret of a webhook?';
  const alone = [...turns.slice(0, 2), { role: 'user' as const, text: complete }];
  expect(needsQuery(questionOf({ question: complete, turns: alone }))).toBe(false);
  expect(needsQuery(questionOf({ turns: turns.slice(-1) }))).toBe(false);
  expect(needsQuery(questionOf({ context: [{ type: 'textSelection', value: 'x' }] }))).toBe(false);
  expect(needsQuery(questionOf({ continuesAssistant: true }))).toBe(false);
});

it('the model reads the beginnings of the newest turns, as material, and no passage', () => {
  const long = Array.from({ length: 20 }, (_, index) => ({
    role: 'user' as const,
    text: `${index} ${'word '.repeat(2000)}`,
  }));
  const request = queryRequest({ turns: long }, { siteName: 'Acme', language: 'en' });
  expect(request.passages).toEqual([]);
  expect(request.turns).toHaveLength(1);
  expect(request.turns[0]?.text.length).toBeLessThan(3500);
  expect(request.turns[0]?.text).toMatch(/^Reader: 14 word/);
  expect(request.instructions).toContain('“Acme”');
  expect(request.instructions).toContain('(en)');
});

it('only a reply of one line that is a search counts, as plain words', () => {
  expect(queryOf(' search: Apple login secret expires \n')).toBe('Apple login secret expires');
  expect(queryOf('Search: "Apple" <b>login</b> `key`')).toBe('Apple b login /b key');
  for (const reply of [
    '',
    'search:',
    'search: the of and',
    'Apple login',
    'It expires after six months.',
    'search: Apple login\nThe secret expires.',
    `search: ${'Apple '.repeat(100)}`,
  ])
    expect(queryOf(reply)).toBe(undefined);
});

it('two searches are joined in turn, each section once', () => {
  const passage = (url: string) => ({ url }) as Passage;
  const join = (first: string[], second: string[]) =>
    joinSearches(first.map(passage), second.map(passage)).map(({ url }) => url);
  expect(join(['a', 'b'], ['b', 'c', 'd'])).toEqual(['a', 'b', 'c', 'd']);
  const many = Array.from({ length: 30 }, (_, index) => `${index}`);
  expect(
    join(
      many,
      many.map((url) => `x${url}`),
    ),
  ).toHaveLength(36);
});
