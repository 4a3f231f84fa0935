import { expect, it } from 'vitest';
import type { CountedAnswer } from './conversation-queries.ts';
import { groupQuestions } from './group-questions.ts';
import { countSubjects } from './read-analytics.ts';

const answer = (question: string | null, more: Partial<CountedAnswer> = {}): CountedAnswer => ({
  ...{
    question,
    threadId: 'thread',
    sources: [],
    outcome: 'not_in_docs',
    helpful: null,
    isWaiting: false,
    createdAt: new Date('2026-11-20T10:00:00Z'),
  },
  ...more,
});

it('questions are counted by the group of their source, or else by the word that most of them share', () => {
  const sources = [{ title: 'Keys', url: 'https://docs.test/keys' }];
  const keys = { sources, outcome: 'answered' as const };
  const { totals, days, subjects } = countSubjects(
    [
      answer('Is there a Terraform provider?'),
      answer('How do I use terraform?'),
      answer('Which Terraform versions?', { createdAt: new Date('2026-11-19T10:00:00Z') }),
      answer('Why?'),
      answer(null),
      answer('Rotate a key', { ...keys, helpful: false }),
      answer('Rotate a key', keys),
    ],
    (address) => (address.endsWith('/keys') ? { name: 'Security', kind: 'group' } : undefined),
  );
  expect(totals).toEqual({
    questions: 7,
    answered: 2,
    notInDocs: 5,
    partly: 0,
    refused: 0,
    failed: 0,
    unknown: 0,
  });
  expect(days.map(({ day, questions }) => [day, questions])).toEqual([
    ['2026-11-19', 1],
    ['2026-11-20', 6],
  ]);
  expect(subjects).toMatchObject([
    { name: 'terraform', kind: 'word', questions: 3, answered: 0 },
    { name: '', questions: 2 },
    {
      name: 'Security',
      kind: 'group',
      questions: 2,
      answered: 2,
      notHelpful: 1,
      examples: ['Rotate a key'],
    },
  ]);
});

it('questions with the same meaningful words are one, in any order and form, and others are not', () => {
  const groups = groupQuestions([
    answer('How do I rotate an API key?', { threadId: 'newest', helpful: false }),
    answer('rotating API keys'),
    answer('API key: rotate!', { outcome: 'answered' }),
    answer('How do I revoke an API key?'),
    answer('Why?'),
    answer('why?'),
    answer('鍵を回転'),
    answer(''),
    answer(null),
  ]);
  expect(groups.map(({ question, count }) => [question, count])).toEqual([
    ['How do I rotate an API key?', 3],
    ['Why?', 2],
    ['How do I revoke an API key?', 1],
    ['鍵を回転', 1],
  ]);
  expect(groups[0]).toMatchObject({
    otherWordings: ['rotating API keys', 'API key: rotate!'],
    answered: 1,
    notInDocs: 2,
    notHelpful: 1,
    newest: { threadId: 'newest' },
  });
});
