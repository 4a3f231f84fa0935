import { expect, it } from 'vitest';
import { parseQuestions } from './question-file.ts';
import { questionPage, questionSnippet } from './question-snippet.ts';

it.each([
  'How do I rotate a key?',
  'He said: "use #3"\n- and: {then}?',
  "What's `a\\b` 'for' — 鍵 🔑 \u2028 \u0007?",
])('a question of a reader is an entry that the file reads back: %j', (question) => {
  const text = question.replaceAll(/\s+/g, ' ').trim();
  const file = `questions:\n${questionSnippet(question, ['guides/keys', "it's: here"])}\n${questionSnippet('Open?', [])}\n`;
  const { questions } = parseQuestions(file);
  expect(questions.map(({ question: read, pages }) => [read, pages])).toEqual([
    [text, ['guides/keys', "it's: here"]],
    ['Open?', []],
  ]);
});

it('a source of an answer is named by the path of its page, without its section', () => {
  const site = 'https://docs.acme.example/docs';
  expect(questionPage(`${site}/guides/keys?x=1#rotate`, site)).toBe('guides/keys');
  expect(questionPage(`${site}/`, `${site}/`)).toBe('index');
  expect(questionPage('https://docs.acme.example/docs-of-others', site)).toBeUndefined();
});
